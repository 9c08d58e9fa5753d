import type { RowFormat } from '../answer/rows.js';
import { LightspanError } from '../errors.js';
import type { FailedQuery, QueryPage, QueryState } from '../lightdash-api/query-results.js';
import { printable } from '../words/printable.js';
import type { Progress } from './context.js';
import type { TextSink } from './text-sink.js';

export interface ResultRequest {
  readonly states: AsyncIterable<QueryState>;
  /** The order of the fields in the merge, for a result that does not state its own. */
  readonly fieldIds: readonly string[];
  readonly format: RowFormat;
  readonly sink: TextSink;
  readonly progress: Progress;
}

/** How a query ended after a wait. */
export type QueryEnd = { readonly status: 'ready'; readonly rows: number } | FailedQuery;

/** Writes the rows of a query as its pages arrive. The content of the sink counts only when it is committed. */
export async function writeResult({
  states,
  fieldIds,
  format,
  sink,
  progress,
}: ResultRequest): Promise<QueryEnd> {
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
    `the result has ${totalResults} ${totalResults === 1 ? 'row' : 'rows'} by its own count, but its pages contained ${rows}`,
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
        `row ${position + 1} of the result has a field ${JSON.stringify(field)}, which its first page does not have`,
      );
    }
  }
}
