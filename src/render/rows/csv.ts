import { stringifyExactJson } from '../../shared/exact-json.js';
import { countOf } from '../phrase.js';
import type { RowFormat } from './row-format.js';

/**
 * CSV by RFC 4180, raw values, field ids as the header. A spreadsheet runs a cell that begins like a formula, and rows
 * may contain anything that somebody once typed into a form. Such a cell gets a leading apostrophe, unless it is a
 * plain number or one in groups of digits (`+49 170 1234567`), which is no formula. A remark says how many cells were
 * changed.
 *
 * @param defuse if false, every value is unchanged, for programs that compute with it
 */
export function csvFormat({ defuse }: { readonly defuse: boolean }): RowFormat {
  let changed = 0;
  const field = (value: unknown) => {
    const text = textOf(value);
    if (!defuse || !isFormula(text)) return quote(text);
    changed += 1;
    return quote(`'${text}`);
  };
  // Readers skip an empty line: an empty value of the only column is quoted.
  const record = (values: readonly unknown[]) => {
    const line = values.map(field).join(',');
    return `${line === '' && values.length === 1 ? '""' : line}\r\n`;
  };
  return {
    head: (columns) => record(columns),
    row: (columns, row) => record(columns.map((column) => row.get(column)?.raw)),
    tail: () => '',
    remark: () =>
      changed === 0
        ? undefined
        : `An apostrophe was put before ${countOf(changed, 'value')} that a spreadsheet could run as a formula; --raw-csv leaves it out.\n`,
  };
}

const plainNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const digitGroups = /^[+-]?\d+(?:[ \u00a0]\d+)+$/;
/** Includes the full-width forms, which some spreadsheets read as the plain ones. */
const startsFormula = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20\t\r\n]/;

function isFormula(text: string): boolean {
  return startsFormula.test(text) && !plainNumber.test(text) && !digitGroups.test(text);
}

function quote(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : stringifyExactJson(value);
}
