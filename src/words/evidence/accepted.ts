import type { Acceptance } from '../../core/accepted.js';
import { printable } from '../../core/text/printable.js';

/** Whether an acceptance counts in an answer, and why not: the label of its line. */
const labels = {
  counts: 'Accepted',
  'fits-nothing': 'Accepted, but not found here',
  lapsed: 'No longer accepted',
};
type AcceptanceState = keyof typeof labels;
export const acceptanceStates = Object.keys(labels) as [AcceptanceState, ...AcceptanceState[]];

export interface AcceptedRisk extends Omit<Acceptance, 'kind'> {
  readonly state: AcceptanceState;
}

/** ` until 2027-01-31 by data platform: S3 is set in the vault` */
export function describeAcceptance({ reason, by, until }: Omit<AcceptedRisk, 'state'>): string {
  const end = `${until ? ` until ${until}` : ''}${by ? ` by ${by}` : ''}`;
  return printable(`${end}${reason ? `: ${reason}` : ' on the command line'}`);
}

export function factOfAcceptance(risk: AcceptedRisk): { readonly label: string; readonly text: string } {
  return { label: labels[risk.state], text: `${printable(risk.name)}${describeAcceptance(risk)}` };
}
