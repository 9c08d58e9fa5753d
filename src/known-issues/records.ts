import * as z from 'zod/mini';
import { isInFuture } from '../core/common/in-future.js';
import { dateTimeSchema, issueEffectSchema, versionSchema } from '../core/field-schemas.js';
import { isRecord } from '../core/json/is-record.js';
import { parseWith } from '../core/json/parse-with.js';
import { describeProblem, type SchemaProblem } from '../core/json/schema-problem.js';
import { LightspanError } from '../core/lightspan-error.js';
import { quote } from '../core/text/quote.js';
import { compareVersions } from '../core/version.js';
import { type FactKind, factKindOf, factNames } from '../instance/facts/fact-names.js';
import { isIssue, isOnWord } from './record-forms.js';

/**
 * A known issue: what became known of a release after its verdict was published. Its terms are OSV's where OSV has
 * them. Types and JSON Schema are derived from this declaration.
 *
 * Undeclared keys are refused, not ignored: a mistyped key would widen or narrow what the record takes back.
 */

const text = z.string().check(z.regex(/\S/, { error: 'expected a text' }));
const bound = z.union([z.int().check(z.nonnegative()), versionSchema]);

/** A fact of the instance under which the issue applies; `fact` is one of the names of `--fact`. */
const conditionSchema = z.union(
  [
    z.strictObject({ fact: text, is: text }),
    /** `atLeast` or more, and less than `below`; one of them may be absent. */
    z.strictObject({ fact: text, atLeast: z.optional(bound), below: z.optional(bound) }),
  ],
  { error: 'expected a fact with "is", or with "atLeast" or "below"' },
);

/** A range of releases of Lightdash, half-open; without `fixed`, nothing fixes it yet. */
const affectedSchema = z.strictObject({ introduced: versionSchema, fixed: z.optional(versionSchema) });

const idPattern = /^[a-z0-9](?:[a-z0-9-]{0,78}[a-z0-9])?$/;

/** The first keys of every record. */
const ofEvery = {
  id: z.string().check(z.regex(idPattern, { error: 'expected small letters, digits and -' })),
  aliases: z.array(text),
  summary: text,
  details: text,
  references: z.array(
    z.strictObject({
      type: z.enum(['ADVISORY', 'ARTICLE', 'DETECTION', 'DISCUSSION', 'REPORT', 'FIX', 'WEB']),
      url: text.check(z.regex(/^https:\/\/\S+$/, { error: 'expected an https address' })),
    }),
  ),
  published: dateTimeSchema,
  modified: dateTimeSchema,
  /** From this date on, the record takes nothing back. */
  withdrawn: z.optional(dateTimeSchema),
  affected: z.array(affectedSchema).check(z.minLength(1)),
};

/** All conditions must be met; a record without any always applies. An unknown fact counts as met. */
const conditionsSchema = z.array(conditionSchema);

const evidenceSchema = z.strictObject({
  /** `confirmed` by the publisher, or `reported` by users who had the problem. */
  certainty: z.enum(['confirmed', 'reported']),
  /** Why we say so, and what is not certain about it. */
  basis: text,
});

export const recordSchema = z.strictObject({
  schemaVersion: z.literal('1'),
  ...ofEvery,
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
  conditions: conditionsSchema,
  effect: issueEffectSchema,
  remedy: text,
  evidence: evidenceSchema,
});

/**
 * What a release changes for those whom it concerns, although nothing is wrong with it: it takes no yes away. It
 * applies where a span begins before a range and ends in it.
 */
export const noteSchema = z.strictObject({
  schemaVersion: z.literal('1'),
  kind: z.literal('note'),
  ...ofEvery,
  concerns: text,
  /** False: also for whoever runs a release of the range already. */
  fromBefore: z.optional(z.literal(false)),
  conditions: conditionsSchema,
  before: z.optional(text),
  after: z.optional(text),
  evidence: evidenceSchema,
});

/** The newest release whose problems the records may know of, and when they were last looked for. */
export const horizonSchema = z.strictObject({
  version: versionSchema,
  asOf: z.iso.date({ error: 'expected a date YYYY-MM-DD' }),
});

/** Records that are distributed together: those built in, and those of a mirror. */
export const recordSetSchema = z.strictObject({
  schemaVersion: z.literal('1'),
  publishedAt: z.optional(dateTimeSchema),
  knownThrough: z.optional(horizonSchema),
  records: z.array(recordSchema).check(z.minLength(1)),
  notes: z.optional(z.array(noteSchema)),
});

/** A file that says nothing but how far records reach. */
const horizonFileSchema = z.strictObject({ schemaVersion: z.literal('1'), knownThrough: horizonSchema });

/** A set of known issues, schemaVersion "1", as `parseKnownIssues` reads it. */
export type KnownIssueSet = Readonly<z.infer<typeof recordSetSchema>>;
/** One known issue, with the releases it affects and what it takes away. Dates are ISO 8601. */
export type KnownIssue = Readonly<z.infer<typeof recordSchema>>;
export type Note = Readonly<z.infer<typeof noteSchema>>;
export type KnownRecord = KnownIssue | Note;
export type Horizon = Readonly<z.infer<typeof horizonSchema>>;
export type Condition = z.infer<typeof conditionSchema>;

export type RecordFault = Pick<SchemaProblem, 'path'> & { readonly fault: string };

/** What is read at one place: records of either kind, and how far they reach. */
export interface ReadRecords {
  readonly records: readonly KnownRecord[];
  readonly knownThrough?: Horizon | undefined;
}

/**
 * Reads known issues: one record, or a set of them, with the keys of each in the order of the schema. Everything in a
 * record decides, so everything is strict: unknown keys, facts and words, ranges without any release, and stops out of
 * order are all refused.
 *
 * @param now if given, a record that was published or modified later is refused: of two records of an id, the one
 *   modified last counts, and one from the future would count for ever
 * @throws {LightspanError} `invalid-known-issue`, naming the first fault
 */
export function parseKnownIssues(json: unknown, now?: Date): readonly KnownIssue[] {
  return parseRecords(json, now).records.filter(isIssue);
}

/** The same with the notes, which take nothing away. */
export function parseRecords(json: unknown, now?: Date): ReadRecords {
  const { faults, ...read } = checkKnownIssues(json, now);
  if (faults[0] === undefined) return read;
  throw new LightspanError('invalid-known-issue', describeRecordFault(faults[0]));
}

/** All records of a record or of a set that match the schema, and every fault; only without any can they be trusted. */
export function checkKnownIssues(
  json: unknown,
  now?: Date,
): ReadRecords & { readonly faults: readonly RecordFault[] } {
  const read = readShape(json);
  if (!read.ok) {
    return { records: [], faults: read.problems.map(({ path, message }) => ({ path, fault: message })) };
  }
  if (!('knownThrough' in read.value || 'records' in read.value)) {
    return { records: [read.value], faults: [...faultsOfRecord(read.value, now)] };
  }
  const { knownThrough, records: issues = [], notes = [] } = { records: [], notes: [], ...read.value };
  const placed = [...placedIn('records', issues), ...placedIn('notes', notes)];
  const records = placed.map(({ record }) => record);
  const faults = placed.flatMap(({ record, at }, i) =>
    [...faultsOfRecord(record, now), ...faultsBeside(records.slice(0, i), record)].map(({ path, fault }) => ({
      path: [...at, ...path],
      fault,
    })),
  );
  return { records, knownThrough, faults: [...faults, ...faultsOfHorizon(knownThrough, now)] };
}

/** A day that is over nowhere yet: records would count as recent until it comes. */
function faultsOfHorizon(horizon: Horizon | undefined, now: Date | undefined): readonly RecordFault[] {
  if (horizon === undefined || now === undefined) return [];
  // West of Greenwich, it is an earlier day for half a day more.
  if (Date.parse(horizon.asOf) - now.getTime() <= 86_400_000) return [];
  const fault = `${horizon.asOf} is in the future: it is ${now.toISOString()} here`;
  return [{ path: ['knownThrough', 'asOf'], fault }];
}

function readShape(json: unknown) {
  if (!isRecord(json)) return parseWith(recordSchema, json);
  if ('records' in json) return parseWith(recordSetSchema, json);
  if ('knownThrough' in json) return parseWith(horizonFileSchema, json);
  return 'kind' in json ? parseWith(noteSchema, json) : parseWith(recordSchema, json);
}

function placedIn(key: 'records' | 'notes', records: readonly KnownRecord[]) {
  return records.map((record, i) => ({ record, at: [key, i] }));
}

/** The fault on one line, such as `effect.stops[1]: 1.124.0 is not newer than 1.125.0 before it`. */
export function describeRecordFault({ path, fault }: RecordFault): string {
  return describeProblem({ path, message: fault });
}

/** A record that another one of its set replaces was probably meant to have another id. */
function faultsBeside(before: readonly KnownRecord[], { id, modified }: KnownRecord): readonly RecordFault[] {
  const isVoid = before.some(
    (record) => record.id === id && Date.parse(record.modified) !== Date.parse(modified),
  );
  const fault = `${id} is listed twice, and only the one modified last would count`;
  return isVoid ? [{ path: ['id'], fault }] : [];
}

function* faultsOfRecord(record: KnownRecord, now: Date | undefined): Generator<RecordFault> {
  if (isIssue(record)) yield* faultsOfEffect(record);
  const { affected, conditions, modified, published, withdrawn } = record;
  for (const [i, { introduced, fixed }] of affected.entries()) {
    if (fixed !== undefined && compareVersions(introduced, fixed) >= 0) {
      yield { path: ['affected', i], fault: `no release is from ${introduced} on and before ${fixed}` };
    }
  }
  for (const [i, condition] of conditions.entries()) {
    const fault = faultOfCondition(condition) ?? contradictionIn(conditions.slice(0, i + 1), condition.fact);
    if (fault !== undefined) yield { path: ['conditions', i], fault };
  }
  for (const [name, date] of Object.entries({ modified, withdrawn })) {
    if (date !== undefined && Date.parse(date) < Date.parse(published)) {
      yield { path: [name], fault: `${date} is before published, ${published}` };
    }
  }
  for (const [name, date] of Object.entries({ published, modified })) {
    if (now !== undefined && isInFuture(date, now)) {
      yield { path: [name], fault: `${date} is in the future: it is ${now.toISOString()} here` };
    }
  }
}

function* faultsOfEffect({ effect, fromBefore, when }: KnownIssue): Generator<RecordFault> {
  if (effect.kind === 'avoid-landing' && when !== 'landing') {
    yield { path: ['when'], fault: `the effect avoid-landing needs when: landing, not ${when}` };
  }
  if (fromBefore === true && when !== 'landing') {
    yield { path: ['fromBefore'], fault: `fromBefore needs when: landing, not ${when}` };
  }
  const stops = effect.kind === 'required-stops' ? effect.stops : [];
  for (const [i, stop] of stops.entries()) {
    const before = stops[i - 1];
    if (before !== undefined && compareVersions(before, stop) >= 0) {
      yield { path: ['effect', 'stops', i], fault: `${stop} is not newer than ${before} before it` };
    }
  }
}

function faultOfCondition(condition: Condition): string | undefined {
  const kind = factKindOf(condition.fact);
  if (kind === undefined) {
    return `there is no fact ${quote(condition.fact)}; the facts are ${factNames.join(', ')}`;
  }
  if (kind.kind === 'time') return `${condition.fact} is no condition: it is a time`;
  const keys = kind.kind === 'word' ? '"is"' : '"atLeast" or "below"';
  return fitsKind(condition, kind) ? undefined : `${condition.fact} wants ${keys} with ${kind.expected}`;
}

function fitsKind(condition: Condition, kind: FactKind): boolean {
  if (isOnWord(condition)) return kind.kind === 'word' && kind.words.includes(condition.is);
  const bounds = [condition.atLeast, condition.below].filter((bound) => bound !== undefined);
  const type = { word: undefined, time: undefined, count: 'number', version: 'string' }[kind.kind];
  return bounds.length > 0 && bounds.every((bound) => typeof bound === type);
}

/** A condition that no value of the fact meets would silently disable the record. */
function contradictionIn(conditions: readonly Condition[], fact: string): string | undefined {
  const ofFact = conditions.filter((condition) => condition.fact === fact);
  const words = new Set(ofFact.filter(isOnWord).map((condition) => condition.is));
  const ranges = ofFact.flatMap((condition) => (isOnWord(condition) ? [] : [condition]));
  const isEmpty = ranges.some(({ atLeast }) =>
    ranges.some(({ below }) => atLeast !== undefined && below !== undefined && !isLess(atLeast, below)),
  );
  return words.size > 1 || isEmpty ? `no value of ${fact} meets all conditions on it` : undefined;
}

/** Bounds of different kinds are already reported as a fault. */
function isLess(a: z.infer<typeof bound>, b: z.infer<typeof bound>): boolean {
  return typeof a === 'string' && typeof b === 'string' ? compareVersions(a, b) < 0 : a < b;
}
