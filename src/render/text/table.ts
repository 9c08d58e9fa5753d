import { type Palette, plainPalette } from '../palette.js';
import { printable } from '../printable.js';

/** Two spaces keep columns apart; a cell is never cut, and the last one of a line is not padded. */
export function renderTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  palette: Palette = plainPalette,
): string {
  const cells = rows.map((row) => row.map(printable));
  const widths = header.map((title, column) =>
    cells.reduce((widest, row) => Math.max(widest, row[column]?.length ?? 0), title.length),
  );
  const line = (texts: readonly string[]) =>
    texts
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [palette.strong(line(header)), ...cells.map(line)].map((text) => `${text}\n`).join('');
}
