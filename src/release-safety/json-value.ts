import { isRecord } from '../shared/is-record.js';
import { quoteForMessage } from './errors.js';
import * as patterns from './patterns.js';

/** What a reader of parsed JSON asks of a value, and how a message names the value it got. */

export function isDateTime(value: unknown): value is string {
  return typeof value === 'string' && patterns.dateTime.test(value);
}

export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'an array';
  return isRecord(value) ? 'an object' : quoteForMessage(value);
}
