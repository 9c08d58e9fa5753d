import { LightspanError } from '../../errors.js';
import { type ExitCode, exitCodeOfOutcome } from '../../exit-codes.js';
import type { LightdashClient } from '../../lightdash-api/client.js';
import type { MergeResponse, StartedMerge } from '../../merge-query/response.js';
import { renderResponseJson } from '../../render/json/response.js';
import { printable } from '../../render/printable.js';
import type { RowFormat } from '../../render/rows/row-format.js';
import { renderQueryFailure } from '../../render/text/query-failure.js';
import { type Exact, parseExactJson } from '../../shared/exact-json.js';
import { type CommandContext, widthOf } from '../context.js';
import { createProgress } from '../progress.js';
import { memorySink, outputSink, type TextSink } from '../text-sink.js';
import { writeResult } from './write-result.js';

const defaultWindowMs = 600_000;

export type ResultFormat = 'table' | 'json' | 'ndjson' | 'csv';

export interface WaitOptions {
  readonly json?: true;
  /** Milliseconds; true for the default window. */
  readonly wait?: number | true;
  readonly output?: ResultFormat;
  readonly out?: string;
  readonly rawCsv?: true;
}

export interface WaitRequest {
  readonly client: LightdashClient;
  readonly response: Exact<MergeResponse>;
  readonly started: Exact<StartedMerge>;
  /** Where `--out` points. */
  readonly file: TextSink | undefined;
  readonly options: WaitOptions;
  readonly context: CommandContext;
}

/** Waits for a started merge, writes its rows, and says how it ended. */
export async function waitForResult(request: WaitRequest): Promise<ExitCode> {
  const { client, response, started, file, options, context } = request;
  const { queryUuid } = started.query;
  if (queryUuid === undefined) {
    throw new LightspanError(
      'invalid-response',
      'the merge has started, but the answer names no queryUuid to wait for (results.query.queryUuid)',
    );
  }
  const json = options.json === true;
  const memory = json && file === undefined ? memorySink() : undefined;
  const end = await writeResult({
    states: client.followQuery(queryUuid, {
      windowMs: typeof options.wait === 'number' ? options.wait : defaultWindowMs,
    }),
    fieldIds: Object.keys(started.fieldOrigins),
    format: await loadFormat(
      memory === undefined ? (options.output ?? 'table') : 'json',
      options,
      file === undefined ? widthOf(context.stdout) : undefined,
    ),
    sink: file ?? memory ?? outputSink(context.stdout),
    progress: createProgress(context),
  });

  if (end.status !== 'ready') {
    const failure = { queryUuid, status: end.status, reason: end.reason };
    if (json) context.stdout.write(renderResponseJson(response, { wait: failure }));
    else context.stderr.write(renderQueryFailure(failure));
    return exitCodeOfOutcome(end.status);
  }
  await file?.commit();
  const { status, rows } = end;
  if (json) {
    const where = memory === undefined ? { out: options.out } : { rows: parseExactJson(memory.text()) };
    context.stdout.write(
      renderResponseJson(response, { wait: { queryUuid, status, rowCount: rows, ...where } }),
    );
  } else if (options.out !== undefined) {
    context.stdout.write(`${rows} ${rows === 1 ? 'row' : 'rows'} written to ${printable(options.out)}\n`);
  }
  return exitCodeOfOutcome(status);
}

async function loadFormat(
  format: ResultFormat,
  { rawCsv }: WaitOptions,
  width: number | undefined,
): Promise<RowFormat> {
  switch (format) {
    case 'csv':
      return (await import('../../render/rows/csv.js')).csvFormat({ defuse: rawCsv !== true });
    case 'json':
      return (await import('../../render/rows/json.js')).jsonFormat;
    case 'ndjson':
      return (await import('../../render/rows/json.js')).ndjsonFormat;
    case 'table':
      return (await import('../../render/rows/table.js')).tableFormat(width);
  }
}
