import type { Exact } from '../shared/exact-json.js';

/** The part of a metric query that a merge with itself needs. */
interface QueryWithDimensions {
  readonly dimensions: readonly string[];
}

const sourceIds = ['canary', 'again'] as const;

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
