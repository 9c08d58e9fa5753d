/**
 * Breaks a text at blanks so that no line is wider, but for a single word that is.
 *
 * @param width undefined leaves it one line
 * @param indent in front of every line but the first, and part of its width
 */
export function wrapWords(text: string, width: number | undefined, indent = ''): string {
  if (width === undefined) return text;
  let line = '';
  let whole = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      whole += `${line}\n`;
      line = `${indent}${word}`;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return whole + line;
}
