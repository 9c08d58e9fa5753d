import { type ExitCode, exitCodes } from '../../exit-codes.js';
import { renderJsonLine } from '../../render/json/document.js';
import { renderPrettyJson, renderResponseJson } from '../../render/json/response.js';
import { renderChartText } from '../../render/text/chart.js';
import { connect } from '../connection.js';
import type { ConnectionOptions } from '../connection-options.js';
import type { CommandContext } from '../context.js';

export interface ChartGetOptions extends ConnectionOptions {
  readonly metricQuery?: true;
}

/** `lightspan chart get` */
export async function chartGet(
  chartUuid: string,
  options: ChartGetOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const client = await connect(options, { project: false }, context);
  const response = await client.getChart(chartUuid);
  const { metricQuery } = response.results;
  if (options.metricQuery === true) {
    context.stdout.write(options.json === true ? renderJsonLine(metricQuery) : renderPrettyJson(metricQuery));
  } else {
    context.stdout.write(
      options.json === true ? renderResponseJson(response) : renderChartText(response.results),
    );
  }
  return exitCodes.yes;
}
