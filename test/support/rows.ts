import type { Row, RowFormat } from '../../src/answer/builders/rows.js';

/** A row of plain values, each formatted as its own text unless a pair says otherwise. */
export function rowOf(values: Readonly<Record<string, unknown>>): Row {
  return new Map(
    Object.entries(values).map(([fieldId, raw]) => [
      fieldId,
      { raw, formatted: raw === null ? '∅' : `<${String(raw)}>` },
    ]),
  );
}

/** Everything a format writes of these rows, which arrive in one page. */
export function writeRows(format: RowFormat, columns: readonly string[], rows: readonly Row[]): string {
  return (
    format.head(columns, rows) +
    rows.map((row, position) => format.row(columns, row, position)).join('') +
    format.tail(rows.length)
  );
}
