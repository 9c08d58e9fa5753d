import { isRecord } from '../json/is-record.js';
import { findDuplicateKey } from '../json/json-scan.js';
import { parseJson } from '../json/json-text.js';
import { parseWith } from '../json/parse-with.js';
import { formatPath, type SchemaProblem } from '../json/schema-problem.js';
import type { IndexFault } from '../results.js';
import { compareVersions, isVersion, type Version } from '../version.js';
import { type IndexEntry, indexEntrySchema } from './index-schema.js';
import { indexHeadSchema } from './parse-index.js';
import { type IndexHead, mostEntries } from './release-safety-index.js';

export type { IndexFault };

/** The faults found in an index, and the number of its entries. */
export interface IndexAudit {
  /** ISO 8601; undefined if the index does not state it in that form. */
  readonly generatedAt: string | undefined;
  readonly entries: number;
  readonly faults: readonly IndexFault[];
  readonly faultCount: number;
}

/**
 * Finds every fault of the text of an index, as `auditIndex` finds those of its JSON.
 *
 * @throws {LightspanError} `invalid-json`
 */
export function auditIndexText(text: string): IndexAudit {
  const audit = auditIndex(parseJson(text, 'the index'));
  const key = findDuplicateKey(text);
  if (key === undefined) return audit;
  const faults: IndexFault[] = [{ kind: 'duplicate-key', key }, ...audit.faults];
  return { ...audit, faults, faultCount: faults.length };
}

/**
 * Finds every fault of an index, while `parseReleaseSafetyIndex` stops at the first and ignores what it does not need
 * for an answer. An invalid entry counts as present, and is not compared with its neighbours.
 *
 * @param json the parsed JSON of an index
 */
export function auditIndex(json: unknown): IndexAudit {
  const read = parseWith(indexHeadSchema, json);
  const head = read.ok ? read.value : undefined;
  const list: readonly unknown[] = isRecord(json) && Array.isArray(json.entries) ? json.entries : [];
  const faults = [
    ...(read.ok ? [] : read.problems.map((problem) => invalidField(problem))),
    ...findInEntries(list.slice(0, mostEntries), head),
  ];
  return { generatedAt: head?.generatedAt, entries: list.length, faults, faultCount: faults.length };
}

function* findInEntries(list: readonly unknown[], head: IndexHead | undefined): Generator<IndexFault> {
  const placed: PlacedEntry[] = [];
  const versions = new Set<Version>();
  for (const [position, value] of list.entries()) {
    if (isRecord(value) && isVersion(value.version)) versions.add(value.version);
    const read = parseWith(indexEntrySchema, value);
    if (read.ok) placed.push({ position, entry: read.value });
    else for (const problem of read.problems) yield invalidField(problem, ['entries', position]);
  }
  yield* findDisorder(placed);
  yield* findDuplicates(placed);
  const releases = oldestFirst(placed);
  for (const [i, release] of releases.entries()) {
    const before = releases[i - 1];
    if (before !== undefined) yield* findBreaks(before, release, versions);
    yield* findUnmeetable(release, versions);
    if (release.backfilled && release.rollingUpdateSafe === true) {
      yield { kind: 'backfilled-true', version: release.version };
    }
  }
  if (head === undefined) return;
  yield* findFloorFaults(releases, head);
  for (const { version, releaseDate } of releases) {
    if (Date.parse(releaseDate) > Date.parse(head.generatedAt)) {
      yield { kind: 'dated-after-index', version, releaseDate, generatedAt: head.generatedAt };
    }
  }
}

function invalidField({ path, message }: SchemaProblem, at: SchemaProblem['path'] = []): IndexFault {
  return { kind: 'invalid-field', field: formatPath([...at, ...path]) || 'the index', fault: message };
}

interface PlacedEntry {
  readonly position: number;
  readonly entry: IndexEntry;
}

function* findDisorder(placed: readonly PlacedEntry[]): Generator<IndexFault> {
  let newest: Version | undefined;
  for (const { position, entry } of placed) {
    if (newest !== undefined && compareVersions(entry.version, newest) < 0) {
      yield { kind: 'disorder', version: entry.version, after: newest, position };
    } else newest = entry.version;
  }
}

function* findDuplicates(placed: readonly PlacedEntry[]): Generator<IndexFault> {
  const positionsOf = new Map<Version, number[]>(placed.map(({ entry }) => [entry.version, []]));
  for (const { position, entry } of placed) positionsOf.get(entry.version)?.push(position);
  for (const [version, positions] of positionsOf) {
    if (positions.length > 1) yield { kind: 'duplicate', version, positions };
  }
}

/** Each version once; of duplicates, the first. */
function oldestFirst(placed: readonly PlacedEntry[]): IndexEntry[] {
  const first = new Map(placed.toReversed().map(({ entry }) => [entry.version, entry]));
  return [...first.values()].sort((a, b) => compareVersions(a.version, b.version));
}

/** The places where one release does not follow the other, in version or in time. */
function* findBreaks(
  before: IndexEntry,
  release: IndexEntry,
  versions: ReadonlySet<Version>,
): Generator<IndexFault> {
  const { version, previousVersion, releaseDate } = release;
  const followsInvalidEntry =
    previousVersion !== null &&
    versions.has(previousVersion) &&
    compareVersions(previousVersion, before.version) > 0 &&
    compareVersions(previousVersion, version) < 0;
  if (previousVersion !== before.version && !followsInvalidEntry) {
    yield { kind: 'gap', version, previousVersion, before: before.version };
  }
  if (Date.parse(releaseDate) < Date.parse(before.releaseDate)) {
    const dateBefore = before.releaseDate;
    yield { kind: 'date-backwards', version, releaseDate, before: before.version, dateBefore };
  }
}

/** Stops and minimums that no upgrade to this release can meet. */
function* findUnmeetable(release: IndexEntry, versions: ReadonlySet<Version>): Generator<IndexFault> {
  const { version, requiredStops, minPreviousVersion: minimum } = release;
  for (const stop of new Set(requiredStops)) {
    if (compareVersions(stop, version) > 0) yield { kind: 'later-stop', version, stop };
    else if (!versions.has(stop)) yield { kind: 'unknown-stop', version, stop };
  }
  if (minimum === null) return;
  if (compareVersions(minimum, version) >= 0) yield { kind: 'later-minimum', version, minimum };
  else if (!versions.has(minimum)) yield { kind: 'unknown-minimum', version, minimum };
}

function* findFloorFaults(
  releases: readonly IndexEntry[],
  { backfillFloorVersion: floor }: IndexHead,
): Generator<IndexFault> {
  if (floor !== null) {
    const atFloor = releases.find(({ version }) => version === floor);
    if (atFloor === undefined) yield { kind: 'floor-missing', floor };
    else if (!atFloor.syntheticRequiredStop) yield { kind: 'floor-not-marked', floor };
  }
  for (const { version, syntheticRequiredStop } of releases) {
    if (syntheticRequiredStop && version !== floor) yield { kind: 'marked-beside-floor', version, floor };
    if (floor !== null && compareVersions(version, floor) < 0) yield { kind: 'below-floor', version, floor };
  }
}
