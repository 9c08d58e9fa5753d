import { extname } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { RowFormat } from '../../answer/builders/rows.js';
import type { QueryEndResult } from '../../answer/json/merge-schemas.js';
import { renderQueryFailure, renderRunningQuery } from '../../answer/outputs/merge.js';
import type { LightdashClient } from '../../api/client.js';
import type { FailedQuery, QueryPage, QueryState } from '../../api/query-results.js';
import { type CommandContext, createProgress, type Progress } from '../../cli/context.js';
import type { OptionsOf, OptionTable } from '../../cli/declare.js';
import { type ExitCode, exitCodeOfOutcome } from '../../cli/exit-codes.js';
import { readCount, readText } from '../../cli/readers.js';
import { type FileSink, outputSink, type TextSink } from '../../cli/text-sink.js';
import { LightspanError } from '../../core/lightspan-error.js';
import { countOf } from '../../core/text/phrase.js';
import { printable } from '../../core/text/printable.js';
import { shellWord } from '../../core/text/quoted-words.js';
import type { ConnectionOptions } from './connection.js';

const defaultWindowMs = 600_000;

interface FetchRequest {
  readonly client: LightdashClient;
  readonly queryUuid: string;
  /** The order of the fields, for a result that does not state its own. */
  readonly fieldIds: readonly string[];
  /** Milliseconds; true or undefined means the default window. */
  readonly wait: number | true | undefined;
  readonly file: FileSink | undefined;
  readonly options: RowOptions & ConnectionOptions;
  readonly renderJson: (end: QueryEndResult) => string;
  readonly context: CommandContext;
}

/**
 * Waits for a query, writes its rows, and reports how it ended. If it does not end with a result, or at a signal,
 * standard error shows how to fetch the result of the running query later.
 */
export async function fetchResult(request: FetchRequest): Promise<ExitCode> {
  const { client, queryUuid, file, options, context, wait } = request;
  keepHeapSmall();
  // JSON output is a single line that includes the rows.
  const kept: Record<string, unknown>[] | undefined =
    options.json === true && file === undefined ? [] : undefined;
  const progress = createProgress(context);
  const sayHowToGoOn = () => {
    progress.clear();
    context.stderr.write(renderRunningQuery(queryUuid, resultsCommand(queryUuid, options)));
  };
  context.lastWords(sayHowToGoOn);
  const format = await loadFormat(options, kept);
  try {
    const windowMs = typeof wait === 'number' ? wait : defaultWindowMs;
    const end = await writeRows({
      states: client.followQuery(queryUuid, { windowMs, pageSize: options.pageSize }),
      fieldIds: request.fieldIds,
      format,
      sink: file ?? (kept === undefined ? outputSink(context.stdout) : { write: async () => {} }),
      progress,
    });
    if (end.status === 'ready') {
      await file?.commit();
      context.stderr.write(format.remark?.() ?? '');
    }
    tellEnd(end, kept, request);
    return exitCodeOfOutcome(end.status);
  } catch (error) {
    // A retry would be refused again.
    if (!(error instanceof LightspanError && error.code === 'api-refused')) sayHowToGoOn();
    throw error;
  } finally {
    context.lastWords(undefined);
  }
}

type QueryEnd = { readonly status: 'ready'; readonly rows: number } | FailedQuery;

interface RowsRequest extends Pick<FetchRequest, 'fieldIds'> {
  readonly states: AsyncIterable<QueryState>;
  readonly format: RowFormat;
  readonly sink: TextSink;
  readonly progress: Progress;
}

/** Writes the rows of a query as its pages arrive. The content of the sink counts only when it is committed. */
export async function writeRows(request: RowsRequest): Promise<QueryEnd> {
  const { states, fieldIds, format, sink, progress } = request;
  let columns: readonly string[] | undefined;
  let rows = 0;
  let totalResults: number | undefined;
  try {
    for await (const state of states) {
      if ('reason' in state) return state;
      if ('name' in state) {
        progress.show(`The query is ${printable(state.name)}`);
        continue;
      }
      progress.clear();
      if (columns === undefined) {
        columns = columnsOf(state, fieldIds);
        await sink.write(format.head(columns, state.rows));
      }
      const known = columns;
      await sink.write(
        state.rows
          .map((row, i) => {
            requireKnownFields(row.keys(), known, rows + i);
            return format.row(known, row, rows + i);
          })
          .join(''),
      );
      rows += state.rows.length;
      totalResults = state.totalResults;
      if (totalResults !== undefined && rows > totalResults) throw miscounted(totalResults, rows);
      if (state.nextPage !== undefined)
        progress.show(`${rows}${totalResults === undefined ? '' : ` of ${totalResults}`} rows`);
    }
    if (columns === undefined)
      throw new LightspanError('invalid-response', 'the query ended without a result');
    if (totalResults !== undefined && rows !== totalResults) throw miscounted(totalResults, rows);
    await sink.write(format.tail(rows));
    return { status: 'ready', rows };
  } finally {
    progress.clear();
  }
}

function miscounted(totalResults: number, rows: number): LightspanError {
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
function tellEnd(
  end: QueryEnd,
  kept: readonly Record<string, unknown>[] | undefined,
  { queryUuid, options: { json, out = '' }, renderJson, context: { stdout, stderr } }: FetchRequest,
): void {
  if (end.status !== 'ready') {
    const failure = { queryUuid, status: end.status, reason: end.reason };
    if (json === true) stdout.write(renderJson(failure));
    else stderr.write(renderQueryFailure(failure));
    return;
  }
  const { status, rows } = end;
  if (json === true) {
    const where = kept === undefined ? { out } : { rows: [...kept] };
    stdout.write(renderJson({ queryUuid, status, rowCount: rows, ...where }));
  } else if (out !== '') {
    stdout.write(`${countOf(rows, 'row')} written to ${printable(out)}\n`);
  }
}

/** The command that fetches the result of a query with the same options. */
export function resultsCommand(queryUuid: string, options: RowOptions & ConnectionOptions): string {
  const { url, project, auth, output, out, pageSize, rawCsv, allowHttp, json } = options;
  const values = { url, project, auth, output, out, 'page-size': pageSize, 'raw-csv': rawCsv };
  const flags = Object.entries({ ...values, 'allow-http': allowHttp, json }).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return value === true ? [`--${name}`] : [`--${name}`, shellWord(String(value))];
  });
  return ['lightspan query results', queryUuid, ...flags].join(' ');
}

/** @param kept takes the rows instead of an output */
async function loadFormat(
  options: RowOptions,
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
  const name = options.output ?? formatOfName(options.out) ?? 'table';
  if (name === 'csv') return csvFormat({ defuse: options.rawCsv !== true });
  if (name === 'table') return tableFormat();
  return name === 'json' ? jsonFormat : ndjsonFormat;
}

/** @param condition the beginning of each help text, such as `with --wait: ` */
export function rowOptions(condition: string) {
  return {
    output: {
      flags: '--output <format>',
      group: 'output',
      brief: 'write rows as table, json, ndjson or csv',
      description: `${condition}how rows are written (default: by the name of --out, else table)`,
      choices: ['table', 'json', 'ndjson', 'csv'],
    },
    out: {
      flags: '--out <file>',
      group: 'output',
      brief: 'write rows to a file',
      description: `${condition}write rows to a file, complete or not at all; - is standard output`,
      read: readText,
    },
    rawCsv: {
      flags: '--raw-csv',
      group: 'output',
      rare: true,
      description: 'with CSV: do not escape values that a spreadsheet would run as formulas',
    },
    pageSize: {
      flags: '--page-size <number>',
      group: 'network',
      rare: true,
      description: `${condition}rows to request at a time; the server may send fewer (default: 500)`,
      read: readCount,
    },
  } as const satisfies OptionTable;
}

type RowOptions = OptionsOf<ReturnType<typeof rowOptions>> & { readonly json?: true | undefined };

/** @throws {LightspanError} `usage` for options that contradict each other */
export function requireConsistentRows(options: RowOptions): void {
  const { json, output, out, rawCsv } = withoutDash(options);
  const named = formatOfName(out);
  if (output !== undefined && named !== undefined && output !== named) {
    throw new LightspanError('usage', `--out ${out} and --output ${output} ask for two formats`, {
      hint: 'Leave out --output, or give the file another name.',
    });
  }
  if (rawCsv === true && (output ?? named) !== 'csv') {
    throw new LightspanError('usage', '--raw-csv applies only to CSV', { hint: 'Add --output csv.' });
  }
  if (json === true && output !== undefined && out === undefined) {
    throw new LightspanError('usage', '--json and --output would both write to standard output', {
      hint: 'Send the rows to a file with --out, or leave out one of the two.',
    });
  }
}

/** `--out -` is standard output, as without `--out`. */
export function withoutDash<Options extends RowOptions>(options: Options): Options {
  return options.out === '-' ? { ...options, out: undefined } : options;
}

function formatOfName(file = ''): RowOptions['output'] {
  const extension = extname(file).slice(1).toLowerCase();
  if (extension === 'jsonl') return 'ndjson';
  return (['csv', 'json', 'ndjson'] as const).find((format) => format === extension);
}

/**
 * Makes V8 collect garbage before the heap has grown to many times its content. On Node 24 a result of a million rows,
 * of which one page is in use, then takes half as much memory, in the same time.
 */
function keepHeapSmall(): void {
  setFlagsFromString('--optimize-for-size');
  setFlagsFromString('--semi-space-growth-factor=1');
}
