import type { CanaryEvidence } from '../../verify/canary.js';
import { countOf } from '../phrase.js';
import type { FindingWords } from './checks/check-words.js';
import { firstOf } from './lists.js';

/** What happened to the query of --canary. */
export const canaryWords: FindingWords<CanaryEvidence> = {
  'canary-rows': {
    meaning: 'One query went through the instance to the warehouse, and returned rows.',
    describe: ({ rows }) => `the query has returned ${countOf(rows, 'row')}`,
  },
  'canary-without-rows': {
    meaning: 'The query succeeded, but returned no row. It does not show whether anything is wrong.',
    remedy: 'Check whether it returned rows before; use a query that always does, without a time filter.',
    describe: () => 'the query has returned no row',
  },
  'canary-from-cache': {
    meaning: 'The rows may be from before the upgrade, so they show nothing about the warehouse.',
    remedy: 'Use a query that was not run before, such as one with another filter.',
    describe: () => 'the instance took the rows from its cache, although it was asked not to',
  },
  'canary-refused': {
    meaning: 'The instance refused the merge.',
    remedy:
      'lightspan explain says what each kind means. If the old release accepted the merge, the new one changed a field.',
    describe: ({ errors }) =>
      `the merge was refused: ${firstOf(
        errors.map(({ kind, message }) => `${kind}: ${message}`),
        3,
      )}`,
  },
  'canary-ended': {
    meaning: 'The query was started, and ended without a result.',
    remedy: 'Read the reason; then the logs of the backend, and of the warehouse.',
    describe: ({ status, reason }) => `the query ended as ${status}${reason === null ? '' : `: ${reason}`}`,
  },
  'canary-failed': {
    meaning: 'The instance answered with an error, against the contract, or not at all.',
    remedy: 'Read what it said; then the logs of the backend.',
    describe: ({ message }) => message,
    advise: ({ hint }) => hint ?? 'Read what it said; then the logs of the backend.',
  },
  'canary-not-run': {
    meaning: 'The query was not run, so nothing is known about it.',
    remedy: 'The finding says what is missing.',
    describe: ({ message }) => message,
    advise: ({ hint }) => hint,
  },
};
