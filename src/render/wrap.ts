import { columnsOf } from './columns.js';

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
