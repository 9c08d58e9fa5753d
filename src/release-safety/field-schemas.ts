import * as z from 'zod/mini';
import * as patterns from './patterns.js';

/**
 * The fields that index and artifact share, and their parts. `error` says what was expected; a message puts the name of
 * the field before it and the actual value after it.
 */

export const versionSchema = versionOr('expected a version X.Y.Z');

export const nullableVersionSchema = z.nullable(versionOr('expected a version X.Y.Z or null'));

export const versionsSchema = z.array(versionSchema, { error: 'expected a list of versions' });

export const dateTimeSchema = z
  .string({ error: 'expected an ISO 8601 date-time' })
  .check(z.regex(patterns.dateTime));

export const countSchema = z.int().check(z.gte(0));

export const sha256Schema = z.string().check(z.regex(/^[0-9a-f]{64}$/));

export const booleanSchema = z.boolean({ error: 'expected true or false' });

export const verdictSchema = z.union([z.boolean(), z.literal('unknown')], {
  error: 'expected true, false or "unknown"',
});

/** What is known of a release or a span. Only `true` is a yes: `"unknown"` counts as `false` (span rule 1). */
export type Verdict = z.infer<typeof verdictSchema>;

/**
 * A release version, exactly `X.Y.Z`. Whatever reads one from outside makes this type; other code does not check again.
 */
export type Version = z.infer<typeof versionSchema>;

function versionOr(error: string) {
  return z.string({ error }).check(z.regex(patterns.releaseVersion)).brand<'Version'>();
}
