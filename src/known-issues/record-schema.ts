import * as z from 'zod/mini';
import { dateTimeSchema, versionSchema } from '../release-safety/field-schemas.js';
import { issueEffectSchema } from '../release-safety/issue-effect-schema.js';

/**
 * A known issue: what became known of a release after its verdict was published. Its terms are OSV's where OSV has
 * them. Types and JSON Schema are derived from this declaration; `parse-records.ts` reads it.
 *
 * Undeclared keys are refused, not ignored: a mistyped key would widen or narrow what the record takes back.
 */

/** The words for a value that is no such object; those for a key that it does not have are everyone's. */
const expecting = (what: string) => ({
  error: ({ code }: z.core.$ZodRawIssue) => (code === 'unrecognized_keys' ? undefined : `expected ${what}`),
});

const text = z.string().check(z.regex(/\S/, { error: 'expected a text' }));
const bound = z.union([z.int().check(z.nonnegative()), versionSchema]);

/** A fact of the instance under which the issue applies; `fact` is one of the names of `--fact`. */
export const conditionSchema = z.union(
  [
    z.strictObject({ fact: text, is: text }),
    /** `atLeast` or more, and less than `below`; one of them may be absent. */
    z.strictObject({ fact: text, atLeast: z.optional(bound), below: z.optional(bound) }),
  ],
  { error: 'expected a fact with "is", or with "atLeast" or "below"' },
);

/** A range of releases of Lightdash, half-open; without `fixed`, nothing fixes it yet. */
export const affectedSchema = z.strictObject(
  { introduced: versionSchema, fixed: z.optional(versionSchema) },
  expecting('a range of releases'),
);

export const recordSchema = z.strictObject(
  {
    schemaVersion: z.literal('1'),
    id: z
      .string({ error: 'expected an id' })
      .check(
        z.regex(/^[a-z0-9](?:[a-z0-9-]{0,78}[a-z0-9])?$/, { error: 'expected small letters, digits and -' }),
      ),
    /** Other names, such as `lightdash/lightdash#28668`. */
    aliases: z.array(text, { error: 'expected other names' }),
    summary: text,
    details: text,
    references: z.array(
      z.strictObject({
        type: z.enum(['ADVISORY', 'ARTICLE', 'DETECTION', 'DISCUSSION', 'REPORT', 'FIX', 'WEB']),
        url: text.check(z.regex(/^https:\/\/\S+$/, { error: 'expected an https address' })),
      }),
      { error: 'expected references' },
    ),
    published: dateTimeSchema,
    modified: dateTimeSchema,
    /** From this date on, the record takes nothing back. */
    withdrawn: z.optional(dateTimeSchema),
    affected: z
      .array(affectedSchema, { error: 'expected ranges of releases' })
      .check(z.minLength(1, { error: 'expected a range of releases' })),
    /**
     * `landing`: an affected release is installed and started. `crossing`: the span passes one, or lands on it.
     * `overlap`: old and new pods run at the same time, and one of the two is affected or passed.
     */
    when: z.enum(['landing', 'crossing', 'overlap']),
    /**
     * With `landing`: only if the running release is older than the range. Whoever runs a release of the range has what
     * is wrong with it behind them, such as a migration that its first release brought.
     */
    fromBefore: z.optional(z.boolean()),
    /** All of them must be met; without any, the issue always applies. What is not known counts as met. */
    conditions: z.array(conditionSchema, { error: 'expected conditions' }),
    effect: issueEffectSchema,
    /** In the imperative: what the operator does. */
    remedy: text,
    evidence: z.strictObject(
      {
        /** `confirmed` by the publisher, or `reported` by users who had the problem. */
        certainty: z.enum(['confirmed', 'reported']),
        /** Why we say so, and what is not certain about it. */
        basis: text,
      },
      expecting('evidence'),
    ),
  },
  expecting('the record of a known issue'),
);

/** Records that are distributed together: those built in, and those of a mirror. */
export const recordSetSchema = z.strictObject({
  schemaVersion: z.literal('1'),
  /** The date of the record modified last. */
  publishedAt: z.optional(dateTimeSchema),
  records: z.array(recordSchema, { error: 'expected records' }).check(z.minLength(1)),
});

/** A set of known issues, schemaVersion "1", as `parseKnownIssues` reads it. */
export type KnownIssueSet = Readonly<z.infer<typeof recordSetSchema>>;
/** One known issue, with the releases it affects and what it takes away. Dates are ISO 8601. */
export type KnownIssue = Readonly<z.infer<typeof recordSchema>>;
export type Condition = z.infer<typeof conditionSchema>;
