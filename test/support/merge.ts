import type { Parsed } from '../../src/merge-query/parse-with.js';
import { formatPath } from '../../src/merge-query/schema-problem.js';

/** What was found wrong, a line each: `path: message`. */
export function problemsOf(parsed: Parsed<unknown>): string[] {
  return parsed.ok ? [] : parsed.problems.map(({ path, message }) => `${formatPath(path)}: ${message}`);
}
