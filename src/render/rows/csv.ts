import { stringifyExactJson } from '../../shared/exact-json.js';
import type { RowFormat } from './row-format.js';

/**
 * CSV by RFC 4180, raw values, field ids as the header. A spreadsheet runs a cell that begins like a formula, and the
 * rows hold whatever somebody once typed into a form: such a cell gets an apostrophe in front of it, unless it is a plain
 * number.
 *
 * @param defuse false leaves every value as it is, for programs that compute with it
 */
export function csvFormat({ defuse }: { readonly defuse: boolean }): RowFormat {
  const record = (values: readonly unknown[]) =>
    `${values.map((value) => quote(defuse ? defused(textOf(value)) : textOf(value))).join(',')}\r\n`;
  return {
    head: (columns) => record(columns),
    row: (columns, row) => record(columns.map((column) => row.get(column)?.raw)),
    tail: () => '',
  };
}

const plainNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
/** Also the full-width forms, which some spreadsheets read as the plain ones. */
const startsFormula = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20\t\r\n]/;

function defused(text: string): string {
  return startsFormula.test(text) && !plainNumber.test(text) ? `'${text}` : text;
}

function quote(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : stringifyExactJson(value);
}
