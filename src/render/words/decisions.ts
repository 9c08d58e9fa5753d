import type { Decision } from '../../preflight/decision.js';
import { type FindingStatus, findingStatuses } from '../../preflight/finding.js';
import { countOf } from '../phrase.js';
import type { Word } from './word.js';

/** The answer of a preflight. */
export const decisionWords: Record<Decision, Word & { readonly label: string; readonly next: string }> = {
  go: {
    label: 'GO',
    meaning:
      'Nothing was found that blocks the upgrade, and everything that can block it was checked. Whether old and new pods may overlap is another question.',
    next: 'lightspan upgrade-plan lists the steps of the upgrade.',
  },
  'go-with-care': {
    label: 'GO, WITH CARE',
    meaning:
      'Nothing stops the upgrade, and everything that can stop it was checked. Something may still go wrong.',
    next: 'look at the warnings; lightspan upgrade-plan lists the steps of the upgrade.',
  },
  stop: {
    label: 'STOP',
    meaning: 'The upgrade would fail, or do harm. The reasons are named, with what to do about each.',
    next: 'fix what stops it, and check again.',
  },
  'not-known': {
    label: 'NOT KNOWN',
    meaning: 'Nothing was found that stops the upgrade, but something that can stop it was not checked.',
    remedy: 'Provide what the findings name: a right, a flag or a file.',
    next: 'provide what was not checked, and check again.',
  },
};

/** `19 checks: 1 stop, 2 not checked, 1 warn, 15 ok` */
export function describeCounts(counts: Readonly<Record<FindingStatus, number>>): string {
  const all = findingStatuses.reduce((sum, status) => sum + counts[status], 0);
  const told = findingStatuses
    .filter((status) => counts[status] > 0)
    .map((status) => `${counts[status]} ${status.replace('-', ' ')}`);
  return `${countOf(all, 'check')}: ${told.join(', ')}`;
}

/** What an answer about a whole route does not say; undefined if the route is one hop, or none is needed. */
export function describeWay(hops: number, { from, to }: { readonly from: string; readonly to: string }) {
  if (hops === 0 && from !== to) return 'Route: none; lightspan upgrade-plan shows what blocks it';
  return hops > 1 ? `Route: ${hops} hops. ${manyHops}` : undefined;
}

/** Shown with an answer about a route of more than one hop. */
export const manyHops =
  'This is about all of them together; check each one again right before it, for its own start check.';
