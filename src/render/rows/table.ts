import { printable } from '../printable.js';
import type { Row, RowFormat } from './row-format.js';

const widestColumn = 40;

/**
 * A table for a person, with values as Lightdash formats them. The widths come from the first rows: those that follow are
 * written as they arrive, and a wider value of theirs pushes its line to the right rather than being cut.
 */
export function tableFormat(): RowFormat {
  let widths: readonly number[] = [];
  const line = (cells: readonly string[]) =>
    `${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ')}`.trimEnd().concat('\n');
  return {
    head: (columns, firstRows) => {
      widths = columns.map((column) =>
        Math.min(
          widestColumn,
          Math.max(printable(column).length, ...firstRows.map((row) => cellText(row, column).length)),
        ),
      );
      return line(columns.map(printable)) + line(widths.map((width) => '-'.repeat(width)));
    },
    row: (columns, row) => line(columns.map((column) => cellText(row, column))),
    tail: (rows) => `\n${rows} ${rows === 1 ? 'row' : 'rows'}\n`,
  };
}

function cellText(row: Row, column: string): string {
  return printable(row.get(column)?.formatted ?? '');
}
