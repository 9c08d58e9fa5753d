import type { Exact } from '../../core/json/exact-json.js';
import { countOf, listNames } from '../../core/text/phrase.js';
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
  | { readonly kind: 'canary-not-run'; readonly message: string; readonly hint: string };

/** The subject is a file, or the UUID of a chart. */
export type CanaryFinding = Finding<'canary', CanaryEvidence>;

/** Only rows are a yes: a query that returns none proves nothing about the warehouse, its results or its tables. */
export function judgeCanary(subject: string, evidence: CanaryEvidence, isAnswer: boolean): CanaryFinding {
  const isNo = isAnswer && evidence.kind !== 'canary-from-cache';
  const status = evidence.kind === 'canary-rows' ? 'ok' : isNo ? 'stop' : 'not-checked';
  return { check: 'canary', status, subject, evidence };
}

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
      `the merge was refused: ${listNames(
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

type QueryWithDimensions = { readonly dimensions: readonly string[] };

const sourceIds = ['canary', 'again'];

/**
 * A merge of a metric query with itself, by all of its dimensions: it has a row for every row of the query. A merge is
 * the only request that is known to run a query.
 *
 * @returns undefined if the query has no dimension to merge by
 */
export function mergeWithItself<Query extends QueryWithDimensions | Exact<QueryWithDimensions>>(
  metricQuery: Query,
): Readonly<Record<string, unknown>> | undefined {
  const dimensions = metricQuery.dimensions.map(String);
  if (dimensions.length === 0) return undefined;
  return {
    limit: 1,
    tableCalculations: [],
    joinType: 'full',
    joinKey: dimensions.map((fieldId, i) => ({
      name: `key_${i + 1}`,
      fieldIdBySourceId: Object.fromEntries(sourceIds.map((id) => [id, fieldId])),
    })),
    sources: sourceIds.map((id) => ({ id, metricQuery })),
  };
}
