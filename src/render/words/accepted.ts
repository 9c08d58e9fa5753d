import { type Acceptance, nameOfRisk } from '../../release-safety/accepted.js';
import { printable } from '../printable.js';

/** Whether an acceptance counts in an answer, and why not: the label of its line. */
const labels = {
  counts: 'Accepted',
  'fits-nothing': 'Accepted, and fits nothing here',
  lapsed: 'No longer accepted',
  'not-merged': 'Not accepted before this change is merged',
};
export type AcceptanceState = keyof typeof labels;
export const acceptanceStates = Object.keys(labels) as [AcceptanceState, ...AcceptanceState[]];

/** An acceptance, and what it does to an answer. */
export interface AcceptedRisk {
  /** As `--accept` takes it. */
  readonly name: string;
  readonly state: AcceptanceState;
  /** Null on the command line. */
  readonly reason: string | null;
  readonly by: string | null;
  /** Null if it has no end. */
  readonly until: string | null;
}

export function acceptedRisk(acceptance: Acceptance, state: AcceptanceState): AcceptedRisk {
  const { reason = null, by = null, until = null } = acceptance;
  return { name: nameOfRisk(acceptance), state, reason, by, until };
}

/** ` until 2027-01-31 by data platform: S3 is set in the vault` */
export function describeAcceptance({ reason, by, until }: Partial<Omit<AcceptedRisk, 'state'>>): string {
  const end = `${until ? ` until ${until}` : ''}${by ? ` by ${by}` : ''}`;
  return printable(`${end}${reason ? `: ${reason}` : ' on the command line'}`);
}

/** A line of the answer about an acceptance. */
export function factOfAcceptance(risk: AcceptedRisk): { readonly label: string; readonly text: string } {
  return { label: labels[risk.state], text: `${printable(risk.name)}${describeAcceptance(risk)}` };
}
