import { isRecord } from '../shared/is-record.js';
import { quoteForMessage, ReleaseSafetyError } from './errors.js';
import * as patterns from './patterns.js';

/** Tests that readers of parsed JSON apply to a value, and how messages name it. */

export function isDateTime(value: unknown): value is string {
  return typeof value === 'string' && patterns.dateTime.test(value);
}

export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'an array';
  return isRecord(value) ? 'an object' : quoteForMessage(value);
}

/** @param what the kind of document and the version of it that is supported, such as `index schemaVersion "1"` */
export function unsupportedSchema(found: unknown, what: string): ReleaseSafetyError {
  return new ReleaseSafetyError(
    'unsupported-schema-version',
    `schemaVersion is ${describeValue(found)}; this version of lightspan reads ${what}`,
    found === undefined ? 'Look whether it is that file, and not another.' : 'A newer lightspan may read it.',
  );
}
