import type { Failure } from '../../errors.js';

/** What `--json` writes where there is no answer: still one line, still a boolean `safe`. */
export function renderFailureJson({ code, message }: Failure): string {
  return `${JSON.stringify({ safe: false, error: { code, message } })}\n`;
}
