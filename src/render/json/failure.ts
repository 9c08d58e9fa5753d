import type { Failure } from '../../errors.js';
import { stringifyExactJson } from '../../shared/exact-json.js';
import { printable } from '../printable.js';

/** What `--json` writes where there is no answer: still one line, still a boolean `safe`. */
export function renderFailureJson({ code, message, response }: Failure): string {
  return `${printable(stringifyExactJson({ safe: false, error: { code, message, response } }))}\n`;
}
