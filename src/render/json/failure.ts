import type { Failure } from '../../errors.js';
import { renderJsonLine } from './document.js';

/** What `--json` writes if there is no answer: still one line, still with a boolean `safe`. */
export function renderFailureJson({ code, message, response }: Failure): string {
  return renderJsonLine({ safe: false, error: { code, message, response } });
}
