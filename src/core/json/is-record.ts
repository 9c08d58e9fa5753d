import { isExactNumber } from './exact-json.js';

/** Whether a value is a JSON object: not an array, not a number, and not null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value);
}
