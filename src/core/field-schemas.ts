import * as z from 'zod/mini';
import * as patterns from './kinds.js';

/**
 * The fields that index and artifact share, and their parts. `error` says what was expected; a message puts the name of
 * the field before it and the actual value after it.
 */

/** A schema with its own JSON Schema. */
export function described<T extends z.ZodMiniType>(schema: T, text: string): T {
  return schema.check(z.describe(text));
}

/** One member of a union, by its `kind`. */
export function variant<Kind extends string, Shape extends z.core.$ZodShape>(kind: Kind, shape: Shape) {
  return z.extend(z.strictObject({ kind: z.literal(kind) }), shape);
}

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

/** Exactly `X.Y.Z`. Only readers of external input make this type; no other code checks it again. */
export type Version = z.infer<typeof versionSchema>;

function versionOr(error: string) {
  return z.string({ error }).check(z.regex(patterns.releaseVersion)).brand<'Version'>();
}

/**
 * What a known issue takes away. Every effect takes away the yes of a span. In a route:
 * - `avoid-landing`: the route lands elsewhere if it can;
 * - `required-stops`: each of the releases is installed on its own, in this order; of a step, only those that lie in
 *   it;
 * - `recreate`: no old pod runs next to a new one;
 * - `action-first`: the remedy comes before the hop;
 * - `long`: a downtime of another order of magnitude than for other releases.
 */
export const issueEffectSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('avoid-landing') }),
  z.strictObject({
    kind: z.literal('required-stops'),
    stops: versionsSchema.check(z.minLength(1, { error: 'expected a stop' })),
  }),
  z.strictObject({ kind: z.literal('recreate') }),
  z.strictObject({ kind: z.literal('action-first') }),
  /** What was seen, such as "4 hours for 1.4 million rows, then killed". */
  z.strictObject({
    kind: z.literal('long'),
    seen: z.string({ error: 'expected a text' }).check(z.regex(/\S/, { error: 'expected a text' })),
  }),
]);
