import { countOf, listNames } from '../../words/phrase.js';
import type { Finding, FindingWords } from '../check.js';

export type CanaryEvidence =
  | { readonly kind: 'canary-rows'; readonly rows: number }
  | { readonly kind: 'canary-without-rows' }
  /** The rows may be from before the upgrade. */
  | { readonly kind: 'canary-from-cache' }
  | {
      readonly kind: 'canary-refused';
      readonly errors: readonly { readonly kind: string; readonly message: string }[];
    }
  | { readonly kind: 'canary-ended'; readonly status: string; readonly reason: string | null }
  /** There is no result whose rows could be counted. */
  | { readonly kind: 'canary-failed'; readonly message: string; readonly hint: string | null }
  /** A 404: this release has no such request. */
  | { readonly kind: 'canary-not-available'; readonly message: string }
  | { readonly kind: 'canary-not-run'; readonly message: string; readonly hint: string };

/** The subject is a file, or the UUID of a chart. */
export type CanaryFinding = Finding<'canary', CanaryEvidence>;

/** Only rows are a yes: a query that returns none proves nothing about the warehouse, its results or its tables. */
export function judgeCanary(subject: string, evidence: CanaryEvidence, isAnswer: boolean): CanaryFinding {
  const showsNothing = evidence.kind === 'canary-from-cache' || evidence.kind === 'canary-not-available';
  const isNo = isAnswer && !showsNothing;
  const status = evidence.kind === 'canary-rows' ? 'ok' : isNo ? 'stop' : 'not-checked';
  return { check: 'canary', status, subject, evidence };
}

export const canaryWords: FindingWords<CanaryEvidence> = {
  'canary-rows': {
    meaning: 'A query went through the instance to the warehouse and returned rows.',
    describe: ({ rows }) => `the query returned ${countOf(rows, 'row')}`,
  },
  'canary-without-rows': {
    meaning: 'The query succeeded but returned no rows, which does not show whether anything is wrong.',
    remedy: 'Check whether it returned rows before. Use a query that always does, without a time filter.',
    describe: () => 'the query returned no rows',
  },
  'canary-from-cache': {
    meaning: 'The rows may be from before the upgrade, so they show nothing about the warehouse.',
    remedy: 'Use a query that was not run before, such as one with a different filter.',
    describe: () => 'the rows may come from the cache of the instance, although it was asked to bypass it',
  },
  'canary-refused': {
    meaning: 'The instance refused the merge.',
    remedy:
      'lightspan explain says what each kind means. If the old release accepted the merge, the new one changed ' +
      'a field.',
    describe: ({ errors }) =>
      `the merge was refused: ${listNames(
        errors.map(({ kind, message }) => `${kind}: ${message}`),
        3,
      )}`,
  },
  'canary-ended': {
    meaning: 'The query started, but ended without a result.',
    remedy: 'Read the reason, then the logs of the backend and the warehouse.',
    describe: ({ status, reason }) => `the query ended as ${status}${reason === null ? '' : `: ${reason}`}`,
  },
  'canary-failed': {
    meaning: 'The instance answered with an error, broke the contract, or did not answer.',
    remedy: 'Read what it said, then the logs of the backend.',
    describe: ({ message }) => message,
    advise: ({ hint }) => hint ?? 'Read what it said, then the logs of the backend.',
  },
  'canary-not-available': {
    meaning: 'The instance answered 404, so the query was not run. Not every release has this request.',
    remedy:
      'Check the UUIDs of project and chart. If both are right, this release has no such request: name a chart ' +
      'instead of a merge file, or verify without --canary.',
    describe: ({ message }) => `not available on this release: ${message}`,
  },
  'canary-not-run': {
    meaning: 'The query was not run, so nothing is known about it.',
    remedy: 'The finding says what is missing.',
    describe: ({ message }) => message,
    advise: ({ hint }) => hint,
  },
};
