import stringWidth from 'fast-string-width';
import { printable } from '../../core/text/printable.js';
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

/** Each line at words, its later ones indented as its first; a command to copy stays whole. */
export function wrapProse(text: string, width: number | undefined): string {
  return text
    .split('\n')
    .map((line) => {
      const [indent = '', mark = ''] = /^( *)(- )?/.exec(line)?.slice(1) ?? [];
      const isCommand = indent.length >= 2 && mark === '';
      return isCommand ? line : wrapWords(line, width, `${indent}${mark === '' ? '' : '  '}`);
    })
    .join('\n');
}

/** How many columns of a terminal a text takes: a wide character takes two, a combining one none. */
export function columnsOf(text: string): number {
  return /^[ -~]*$/.test(text) ? text.length : stringWidth(text);
}

/** Two spaces separate columns, numbers stand to the right; a cell is never cut, and the last one of a line not padded. */
export function renderTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  palette: Palette = plainPalette,
): string {
  const cells = rows.map((row) => row.map(printable));
  const widths = header.map((title, column) =>
    cells.reduce((widest, row) => Math.max(widest, columnsOf(row[column] ?? '')), columnsOf(title)),
  );
  const isNumber = header.map(
    (_, column) => cells.length > 0 && cells.every((row) => /^[\d,]+$/.test(row[column] ?? '')),
  );
  const lines = [header, ...cells].map((texts) => joinCells(texts, widths, isNumber));
  return lines.map((text, i) => `${i === 0 ? palette.bold(text) : text}\n`).join('');
}

export function joinCells(
  cells: readonly string[],
  widths: readonly number[],
  toTheRight: readonly boolean[] = [],
): string {
  return cells
    .map((cell, column) => {
      const blanks = ' '.repeat(Math.max(0, (widths[column] ?? 0) - columnsOf(cell)));
      return toTheRight[column] === true ? blanks + cell : cell + blanks;
    })
    .join('  ')
    .trimEnd();
}
