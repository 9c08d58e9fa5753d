import { renderJsonLine, renderPrettyJson, renderResponseJson } from '../answer/json/document.js';
import { renderChartText } from '../answer/outputs/lightdash.js';
import { exitCodes } from '../exit-codes.js';
import { connect, connection, connectionExitCodes, connectionNotes } from './connection.js';
import { defineCommand } from './declare.js';

export const command = defineCommand({
  takes: {
    chartUuid: { flags: '<chartUuid>', description: 'UUID of the chart' },
    metricQuery: {
      flags: '--metric-query',
      description: 'write the metric query alone, as JSON that "query compile -" reads',
    },
    ...connection,
  },
  notes: connectionNotes,
  exitCodes: connectionExitCodes,
  examples: [
    'lightspan chart get 8c1f0e52-6f0a-4a8b-9d2e-1f3a5b7c9d0e',
    'lightspan chart get 8c1f0e52-6f0a-4a8b-9d2e-1f3a5b7c9d0e --metric-query | lightspan query compile -',
  ],
  run: async (options, context) => {
    const client = await connect(options, { project: false }, context);
    const response = await client.getChart(options.chartUuid);
    const { metricQuery } = response.results;
    if (options.metricQuery === true) {
      context.stdout.write(
        options.json === true ? renderJsonLine(metricQuery) : renderPrettyJson(metricQuery),
      );
    } else {
      context.stdout.write(
        options.json === true ? renderResponseJson(response) : renderChartText(response.results),
      );
    }
    return exitCodes.yes;
  },
});
