import { isRecord } from '../shared/is-record.js';
import { describeMisfit } from '../shared/quote.js';
import { ReleaseSafetyError } from './errors.js';
import type { IndexEntry, Verdict } from './index-schema.js';
import { isDateTime, parseJsonText, unsupportedSchema } from './json-text.js';
import { type PublishedIndex, readPublishedForm } from './published-form.js';
import type { AppliedIssue, IssueEffect } from './results.js';
import { compareVersions, isVersion, type Version } from './version.js';

/** Thirty times the releases of 2026. An index with more entries was made to take long. */
export const mostEntries = 110_000;

/**
 * An index that has been read and checked: every entry valid, none twice, oldest first. Only this file makes one, so no
 * other code needs to check it again.
 */
class ParsedIndex {
  readonly schemaVersion = '1';
  /** When the publisher made it, ISO 8601. */
  readonly generatedAt: string;
  /** The oldest release the index covers (span rule 5); null if it has no such floor. */
  readonly backfillFloorVersion: Version | null;
  readonly entries: NonEmpty<IndexEntry>;
  /** What became known since publication; the published index has none. */
  readonly knownIssues: KnownIssues;
  /** Neither an object of the same shape nor a copy has this field. */
  readonly #parsed = true;

  constructor(
    { generatedAt, backfillFloorVersion }: IndexHead,
    entries: NonEmpty<IndexEntry>,
    knownIssues: KnownIssues,
  ) {
    this.generatedAt = generatedAt;
    this.backfillFloorVersion = backfillFloorVersion;
    this.entries = entries;
    this.knownIssues = knownIssues;
  }

  static is(value: object): value is ParsedIndex {
    return #parsed in value;
  }
}

/** A checked index, as `parseReleaseSafetyIndex` makes it. */
export type ReleaseSafetyIndex = ParsedIndex;

type NonEmpty<T> = readonly [T, ...T[]];

/**
 * Reads the text of an index file.
 *
 * @throws {ReleaseSafetyError} `invalid-json`, and all that `parseReleaseSafetyIndex` throws
 */
export function parseReleaseSafetyIndexText(text: string): ReleaseSafetyIndex {
  const published = readPublishedForm(text);
  if (published !== undefined && published.entries.length <= mostEntries) return indexOf(published);
  return parseReleaseSafetyIndex(parseJsonText(text, 'the index'));
}

/**
 * Reads the parsed JSON of an index. It is strict in every documented field and ignores all others (the format is in
 * beta and grows). Entries may come in any order; the result has them oldest first. They are the objects of `json`
 * themselves, not copies: do not change them afterwards.
 *
 * @throws {ReleaseSafetyError} `unsupported-schema-version`, or `invalid-index` naming the entry and field at fault
 */
export function parseReleaseSafetyIndex(json: unknown): ReleaseSafetyIndex {
  if (isRecord(json) && json.schemaVersion !== '1') {
    throw unsupportedSchema(json.schemaVersion, 'index schemaVersion "1"');
  }
  if (!isHead(json)) throw invalid(misfitsOfHead(json));
  const entries = Array.from(json.entries, (entry, i) => {
    if (isEntry(entry)) return entry;
    throw invalid(misfitsOf(entry, i));
  });
  return indexOf({ ...json, entries });
}

function indexOf({ entries, ...head }: PublishedIndex): ReleaseSafetyIndex {
  const [first, ...others] = oldestFirst(entries);
  if (first === undefined) throw invalid(misfitsOfHead({ ...head, schemaVersion: '1', entries }));
  return new ParsedIndex(head, [first, ...others], noKnownIssues);
}

/** Whether a value is an index made by this file, and not just an object of the same shape. */
export function isParsedIndex(value: unknown): value is ReleaseSafetyIndex {
  return isRecord(value) && ParsedIndex.is(value);
}

/** What an entry states about its release. */
export type Claims = Partial<Omit<IndexEntry, 'version'>>;

/** The index with other claims about some of its releases. The releases and their order stay the same. */
export function withClaims(
  index: ReleaseSafetyIndex,
  claimsOf: (entry: IndexEntry) => Claims | undefined,
): ReleaseSafetyIndex {
  const change = (entry: IndexEntry) => {
    const claims = claimsOf(entry);
    return claims === undefined ? entry : { ...entry, ...claims, version: entry.version };
  };
  const [first, ...others] = index.entries;
  return new ParsedIndex(index, [change(first), ...others.map(change)], index.knownIssues);
}

/** The index with these known issues in place of those it had. */
export function withKnownIssues(index: ReleaseSafetyIndex, hold: HoldKnownIssues): ReleaseSafetyIndex {
  return new ParsedIndex(index, index.entries, hold(index.entries));
}

/** A field, what it must be, and the words for that in a message. */
type Field = readonly [name: string, is: (value: unknown) => boolean, expected: string];

const version = 'a version X.Y.Z';
const dateTime = 'an ISO 8601 date-time';

const fieldsOfEntry: Record<keyof IndexEntry, readonly [is: Field[1], expected: string]> = {
  version: [isVersion, version],
  previousVersion: [isVersionOrNull, `${version} or null`],
  releaseDate: [isDateTime, dateTime],
  rollingUpdateSafe: [isVerdict, 'true, false or "unknown"'],
  requiredStops: [isVersionList, 'a list of versions'],
  minPreviousVersion: [isVersionOrNull, `${version} or null`],
  backfilled: [isBoolean, 'true or false'],
  syntheticRequiredStop: [isBoolean, 'true or false'],
};

const entryFields = Object.entries(fieldsOfEntry).map(([name, field]): Field => [name, ...field]);

const countOf = (value: unknown) => (Array.isArray(value) ? value.length : 1);

const headFields: readonly Field[] = [
  ['schemaVersion', (value) => value === '1', '"1"'],
  ['generatedAt', isDateTime, dateTime],
  ['backfillFloorVersion', isVersionOrNull, `${version} or null`],
  ['entries', Array.isArray, 'a list of releases'],
  ['entries', (value) => countOf(value) > 0, 'at least one release'],
  ['entries', (value) => countOf(value) <= mostEntries, `at most ${mostEntries} releases`],
];

/** All of an index but its entries. */
export type IndexHead = Omit<PublishedIndex, 'entries'>;

export function isHead(json: unknown): json is IndexHead & { readonly entries: readonly unknown[] } {
  return misfitsOfHead(json).length === 0;
}

export function isEntry(entry: unknown): entry is IndexEntry {
  return isRecord(entry) && entryFields.every(([name, is]) => is(entry[name]));
}

/** A value that is not what it must be. */
export interface Misfit {
  readonly field: string;
  readonly expected: string;
  readonly value: unknown;
}

/** Everything that is wrong with an index besides its entries. */
export function misfitsOfHead(json: unknown): Misfit[] {
  if (!isRecord(json)) return [{ field: 'the index', expected: 'a JSON object', value: json }];
  return misfitsIn(json, headFields, '');
}

/** Everything that is wrong with an entry of the index; the stops, which may be many, come last. */
export function* misfitsOf(entry: unknown, position: number): Generator<Misfit> {
  const at = `entries[${position}]`;
  if (!isRecord(entry)) {
    yield { field: at, expected: 'a release', value: entry };
    return;
  }
  const { requiredStops: stops } = entry;
  const fields = entryFields.filter(([name]) => name !== 'requiredStops' || !Array.isArray(stops));
  yield* misfitsIn(entry, fields, `${at}.`);
  for (const [i, stop] of Array.isArray(stops) ? stops.entries() : []) {
    if (!isVersion(stop)) yield { field: `${at}.requiredStops[${i}]`, expected: version, value: stop };
  }
}

function misfitsIn(
  record: Readonly<Record<string, unknown>>,
  fields: readonly Field[],
  at: string,
): Misfit[] {
  return fields
    .filter(([name, is]) => !is(record[name]))
    .map(([name, , expected]) => ({ field: `${at}${name}`, expected, value: record[name] }));
}

function invalid(misfits: Iterable<Misfit>): ReleaseSafetyError {
  const [{ field, expected, value } = { field: 'the index', expected: 'an index', value: undefined }] =
    misfits;
  return new ReleaseSafetyError('invalid-index', `${field}: ${describeMisfit(expected, value)}`);
}

function isVersionOrNull(value: unknown): value is Version | null {
  return value === null || isVersion(value);
}

function isVersionList(value: unknown): value is Version[] {
  return Array.isArray(value) && value.every(isVersion);
}

function isVerdict(value: unknown): value is Verdict {
  return value === 'unknown' || isBoolean(value);
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

/** Refuses an index with two entries of one version: it would be open which verdict counts. */
function oldestFirst(releases: IndexEntry[]): IndexEntry[] {
  const isOrdered = releases.every(
    ({ version }, i) => i === 0 || compareVersions(releases[i - 1]?.version ?? version, version) < 0,
  );
  if (isOrdered) return releases;
  const positions = new Map<Version, number>();
  for (const [i, { version }] of releases.entries()) {
    const first = positions.get(version);
    if (first !== undefined) {
      throw new ReleaseSafetyError(
        'invalid-index',
        `entries[${i}].version: ${version} stands in the index twice, first as entries[${first}]`,
      );
    }
    positions.set(version, i);
  }
  return releases.sort((a, b) => compareVersions(a.version, b.version));
}

export type { AppliedIssue, IssueEffect };

/** A known issue of the upgrades that land on one release. */
export interface IssueOfLanding {
  readonly id: string;
  /** It applies, or may apply, to upgrades that begin before this version, and to no others. */
  readonly startsBefore: Version;
  readonly effect: IssueEffect['kind'];
  /** The issue as it applies to an upgrade from this version. */
  readonly appliedFrom: (from: Version) => AppliedIssue;
}

/** What is known against the releases of one index. */
export interface KnownIssues {
  readonly ofLanding: (to: Version) => readonly IssueOfLanding[];
}

/**
 * Computes the known issues for any index.
 *
 * @param entries the releases of the index, oldest first
 */
export type HoldKnownIssues = (entries: readonly Pick<IndexEntry, 'version'>[]) => KnownIssues;

/** No known issues: the answer is the publisher's alone. */
export const noKnownIssues: KnownIssues = { ofLanding: () => [] };
