import type { Failure } from '../../errors.js';
import { printable, printableLines } from '../printable.js';

/** What went wrong and what to do about it, for a person, on stderr. */
export function renderFailureText({ message, hint }: Failure): string {
  const error = `lightspan: ${printable(message)}\n`;
  return hint === undefined ? error : `${error}${printableLines(hint)}\n`;
}
