import { type ExitCode, exitCodes } from '../../exit-codes.js';
import { renderResponseJson } from '../../render/json/response.js';
import { renderMetricsText } from '../../render/text/metrics.js';
import { connect } from '../connection.js';
import type { ConnectionOptions } from '../connection-options.js';
import { type CommandContext, widthOf } from '../context.js';

export interface CatalogMetricsOptions extends ConnectionOptions {
  readonly tag?: readonly string[];
  readonly sort?: string;
  readonly order?: 'asc' | 'desc';
  readonly page?: number;
  readonly pageSize?: number;
  readonly all?: true;
}

/** `lightspan catalog metrics` */
export async function catalogMetrics(
  options: CatalogMetricsOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { tag: tags, sort, order, page, pageSize } = options;
  const client = await connect(options, { project: true }, context);
  const response =
    options.all === true
      ? await client.listAllMetrics({ tags, sort, order, pageSize })
      : await client.listMetrics({ tags, sort, order, page, pageSize });
  context.stdout.write(
    options.json === true
      ? renderResponseJson(response)
      : renderMetricsText(response.results.data, widthOf(context.stdout)),
  );
  return exitCodes.yes;
}
