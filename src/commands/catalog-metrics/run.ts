import { type ExitCode, exitCodes } from '../../exit-codes.js';
import { readPagination } from '../../lightdash-api/pages.js';
import { renderResponseJson } from '../../render/json/response.js';
import { renderMetricsText, renderWhichPage } from '../../render/text/metrics.js';
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
  if (options.json === true) {
    context.stdout.write(renderResponseJson(response));
    return exitCodes.yes;
  }
  const { data, pagination } = response.results;
  context.stdout.write(renderMetricsText(data, widthOf(context.stdout)));
  // If the first page has no metrics, there are none.
  if (options.all !== true && (data.length > 0 || options.page !== undefined)) {
    context.stderr.write(
      renderWhichPage({ page: options.page ?? 1, pagination: readPagination(pagination) }),
    );
  }
  return exitCodes.yes;
}
