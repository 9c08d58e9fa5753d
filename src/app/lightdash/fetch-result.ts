import { setFlagsFromString } from 'node:v8';
import type { RowFormat } from '../../answer/builders/rows.js';
import { renderQueryFailure, renderRunningQuery } from '../../answer/outputs/merge.js';
import { LightspanError } from '../../core/lightspan-error.js';
import { printable } from '../../core/text/printable.js';
import { shellWord } from '../../core/text/quoted-words.js';
import { type CommandContext, createProgress, type Progress } from '../../door/context.js';
import { type ExitCode, exitCodeOfOutcome } from '../../door/exit-codes.js';
import { type FileSink, outputSink, type TextSink } from '../../door/text-sink.js';
import type { LightdashClient } from '../../gather/api/client.js';
import {
  type FailedQuery,
  isRunning,
  type QueryPage,
  type QueryState,
} from '../../gather/api/query-results.js';
import type { ConnectionQuestion, RowsQuestion } from '../../question/connection.js';
import { countOf } from '../../words/phrase.js';

const defaultWindowMs = 600_000;

/** How a query ended: with rows, with a file that has them, or without a result. */
type FetchedResult = { readonly queryUuid: string } & (
  | { readonly status: 'ready'; readonly rowCount: number; readonly rows: Record<string, unknown>[] }
  | { readonly status: 'ready'; readonly rowCount: number; readonly out: string }
  | { readonly status: FailedQuery['status']; readonly reason?: string | undefined }
);

interface FetchRequest {
  readonly client: LightdashClient;
  readonly queryUuid: string;
  /** The order of the fields, for a result that does not state its own. */
  readonly fieldIds: readonly string[];
  /** Milliseconds; true or undefined means the default window. */
  readonly wait: number | true | undefined;
  readonly file: FileSink | undefined;
  readonly rows: RowsQuestion;
  readonly connection: ConnectionQuestion;
  readonly renderJson: (result: FetchedResult) => string;
  readonly context: CommandContext;
}

/**
 * Waits for a query, writes its rows, and reports how it ended. If it does not end with a result, or at a signal,
 * standard error shows how to fetch the result of the running query later.
 */
export async function fetchResult(request: FetchRequest): Promise<ExitCode> {
  const { client, queryUuid, file, rows, connection, context, wait } = request;
  limitHeapGrowth();
  // JSON output is a single line that includes the rows.
  const kept: Record<string, unknown>[] | undefined = rows.json && file === undefined ? [] : undefined;
  const progress = createProgress(context);
  const sayHowToGoOn = () => {
    progress.clear();
    context.stderr.write(renderRunningQuery(queryUuid, resultsCommand(queryUuid, rows, connection)));
  };
  context.onSignal(sayHowToGoOn);
  const format = await loadFormat(rows, kept);
  try {
    const windowMs = typeof wait === 'number' ? wait : defaultWindowMs;
    const end = await writeRows({
      states: client.followQuery(queryUuid, { windowMs, pageSize: rows.pageSize }),
      fieldIds: request.fieldIds,
      format,
      sink: file ?? (kept === undefined ? outputSink(context.stdout) : { write: async () => {} }),
      progress,
      monotonicMs: context.monotonicMs,
    });
    if (end.status === 'ready') {
      await file?.commit();
      context.stderr.write(format.remark?.() ?? '');
    }
    reportEnd(end, kept, request);
    return exitCodeOfOutcome(end.status);
  } catch (error) {
    // A retry would be refused again.
    if (!(error instanceof LightspanError && error.code === 'api-refused')) sayHowToGoOn();
    throw error;
  } finally {
    context.onSignal(undefined);
  }
}

type QueryEnd = { readonly status: 'ready'; readonly rows: number } | FailedQuery;

interface RowsRequest extends Pick<FetchRequest, 'fieldIds'> {
  readonly states: AsyncIterable<QueryState>;
  readonly format: RowFormat;
  readonly sink: TextSink;
  readonly progress: Progress;
  readonly monotonicMs: () => number;
}

/** Writes the rows of a query as its pages arrive. The content of the sink counts only when it is committed. */
export async function writeRows(request: RowsRequest): Promise<QueryEnd> {
  const { states, fieldIds, format, sink, progress, monotonicMs } = request;
  const started = monotonicMs();
  const seconds = () => Math.round((monotonicMs() - started) / 1000);
  let columns: readonly string[] | undefined;
  let rows = 0;
  let totalResults: number | undefined;
  try {
    for await (const state of states) {
      if (isRunning(state)) {
        progress.show(`The query is ${printable(state.name)}: ${seconds()} s`);
        continue;
      }
      if (state.status !== 'ready') return state;
      progress.clear();
      if (columns === undefined) {
        columns = columnsOf(state, fieldIds);
        await sink.write(format.head(columns, state.rows));
      }
      const columnsBefore = columns;
      await sink.write(
        state.rows
          .map((row, i) => {
            requireKnownFields(row.keys(), columnsBefore, rows + i);
            return format.row(columnsBefore, row, rows + i);
          })
          .join(''),
      );
      rows += state.rows.length;
      totalResults = state.totalResults;
      if (totalResults !== undefined && rows > totalResults) throw wrongRowCount(totalResults, rows);
      if (state.nextPage !== undefined)
        progress.show(`${rows}${totalResults === undefined ? '' : ` of ${totalResults}`} rows`);
    }
    if (columns === undefined)
      throw new LightspanError('invalid-response', 'the query ended without a result');
    if (totalResults !== undefined && rows !== totalResults) throw wrongRowCount(totalResults, rows);
    await sink.write(format.tail(rows));
    return { status: 'ready', rows };
  } finally {
    progress.clear();
  }
}

function wrongRowCount(totalResults: number, rows: number): LightspanError {
  return new LightspanError(
    'invalid-response',
    `the result claims ${countOf(totalResults, 'row')}, but its pages contained ${rows}`,
  );
}

/** The server's order, else that of the merge; fields that neither names come last. */
function columnsOf({ columns, rows }: QueryPage, fieldIds: readonly string[]): string[] {
  const inRows = new Set(rows.flatMap((row) => [...row.keys()]));
  const ordered = columns.length > 0 ? columns : fieldIds.filter((id) => rows.length === 0 || inRows.has(id));
  return [...new Set([...ordered, ...inRows])];
}

/** The columns are already written: leaving the field out would silently lose data. */
function requireKnownFields(fields: Iterable<string>, columns: readonly string[], position: number): void {
  for (const field of fields) {
    if (!columns.includes(field)) {
      throw new LightspanError(
        'invalid-response',
        `row ${position + 1} of the result has a field ${JSON.stringify(field)} that its first page lacks`,
      );
    }
  }
}

/** @param kept the rows, if neither a file nor standard output has them */
function reportEnd(
  end: QueryEnd,
  kept: readonly Record<string, unknown>[] | undefined,
  { queryUuid, rows: { json, out = '' }, renderJson, context: { stdout, stderr } }: FetchRequest,
): void {
  if (end.status !== 'ready') {
    const failure = { queryUuid, status: end.status, reason: end.reason };
    if (json) stdout.write(renderJson(failure));
    else stderr.write(renderQueryFailure(failure));
    return;
  }
  const { status, rows } = end;
  if (json) {
    const where = kept === undefined ? { out } : { rows: [...kept] };
    stdout.write(renderJson({ queryUuid, status, rowCount: rows, ...where }));
  } else if (out !== '') {
    stdout.write(`${countOf(rows, 'row')} written to ${printable(out)}\n`);
  }
}

/** The command that fetches the result of a query in the same way. */
export function resultsCommand(
  queryUuid: string,
  { output, out, pageSize, rawCsv, json }: RowsQuestion,
  { url, project, auth, network: { allowHttp } }: ConnectionQuestion,
): string {
  const values = { url, project, auth, output, out, 'page-size': pageSize, 'raw-csv': rawCsv };
  const flags = Object.entries({ ...values, 'allow-http': allowHttp, json }).flatMap(([name, value]) => {
    if (value === undefined || value === false) return [];
    return value === true ? [`--${name}`] : [`--${name}`, shellWord(String(value))];
  });
  return ['lightspan query results', queryUuid, ...flags].join(' ');
}

/** @param kept takes the rows instead of an output */
async function loadFormat(
  { format, rawCsv }: RowsQuestion,
  kept: Record<string, unknown>[] | undefined,
): Promise<RowFormat> {
  const { csvFormat, jsonFormat, ndjsonFormat, rawValues, tableFormat } = await import(
    '../../answer/builders/rows.js'
  );
  if (kept !== undefined) {
    const keep: RowFormat['row'] = (columns, row) => {
      kept.push(rawValues(columns, row));
      return '';
    };
    return { head: () => '', row: keep, tail: () => '' };
  }
  if (format === 'csv') return csvFormat({ defuse: !rawCsv });
  if (format === 'table') return tableFormat();
  return format === 'json' ? jsonFormat : ndjsonFormat;
}

/**
 * Makes V8 collect garbage before the heap has grown to many times its content. On Node 24 a result of a million rows,
 * of which one page is in use, then takes half as much memory, in the same time.
 */
function limitHeapGrowth(): void {
  setFlagsFromString('--optimize-for-size');
  setFlagsFromString('--semi-space-growth-factor=1');
}
