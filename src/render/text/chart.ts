import type { EchoedMetricQuery } from '../../merge-query/response.js';
import type { Exact } from '../../shared/exact-json.js';
import { printable } from '../printable.js';

/** A saved chart for a person: its name, if the server returns one, and its metric query. */
export function renderChartText({
  name,
  description,
  metricQuery,
}: {
  readonly name?: unknown;
  readonly description?: unknown;
  readonly metricQuery: Exact<EchoedMetricQuery>;
}): string {
  const { exploreName, dimensions, metrics, sorts, limit, tableCalculations } = metricQuery;
  const list = (fieldIds: readonly string[]) => (fieldIds.length === 0 ? 'none' : fieldIds.join(', '));
  const lines = [
    ...(typeof name === 'string' ? [`Chart: ${name}`] : []),
    ...(typeof description === 'string' && description !== '' ? [`Description: ${description}`] : []),
    `Explore: ${exploreName}`,
    `Dimensions: ${list(dimensions)}`,
    `Metrics: ${list(metrics)}`,
    `Sorted by: ${list(sorts.map(({ fieldId, descending }) => `${fieldId} ${descending ? 'descending' : 'ascending'}`))}`,
    `Calculations: ${tableCalculations.length === 0 ? 'none' : tableCalculations.length}`,
    `Limit: ${limit}`,
  ];
  return lines.map((line) => `${printable(line)}\n`).join('');
}
