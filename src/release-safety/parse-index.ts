import { isRecord } from '../shared/is-record.js';
import { findDuplicateKey } from '../shared/json-scan.js';
import { describeMisfit } from '../shared/quote.js';
import { quoteForMessage, ReleaseSafetyError } from './errors.js';
import type { IndexEntry, Verdict } from './index-schema.js';
import { isDateTime, parseJsonText, unsupportedSchema } from './json-text.js';
import { type PublishedIndex, readPublishedForm } from './published-form.js';
import type { AppliedIssue, IssueEffect } from './results.js';
import { compareVersions, isVersion, type Version } from './version.js';

const version = 'a version X.Y.Z';
const dateTime = 'an ISO 8601 date-time';

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
    { generatedAt, backfillFloorVersion }: Omit<PublishedIndex, 'entries'>,
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
 * A key that occurs twice in one object is refused: JSON.parse would keep the last, and so could turn a `false` that
 * comes first into a `true`.
 *
 * @throws {ReleaseSafetyError} `invalid-json`, and all that `parseReleaseSafetyIndex` throws
 */
export function parseReleaseSafetyIndexText(text: string): ReleaseSafetyIndex {
  const published = readPublishedForm(text);
  if (published !== undefined) return indexOf(published);
  const index = parseReleaseSafetyIndex(parseJsonText(text, 'the index'));
  const twice = findDuplicateKey(text);
  if (twice !== undefined) {
    throw new ReleaseSafetyError(
      'invalid-json',
      `the index holds an object with the key ${quoteForMessage(twice)} twice`,
    );
  }
  return index;
}

/**
 * Reads the parsed JSON of an index. It is strict in every documented field and ignores all others (the format is in
 * beta and grows). Entries may come in any order; the result has them oldest first. They are the objects of `json`
 * themselves, not copies: do not change them afterwards.
 *
 * @throws {ReleaseSafetyError} `unsupported-schema-version`, or `invalid-index` naming the entry and field at fault
 */
export function parseReleaseSafetyIndex(json: unknown): ReleaseSafetyIndex {
  if (!isRecord(json)) throw invalid('the index', 'a JSON object', json);
  if (json.schemaVersion !== '1') {
    throw unsupportedSchema(json.schemaVersion, 'index schemaVersion "1"');
  }
  const { generatedAt, backfillFloorVersion, entries } = json;
  if (!isDateTime(generatedAt)) throw invalid('generatedAt', dateTime, generatedAt);
  if (!isVersionOrNull(backfillFloorVersion)) {
    throw invalid('backfillFloorVersion', `${version} or null`, backfillFloorVersion);
  }
  if (!Array.isArray(entries)) throw invalid('entries', 'a list of releases', entries);

  return indexOf({ generatedAt, backfillFloorVersion, entries: readEntries(entries) });
}

function indexOf({ entries, ...published }: PublishedIndex): ReleaseSafetyIndex {
  if (entries.length > mostEntries) {
    throw new ReleaseSafetyError(
      'invalid-index',
      `entries: expected at most ${mostEntries} releases, got ${entries.length}`,
    );
  }
  const ordered = oldestFirst(entries);
  if (!isNonEmpty(ordered)) throw new ReleaseSafetyError('invalid-index', 'entries is empty');
  return new ParsedIndex(published, ordered, noKnownIssues);
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

function isNonEmpty<T>(list: readonly T[]): list is NonEmpty<T> {
  return list.length > 0;
}

function readEntries(entries: readonly unknown[]): IndexEntry[] {
  const releases: IndexEntry[] = [];
  for (const entry of entries) {
    if (!isEntry(entry)) throw faultOf(entry, releases.length);
    releases.push(entry);
  }
  return releases;
}

/** A field, what it must be, and the words for that in a message. */
type Field = readonly [name: string, is: (value: unknown) => boolean, expected: string];

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

const headFields: readonly Field[] = [
  ['schemaVersion', (value) => value === '1', '"1"'],
  ['generatedAt', isDateTime, dateTime],
  ['backfillFloorVersion', isVersionOrNull, `${version} or null`],
  ['entries', Array.isArray, 'a list of releases'],
  ['entries', (value) => !Array.isArray(value) || value.length > 0, 'at least one release'],
  [
    'entries',
    (value) => !Array.isArray(value) || value.length <= mostEntries,
    `at most ${mostEntries} releases`,
  ],
];

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
  return isRecord(json)
    ? misfitsIn(json, headFields, '')
    : [{ field: 'the index', expected: 'a JSON object', value: json }];
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

/** Everything that is wrong with an entry of the index; the stops, which may be many, come last. */
export function* misfitsOf(entry: unknown, position: number): Generator<Misfit> {
  const at = `entries[${position}]`;
  if (!isRecord(entry)) {
    yield { field: at, expected: 'a release', value: entry };
    return;
  }
  const stops = Array.isArray(entry.requiredStops) ? entry.requiredStops : undefined;
  const fields = entryFields.filter(([name]) => stops === undefined || name !== 'requiredStops');
  yield* misfitsIn(entry, fields, `${at}.`);
  for (const [i, stop] of stops?.entries() ?? []) {
    if (!isVersion(stop)) yield { field: `${at}.requiredStops[${i}]`, expected: version, value: stop };
  }
}

function faultOf(entry: unknown, position: number): ReleaseSafetyError {
  const [first] = misfitsOf(entry, position);
  return first === undefined
    ? invalid(`entries[${position}]`, 'a release', entry)
    : invalid(first.field, first.expected, first.value);
}

function isVersionOrNull(value: unknown): value is Version | null {
  return value === null || isVersion(value);
}

function isVersionList(value: unknown): value is Version[] {
  return Array.isArray(value) && value.every(isVersion);
}

function isVerdict(value: unknown): value is Verdict {
  return value === true || value === false || value === 'unknown';
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
  const positions = new Map<string, number>();
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

function invalid(field: string, expected: string, actual: unknown): ReleaseSafetyError {
  return new ReleaseSafetyError('invalid-index', `${field}: ${describeMisfit(expected, actual)}`);
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
