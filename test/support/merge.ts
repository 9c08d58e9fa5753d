import type { Parsed } from '../../src/core/json/parse-with.js';
import { formatPath } from '../../src/core/json/schema-problem.js';
import type { MergeQuery, MetricQuery, MetricSource, ResultSource } from '../../src/merge/request.js';

/** What was found wrong, a line each: `path: message`. */
export function problemsOf(parsed: Parsed<unknown>): string[] {
  return parsed.ok ? [] : parsed.problems.map(({ path, message }) => `${formatPath(path)}: ${message}`);
}

export function metricQuery(fields: Partial<MetricQuery> = {}): MetricQuery {
  return {
    exploreName: 'orders',
    dimensions: ['day'],
    metrics: ['count'],
    filters: {},
    sorts: [],
    limit: 500,
    tableCalculations: [],
    ...fields,
  };
}

export function metricSource(id: string, fields: Partial<MetricQuery> = {}): MetricSource {
  return { id, metricQuery: metricQuery(fields) };
}

export function resultSource(id: string): ResultSource {
  return { id, queryUuid: '6f1c1f5e-9d0e-4b6e-8a52-6f6f2b1f0f11' };
}

/** A merge of two metric sources, `a` and `b`, by day, which breaks no rule unless its fields make it. */
export function mergeQuery(fields: Partial<MergeQuery> = {}): MergeQuery {
  return {
    limit: 500,
    tableCalculations: [],
    joinType: 'full',
    joinKey: [{ name: 'day', fieldIdBySourceId: { a: 'day', b: 'day' } }],
    sources: [metricSource('a'), metricSource('b')],
    ...fields,
  };
}

/** A merge file, valid but for a number that no JSON can carry, where any value may stand. */
export const notANumber = (() => {
  const and = [{ id: 'f', target: { fieldId: 'day' }, operator: 'equals', values: ['?'] }];
  const sources = [metricSource('a', { filters: { dimensions: { id: 'x', and } } }), metricSource('b')];
  return JSON.stringify({ mergeQuery: mergeQuery({ sources }) }).replace('"?"', '.nan');
})();
