import { stringifyExactJson } from '../../shared/exact-json.js';
import { printable } from '../printable.js';
import type { Row, RowFormat } from './row-format.js';

/**
 * One JSON array, one row per line, raw values. A truncated array is not JSON, so half a result cannot pass for a whole
 * one.
 */
export const jsonFormat: RowFormat = {
  head: () => '[',
  row: (columns, row, position) => `${position === 0 ? '' : ','}\n${rowJson(columns, row)}`,
  tail: (rows) => (rows === 0 ? ']\n' : '\n]\n'),
};

/** One JSON object per line, raw values. */
export const ndjsonFormat: RowFormat = {
  head: () => '',
  row: (columns, row) => `${rowJson(columns, row)}\n`,
  tail: () => '',
};

/** Raw values by field id, in the order of the columns. */
export function rawValues(columns: readonly string[], row: Row): Record<string, unknown> {
  return Object.fromEntries(columns.map((column) => [column, row.get(column)?.raw ?? null]));
}

function rowJson(columns: readonly string[], row: Row): string {
  return printable(stringifyExactJson(rawValues(columns, row)));
}
