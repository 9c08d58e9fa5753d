import * as z from 'zod/mini';
import { describeFactKind, factKindOf, factNames, readFactValue } from '../facts/fact-names.js';
import { quoteForMessage, ReleaseSafetyError } from '../release-safety/errors.js';
import { dateTimeSchema, issueEffectSchema, versionSchema } from '../release-safety/field-schemas.js';
import { compareVersions } from '../release-safety/version.js';
import { isInFuture } from '../shared/in-future.js';
import { isRecord } from '../shared/is-record.js';
import { parseWith } from '../shared/parse-with.js';
import { formatPath, type SchemaProblem } from '../shared/schema-problem.js';

/**
 * A known issue: what became known of a release after its verdict was published. Its terms are OSV's where OSV has
 * them. Types and JSON Schema are derived from this declaration.
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

/** One fault of a record, and the path to it. */
export type RecordFault = Pick<SchemaProblem, 'path'> & { readonly fault: string };

/**
 * Reads known issues: one record, or a set of them. Everything in a record decides, so everything is strict: unknown
 * keys, facts and words, ranges without any release, and stops out of order are all refused.
 *
 * @param now if given, a record that was published or modified later is refused: of two records of an id, the one
 *   modified last counts, and one from the future would count for ever
 * @throws {ReleaseSafetyError} `invalid-known-issue`, naming the first fault
 */
export function parseKnownIssues(json: unknown, now?: Date): readonly KnownIssue[] {
  const [first] = faultsOfKnownIssues(json, now);
  if (first !== undefined) throw new ReleaseSafetyError('invalid-known-issue', describeRecordFault(first));
  return isSet(json) ? (json as KnownIssueSet).records : [json as KnownIssue];
}

/** Every fault of a record or of a set; empty if all records can be trusted. */
export function faultsOfKnownIssues(json: unknown, now?: Date): RecordFault[] {
  const read = isSet(json) ? parseWith(recordSetSchema, json) : parseWith(recordSchema, json);
  if (!read.ok) return read.problems.map(({ path, message }) => ({ path, fault: message }));
  if (!('records' in read.value)) return faultsOfRecord(read.value, now);
  const { records } = read.value;
  return records.flatMap((record, i) =>
    [...faultsOfRecord(record, now), ...faultsBeside(records.slice(0, i), record)].map(({ path, fault }) => ({
      path: ['records', i, ...path],
      fault,
    })),
  );
}

/** The fault on one line, such as `effect.stops[1]: 1.124.0 is not newer than 1.125.0 before it`. */
export function describeRecordFault({ path, fault }: RecordFault): string {
  return path.length === 0 ? fault : `${formatPath(path)}: ${fault}`;
}

function isSet(json: unknown): boolean {
  return isRecord(json) && 'records' in json;
}

/** A record that another one of its set replaces was probably meant to have another id. */
function faultsBeside(before: readonly KnownIssue[], { id, modified }: KnownIssue): RecordFault[] {
  const isVoid = before.some(
    (other) => other.id === id && Date.parse(other.modified) !== Date.parse(modified),
  );
  const fault = `${id} is listed twice, and only the one modified last would count`;
  return isVoid ? [{ path: ['id'], fault }] : [];
}

/** The faults of a record that matches the schema. */
function faultsOfRecord(record: KnownIssue, now: Date | undefined): RecordFault[] {
  const { affected, conditions, effect, fromBefore, modified, published, when, withdrawn } = record;
  const faults: RecordFault[] = [];
  if (effect.kind === 'avoid-landing' && when !== 'landing') {
    faults.push({ path: ['when'], fault: `only a landing can be avoided, not ${when}` });
  }
  if (fromBefore === true && when !== 'landing') {
    faults.push({ path: ['fromBefore'], fault: `only a landing can be reached from before, not ${when}` });
  }
  for (const [i, { introduced, fixed }] of affected.entries()) {
    if (fixed !== undefined && compareVersions(introduced, fixed) >= 0) {
      faults.push({
        path: ['affected', i],
        fault: `no release is from ${introduced} on and before ${fixed}`,
      });
    }
  }
  for (const [i, condition] of conditions.entries()) {
    const fault = faultOfCondition(condition) ?? contradictionIn(conditions.slice(0, i + 1), condition);
    if (fault !== undefined) faults.push({ path: ['conditions', i], fault });
  }
  if (effect.kind === 'required-stops') {
    for (const [i, stop] of effect.stops.entries()) {
      const before = effect.stops[i - 1];
      if (before !== undefined && compareVersions(before, stop) >= 0) {
        faults.push({ path: ['effect', 'stops', i], fault: `${stop} is not newer than ${before} before it` });
      }
    }
  }
  for (const [name, date] of Object.entries({ modified, withdrawn })) {
    if (date !== undefined && Date.parse(date) < Date.parse(published)) {
      faults.push({ path: [name], fault: `${date} is before published, ${published}` });
    }
  }
  for (const [name, date] of Object.entries({ published, modified })) {
    if (now !== undefined && isInFuture(date, now)) {
      faults.push({ path: [name], fault: `${date} is in the future: it is ${now.toISOString()} here` });
    }
  }
  return faults;
}

function faultOfCondition(condition: Condition): string | undefined {
  const kind = factKindOf(condition.fact);
  if (kind === undefined) {
    return `there is no fact ${quoteForMessage(condition.fact)}; the facts are ${factNames.join(', ')}`;
  }
  if ('is' in condition) {
    if (kind.kind !== 'word') return `${condition.fact} wants "atLeast" or "below", not "is"`;
    return readFactValue(kind, condition.is) === undefined
      ? `${condition.fact} is ${describeFactKind(kind)}, not ${quoteForMessage(condition.is)}`
      : undefined;
  }
  if (kind.kind === 'word') return `${condition.fact} wants "is"`;
  const bounds = [condition.atLeast, condition.below].filter((bound) => bound !== undefined);
  if (bounds.length === 0) return `${condition.fact} wants "atLeast" or "below"`;
  const wanted = kind.kind === 'count' ? 'number' : 'string';
  return bounds.every((bound) => typeof bound === wanted)
    ? undefined
    : `${condition.fact} is bound by ${wanted === 'number' ? 'whole numbers' : 'versions'}`;
}

/** A condition that no value of the fact meets would silently disable the record. */
function contradictionIn(conditions: readonly Condition[], { fact }: Condition): string | undefined {
  const ofFact = conditions.filter((condition) => condition.fact === fact);
  const words = new Set(ofFact.flatMap((condition) => ('is' in condition ? [condition.is] : [])));
  const ranges = ofFact.flatMap((condition) => ('is' in condition ? [] : [condition]));
  const isEmpty = ranges.some(({ atLeast }) =>
    ranges.some(({ below }) => atLeast !== undefined && below !== undefined && !isLess(atLeast, below)),
  );
  return words.size > 1 || isEmpty ? `no value of ${fact} meets all conditions on it` : undefined;
}

type Bound = NonNullable<Extract<Condition, { atLeast?: unknown }>['atLeast']>;

/** Bounds of different kinds are already reported as a fault. */
function isLess(a: Bound, b: Bound): boolean {
  return typeof a === 'string' && typeof b === 'string' ? compareVersions(a, b) < 0 : a < b;
}
