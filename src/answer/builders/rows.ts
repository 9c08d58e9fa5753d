import { stringifyExactJson } from '../../core/json/exact-json.js';
import { printable } from '../../core/text/printable.js';
import { countOf } from '../../words/phrase.js';
import { columnsOf, joinCells } from '../formats/wrap.js';

/** One row of a result, by field id: as the warehouse returned it, and as Lightdash formats it. */
export type Row = ReadonlyMap<string, { readonly raw: unknown; readonly formatted: string }>;

/** How rows become text, piece by piece, so that a result of any size can be written as it arrives. */
export interface RowFormat {
  /** @param firstRows the rows that are known when the head is written: a table takes its widths from them */
  readonly head: (columns: readonly string[], firstRows: readonly Row[]) => string;
  /** @param position 0 for the first row */
  readonly row: (columns: readonly string[], row: Row, position: number) => string;
  /** @param rows how many rows were written */
  readonly tail: (rows: number) => string;
  /** What readers of the rows must know about the format; undefined if there is nothing. */
  readonly remark?: () => string | undefined;
}

/** One JSON array, a row a line, raw values. Cut short it is no JSON, so half a result cannot pass for a whole one. */
export const jsonFormat: RowFormat = {
  head: () => '[',
  row: (columns, row, position) => `${position === 0 ? '' : ','}\n${rowJson(columns, row)}`,
  tail: (rows) => (rows === 0 ? ']\n' : '\n]\n'),
};

export const ndjsonFormat: RowFormat = {
  head: () => '',
  row: (columns, row) => `${rowJson(columns, row)}\n`,
  tail: () => '',
};

/** By field id, in the order of the columns. */
export function rawValues(columns: readonly string[], row: Row): Record<string, unknown> {
  return Object.fromEntries(columns.map((column) => [column, row.get(column)?.raw ?? null]));
}

function rowJson(columns: readonly string[], row: Row): string {
  return printable(stringifyExactJson(rawValues(columns, row)));
}

/**
 * CSV by RFC 4180, raw values, field ids as the header. A spreadsheet runs a cell that begins like a formula, and rows
 * may contain anything that somebody once typed into a form. Such a cell gets a leading apostrophe, unless it is a
 * plain number or one in groups of digits (`+49 170 1234567`), which is no formula.
 *
 * @param defuse if false, every value is unchanged, for programs that compute with it
 */
export function csvFormat({ defuse }: { readonly defuse: boolean }): RowFormat {
  let changed = 0;
  const field = (value: unknown) => {
    const text = typeof value === 'string' ? value : value == null ? '' : stringifyExactJson(value);
    if (!defuse || !isFormula(text)) return quote(text);
    changed += 1;
    return quote(`'${text}`);
  };
  // Readers skip an empty line: an empty value of the only column is quoted.
  const record = (values: readonly unknown[]) =>
    `${values.map(field).join(',') || (values.length === 1 ? '""' : '')}\r\n`;
  return {
    head: record,
    row: (columns, row) => record(columns.map((column) => row.get(column)?.raw)),
    tail: () => '',
    remark: () =>
      changed === 0
        ? undefined
        : `An apostrophe was put before ${countOf(changed, 'value')} that a spreadsheet could run as a ` +
          `formula; --raw-csv leaves it out.\n`,
  };
}

const number = /^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|\d+(?:[ \u00a0]\d+)+)$/;
/** Includes the full-width forms, which some spreadsheets read as the plain ones. */
const startsFormula = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20\t\r\n]/;

function isFormula(text: string): boolean {
  return startsFormula.test(text) && !number.test(text);
}

function quote(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const widestColumn = 40;

/**
 * A table for a person, with values as Lightdash formats them. The widths come from the first rows. Later rows are
 * written as they arrive, and a wider value pushes its line to the right rather than being cut.
 */
export function tableFormat(): RowFormat {
  let widths: readonly number[] = [];
  const line = (cells: readonly string[]) => `${joinCells(cells, widths)}\n`;
  const cellsOf = (columns: readonly string[], row: Row) =>
    columns.map((column) => printable(row.get(column)?.formatted ?? ''));
  return {
    head: (columns, firstRows) => {
      const titles = columns.map(printable);
      const first = [titles, ...firstRows.map((row) => cellsOf(columns, row))];
      widths = titles.map((_, i) =>
        first.reduce((most, cells) => Math.min(widestColumn, Math.max(most, columnsOf(cells[i] ?? ''))), 0),
      );
      return line(titles) + line(widths.map((width) => '-'.repeat(width)));
    },
    row: (columns, row) => line(cellsOf(columns, row)),
    tail: (rows) => `\n${countOf(rows, 'row')}\n`,
  };
}
