import type { Failure } from '../../errors.js';
import { printable } from '../printable.js';

/** What `--json` writes where there is no answer: still one line, still a boolean `safe`. */
export function renderFailureJson({ code, message, response }: Failure): string {
  return `${printable(JSON.stringify({ safe: false, error: { code, message, response } }))}\n`;
}
