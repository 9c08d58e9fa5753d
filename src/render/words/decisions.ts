import type { Decision } from '../../preflight/decision.js';
import type { FindingStatus } from '../../preflight/finding.js';
import { findingStatuses } from '../../preflight/finding.js';
import type { Word } from './word.js';

/** The answer of a preflight. */
export const decisionWords: Record<Decision, Word & { readonly label: string; readonly next: string }> = {
  go: {
    label: 'GO',
    meaning:
      'Nothing was found in the way, and all that can be was looked at. Whether old and new pods may overlap is another question.',
    next: 'lightspan upgrade-plan lists the steps of the upgrade.',
  },
  'go-with-care': {
    label: 'GO, WITH CARE',
    meaning:
      'Nothing stops the upgrade, and all that can was looked at. Something may go wrong all the same.',
    next: 'look at what is warned of; lightspan upgrade-plan lists the steps of the upgrade.',
  },
  stop: {
    label: 'STOP',
    meaning: 'The upgrade would fail, or do harm. What stops it is named, with what to do about it.',
    next: 'settle what stops it, and ask again.',
  },
  'not-known': {
    label: 'NOT KNOWN',
    meaning: 'Nothing was found that stops the upgrade, but something that can was not looked at.',
    remedy: 'Give what the findings name: a right, a flag or a file.',
    next: 'give what was not looked at, and ask again.',
  },
};

const statusNames: Record<FindingStatus, string> = {
  stop: 'stop',
  'not-checked': 'not checked',
  warn: 'warn',
  ok: 'ok',
};

/** `19 checks: 1 stop, 2 not checked, 1 warn, 15 ok` */
export function describeCounts(counts: Readonly<Record<FindingStatus, number>>): string {
  const all = findingStatuses.reduce((sum, status) => sum + counts[status], 0);
  const told = findingStatuses
    .filter((status) => counts[status] > 0)
    .map((status) => `${counts[status]} ${statusNames[status]}`);
  return `${all} ${all === 1 ? 'check' : 'checks'}: ${told.join(', ')}`;
}

/** What an answer about a whole route does not say; undefined if the route is one hop, or none is needed. */
export function describeWay(hops: number, { from, to }: { readonly from: string; readonly to: string }) {
  if (hops === 0 && from !== to) return 'Route: none; lightspan upgrade-plan says what is in the way';
  return hops > 1 ? `Route: ${hops} hops. ${manyHops}` : undefined;
}

/** Shown with an answer about a route of more than one hop. */
export const manyHops =
  'This is about all of them together; ask for each again right before it, for its own start check.';
