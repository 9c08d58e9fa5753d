import type { ExitCode } from '../../exit-codes.js';
import { requireUuid } from '../../lightdash-api/base-url.js';
import { renderDocument } from '../../render/json/document.js';
import type { QueryResultsResult } from '../../render/json/merge-result-schemas.js';
import { connect } from '../connection.js';
import type { ConnectionOptions } from '../connection-options.js';
import type { CommandContext } from '../context.js';
import { fetchResult } from '../fetch-result.js';
import { type RowOptions, requireConsistentRows, withoutDash } from '../row-options.js';
import { fileSink } from '../text-sink.js';

export interface QueryResultsOptions extends ConnectionOptions, RowOptions {
  /** Milliseconds. */
  readonly wait?: number;
}

/** `lightspan query results` */
export async function queryResults(
  uuid: string,
  given: QueryResultsOptions,
  context: CommandContext,
): Promise<ExitCode> {
  requireConsistentRows(given);
  const options = withoutDash(given);
  const queryUuid = requireUuid(uuid, 'query');
  const client = await connect(options, { project: true }, context);
  const file = options.out === undefined ? undefined : await fileSink(options.out);
  try {
    return await fetchResult({
      client,
      queryUuid,
      fieldIds: [],
      wait: options.wait,
      file,
      options,
      renderJson: (end) => renderDocument<QueryResultsResult>(end),
      context,
    });
  } finally {
    await file?.abandon();
  }
}
