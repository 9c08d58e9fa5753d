import { ReleaseSafetyError } from './errors.js';
import type { IndexEntry, ReleaseSafetyIndex } from './index-schema.js';
import { hasDuplicateKeys } from './json-keys.js';
import { parseJsonText } from './json-text.js';
import { describeValue, isDateTime, isRecord } from './json-value.js';
import { compareVersions, isVersion } from './version.js';

/** The indexes made here, so that `evaluateSpan` can tell one from an object that merely looks like it. */
const parsedIndexes = new WeakSet<object>();

/**
 * Reads the text of an index file.
 *
 * A key that stands twice in one object is refused: JSON.parse would keep the last, and so could turn a `false`
 * that stands first into a `true`.
 *
 * @throws {ReleaseSafetyError} `invalid-json`, and all that `parseReleaseSafetyIndex` throws
 */
export function parseReleaseSafetyIndexText(text: string): ReleaseSafetyIndex {
  const index = parseReleaseSafetyIndex(parseJsonText(text, 'the index'));
  const keysOfPlainIndex = topLevelKeys + index.entries.length * keysOfEntry;
  if (hasDuplicateKeys(text, keysOfPlainIndex)) {
    throw new ReleaseSafetyError('invalid-json', 'the index holds an object with the same key twice');
  }
  return index;
}

/**
 * Reads the parsed JSON of an index, strictly in every documented field, past every other one (the format is in
 * beta and grows). Entries may come in any order; the result has them oldest first.
 *
 * @throws {ReleaseSafetyError} `unsupported-schema-version`, or `invalid-index` naming the entry and field at fault
 */
export function parseReleaseSafetyIndex(json: unknown): ReleaseSafetyIndex {
  if (!isRecord(json)) throw invalid('the index', 'a JSON object', json);
  if (json.schemaVersion !== '1') {
    throw new ReleaseSafetyError(
      'unsupported-schema-version',
      `schemaVersion is ${describeValue(json.schemaVersion)}; this version of lightspan reads index schemaVersion "1"`,
      'A newer lightspan may read it.',
    );
  }
  const { generatedAt, backfillFloorVersion, entries } = json;
  if (!isDateTime(generatedAt)) throw invalid('generatedAt', dateTime, generatedAt);
  if (!isVersion(backfillFloorVersion)) throw invalid('backfillFloorVersion', version, backfillFloorVersion);
  if (!Array.isArray(entries)) throw invalid('entries', 'an array of releases', entries);
  if (entries.length === 0) throw new ReleaseSafetyError('invalid-index', 'entries is empty');

  const releases = entries.map(readEntry);
  sortOldestFirst(releases);
  const index: ReleaseSafetyIndex = {
    schemaVersion: '1',
    generatedAt,
    backfillFloorVersion,
    entries: releases,
  };
  parsedIndexes.add(index);
  return index;
}

/** The index itself if it was made here, else the index read from it: nothing unchecked is ever evaluated. */
export function ensureParsed(index: ReleaseSafetyIndex): ReleaseSafetyIndex {
  return parsedIndexes.has(index) ? index : parseReleaseSafetyIndex(index);
}

const topLevelKeys = 4;
const keysOfEntry = 8;

const version = 'a version X.Y.Z';
const dateTime = 'an ISO 8601 date-time';

function readEntry(entry: unknown, position: number): IndexEntry {
  const at = (field: string) => `entries[${position}].${field}`;
  if (!isRecord(entry)) throw invalid(`entries[${position}]`, 'a release', entry);
  if (!isVersion(entry.version)) throw invalid(at('version'), version, entry.version);
  if (entry.previousVersion !== null && !isVersion(entry.previousVersion)) {
    throw invalid(at('previousVersion'), `${version} or null`, entry.previousVersion);
  }
  if (!isDateTime(entry.releaseDate)) throw invalid(at('releaseDate'), dateTime, entry.releaseDate);
  if (
    entry.rollingUpdateSafe !== true &&
    entry.rollingUpdateSafe !== false &&
    entry.rollingUpdateSafe !== 'unknown'
  ) {
    throw invalid(at('rollingUpdateSafe'), 'true, false or "unknown"', entry.rollingUpdateSafe);
  }
  if (!Array.isArray(entry.requiredStops)) {
    throw invalid(at('requiredStops'), 'an array of versions', entry.requiredStops);
  }
  for (const [i, stop] of entry.requiredStops.entries()) {
    if (!isVersion(stop)) throw invalid(at(`requiredStops[${i}]`), version, stop);
  }
  if (entry.minPreviousVersion !== null && !isVersion(entry.minPreviousVersion)) {
    throw invalid(at('minPreviousVersion'), `${version} or null`, entry.minPreviousVersion);
  }
  if (typeof entry.backfilled !== 'boolean')
    throw invalid(at('backfilled'), 'true or false', entry.backfilled);
  if (typeof entry.syntheticRequiredStop !== 'boolean') {
    throw invalid(at('syntheticRequiredStop'), 'true or false', entry.syntheticRequiredStop);
  }
  return {
    version: entry.version,
    previousVersion: entry.previousVersion,
    releaseDate: entry.releaseDate,
    rollingUpdateSafe: entry.rollingUpdateSafe,
    requiredStops: entry.requiredStops,
    minPreviousVersion: entry.minPreviousVersion,
    backfilled: entry.backfilled,
    syntheticRequiredStop: entry.syntheticRequiredStop,
  };
}

/** Two entries of one version leave open which verdict holds, so that index is refused. */
function sortOldestFirst(releases: IndexEntry[]): void {
  const inOrder = releases.every((release, i) => {
    const before = releases[i - 1];
    return before === undefined || compareVersions(before.version, release.version) < 0;
  });
  if (inOrder) return;
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
  releases.sort((a, b) => compareVersions(a.version, b.version));
}

function invalid(field: string, expected: string, actual: unknown): ReleaseSafetyError {
  return new ReleaseSafetyError(
    'invalid-index',
    `${field}: expected ${expected}, got ${describeValue(actual)}`,
  );
}
