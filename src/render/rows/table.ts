import { columnsOf } from '../columns.js';
import { plainPalette } from '../palette.js';
import { countOf } from '../phrase.js';
import { printable } from '../printable.js';
import { joinCells, renderRecord } from '../text/table.js';
import type { Row, RowFormat } from './row-format.js';

const widestColumn = 40;

/**
 * A table for a person, with values as Lightdash formats them. The widths come from the first rows. Later rows are
 * written as they arrive, and a wider value pushes its line to the right rather than being cut. If a terminal is too
 * narrow for the first rows, each row is a paragraph, one line per value.
 *
 * @param terminal its columns; undefined if lines may have any length
 */
export function tableFormat(terminal?: number): RowFormat {
  let widths: readonly number[] = [];
  let isNarrow = false;
  const line = (cells: readonly string[]) => `${joinCells(cells, widths)}\n`;
  return {
    head: (columns, firstRows) => {
      widths = columns.map((column) =>
        Math.min(
          widestColumn,
          Math.max(columnsOf(printable(column)), ...firstRows.map((row) => columnsOf(cellText(row, column)))),
        ),
      );
      isNarrow = terminal !== undefined && widths.reduce((sum, width) => sum + width + 2, -2) > terminal;
      if (isNarrow) return '';
      return line(columns.map(printable)) + line(widths.map((width) => '-'.repeat(width)));
    },
    row: (columns, row, position) => {
      const cells = columns.map((column) => cellText(row, column));
      if (!isNarrow || terminal === undefined) return line(cells);
      const record = renderRecord(columns.map(printable), cells, plainPalette, terminal);
      return position === 0 ? record : `\n${record}`;
    },
    tail: (rows) => `\n${countOf(rows, 'row')}\n`,
  };
}

function cellText(row: Row, column: string): string {
  return printable(row.get(column)?.formatted ?? '');
}
