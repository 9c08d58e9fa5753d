import { describeValue } from '../shared/quote.js';
import { ReleaseSafetyError } from './errors.js';
import * as patterns from './patterns.js';

export function isDateTime(value: unknown): value is string {
  return typeof value === 'string' && patterns.dateTime.test(value);
}

/** @param what the kind of document and the version of it that is supported, such as `index schemaVersion "1"` */
export function unsupportedSchema(found: unknown, what: string): ReleaseSafetyError {
  return new ReleaseSafetyError(
    'unsupported-schema-version',
    `schemaVersion is ${describeValue(found)}; this version of lightspan reads ${what}`,
    found === undefined ? 'Look whether it is that file, and not another.' : 'A newer lightspan may read it.',
  );
}
