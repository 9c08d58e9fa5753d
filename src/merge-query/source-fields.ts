import type { AdditionalMetric, MetricQuery } from './metric-query.js';

/**
 * The ids of all fields that a metric query gives: what it selects, and what it defines inline.
 *
 * @returns undefined where they cannot all be known, because an inline definition (whose shape the contract does not
 *   show) has neither a name nor an id that we recognise
 */
export function knownFieldIds(metricQuery: MetricQuery): ReadonlySet<string> | undefined {
  const {
    dimensions,
    metrics,
    additionalMetrics = [],
    tableCalculations,
    customDimensions = [],
  } = metricQuery;
  const inline = [...tableCalculations, ...customDimensions].map(namesOf);
  if (inline.some((names) => names.length === 0)) return undefined;
  return new Set([...dimensions, ...metrics, ...additionalMetrics.flatMap(idsOf), ...inline.flat()]);
}

/** Lightdash's id of a metric is its table and name; the contract does not say, so the bare name counts too. */
function idsOf({ table, name }: AdditionalMetric): string[] {
  return [`${table}_${name}`, name];
}

function namesOf({ id, name }: Record<string, unknown>): string[] {
  return [id, name].filter((value) => typeof value === 'string');
}
