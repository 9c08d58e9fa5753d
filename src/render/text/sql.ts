import { printableLines } from '../printable.js';

/** Compiled SQL, ready for a file or another program. */
export function renderSql(sql: string): string {
  const text = printableLines(sql);
  return text.endsWith('\n') ? text : `${text}\n`;
}
