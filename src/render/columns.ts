import stringWidth from 'fast-string-width';

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
