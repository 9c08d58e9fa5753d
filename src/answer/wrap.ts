import stringWidth from 'fast-string-width';
import { printable } from '../words/printable.js';
import { type Palette, plainPalette } from './palette.js';

/**
 * Breaks a text at blanks so that no line is wider, except for a single word that is. Leading and inner blanks are
 * kept.
 *
 * @param width if undefined, the text stays on one line
 * @param indent at the start of every line but the first, and part of its width
 */
export function wrapWords(text: string, width: number | undefined, indent = ''): string {
  if (width === undefined) return text;
  let line = '';
  let whole = '';
  for (const [chunk] of text.matchAll(/ *[^ ]+/g)) {
    if (line !== '' && columnsOf(line) + columnsOf(chunk) > width) {
      whole += `${line}\n`;
      line = `${indent}${chunk.trimStart()}`;
    } else line += chunk;
  }
  return whole + line;
}

/** How many columns of a terminal a text takes: a wide character takes two, a combining one none. */
export function columnsOf(text: string): number {
  return isAscii(text) ? text.length : stringWidth(text);
}

/** The text, padded with blanks to this number of columns. */
export function padColumns(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - columnsOf(text)));
}

function isAscii(text: string): boolean {
  return /^[ -~]*$/.test(text);
}

/**
 * Two spaces separate columns; a cell is never cut, and the last one of a line is not padded. On a terminal too narrow
 * for that, each row is a paragraph, one line per cell.
 *
 * @param width columns of the terminal; undefined if lines may have any length
 */
export function renderTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  palette: Palette = plainPalette,
  width?: number,
): string {
  const cells = rows.map((row) => row.map(printable));
  const widths = header.map((title, column) =>
    cells.reduce((widest, row) => Math.max(widest, columnsOf(row[column] ?? '')), columnsOf(title)),
  );
  if (width !== undefined && widths.reduce((sum, column) => sum + column + 2, -2) > width) {
    return cells.map((row) => renderRecord(header, row, palette, width)).join('\n');
  }
  const lines = [header, ...cells].map((texts) => joinCells(texts, widths));
  return lines.map((text, i) => `${i === 0 ? palette.bold(text) : text}\n`).join('');
}

export function joinCells(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((cell, column) => padColumns(cell, widths[column] ?? 0))
    .join('  ')
    .trimEnd();
}

/** One row of a table, one line per cell, each with the name of its column. The cells are already harmless. */
export function renderRecord(
  names: readonly string[],
  cells: readonly string[],
  palette: Palette,
  width: number,
): string {
  return names
    .map((name, column) => {
      const line = wrapWords(`${name}: ${cells[column] ?? ''}`, width, '  ').trimEnd();
      return `${palette.bold(line.slice(0, name.length + 1))}${line.slice(name.length + 1)}\n`;
    })
    .join('');
}
