import type { Exact } from '../shared/exact-json.js';

/** As much of a metric query as a merge of it needs. */
interface QueryWithDimensions {
  readonly dimensions: readonly string[];
}

const sourceIds = ['canary', 'again'] as const;

/**
 * A merge of a metric query with itself, by all of its dimensions: it has a row wherever the query has one. A merge is the
 * one request that is known to run a query.
 *
 * @returns undefined where the query has no dimension to merge by
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
