import { renderJsonLine, renderPrettyJson, renderResponseJson } from '../answer/json/document.js';
import { renderLines } from '../answer/outputs/messages.js';
import { connect } from '../app/lightdash/connection.js';
import { compact } from '../core/text/compact.js';
import { defineCommand } from '../door/declare.js';
import { exitCodes } from '../door/exit-codes.js';
import {
  connection,
  connectionExitCodes,
  connectionNotes,
  connectionOf,
} from '../door/options/connection-options.js';
import { writeResult } from '../door/write-answer.js';
import type { SavedChartResponse } from '../gather/api/client.js';

/** Its JSON: the answer of the API as it came, with the version of our own output. */
export const resultSchema = async () => (await import('../gather/api/client.js')).savedChartSchema;

export const command = defineCommand({
  takes: {
    chartUuid: { flags: '<chartUuid>', description: 'UUID of the chart' },
    metricQuery: {
      flags: '--metric-query',
      description: 'write only the metric query, as JSON that "query compile -" reads',
    },
    ...connection,
  },
  notes: connectionNotes,
  exitCodes: connectionExitCodes,
  examples: [
    'lightspan chart get 8c1f0e52-6f0a-4a8b-9d2e-1f3a5b7c9d0e',
    'lightspan chart get 8c1f0e52-6f0a-4a8b-9d2e-1f3a5b7c9d0e --metric-query | lightspan query compile -',
  ],
  run: async ({ chartUuid, metricQuery: isAlone, ...options }, context) => {
    const client = await connect(connectionOf(options), { project: false }, context);
    const response = await client.getChart(chartUuid);
    const { metricQuery } = response.results;
    await writeResult(
      options,
      context,
      isAlone === true
        ? { json: () => renderJsonLine(metricQuery), text: () => renderPrettyJson(metricQuery) }
        : { json: () => renderResponseJson(response), text: () => renderChartText(response.results) },
    );
    return exitCodes.yes;
  },
});

export function renderChartText({
  name,
  description,
  metricQuery,
}: Pick<SavedChartResponse['results'], 'name' | 'description' | 'metricQuery'>): string {
  const { exploreName, dimensions, metrics, sorts, limit, tableCalculations } = metricQuery;
  const sortedBy = sorts.map(
    ({ fieldId, descending }) => `${fieldId} ${descending ? 'descending' : 'ascending'}`,
  );
  return renderLines(
    compact(
      typeof name === 'string' && `Chart: ${name}`,
      typeof description === 'string' && description !== '' && `Description: ${description}`,
      `Explore: ${exploreName}`,
      `Dimensions: ${dimensions.join(', ') || 'none'}`,
      `Metrics: ${metrics.join(', ') || 'none'}`,
      `Sorted by: ${sortedBy.join(', ') || 'none'}`,
      `Calculations: ${tableCalculations.length || 'none'}`,
      `Limit: ${limit}`,
    ),
  );
}
