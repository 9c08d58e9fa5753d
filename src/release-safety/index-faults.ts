import { isRecord } from '../shared/is-record.js';
import { findDuplicateKey } from '../shared/json-scan.js';
import { describeMisfit } from '../shared/quote.js';
import type { IndexEntry, IndexFault } from './index-schema.js';
import { parseJsonText } from './json-text.js';
import {
  isEntry,
  type Misfit,
  misfitsOf,
  misfitsOfHead,
  mostEntries,
  type ReleaseSafetyIndex,
} from './parse-index.js';
import { compareVersions, isVersion, type Version } from './version.js';

export type { IndexFault };

/** The faults found in an index, and the number of its entries. */
export interface IndexAudit {
  /** ISO 8601; undefined if the index does not state it in that form. */
  readonly generatedAt: string | undefined;
  readonly entries: number;
  /**
   * At most the first 250,000: more than an index that has nothing but faults can have, and no more than memory holds.
   */
  readonly faults: readonly IndexFault[];
  /** The number of all faults, including those not in `faults`. */
  readonly faultCount: number;
}

/**
 * Finds every fault in the text of an index.
 *
 * @throws {ReleaseSafetyError} `invalid-json`
 */
export function auditIndexText(text: string): IndexAudit {
  const audit = auditIndex(parseJsonText(text, 'the index'));
  const key = findDuplicateKey(text);
  if (key === undefined) return audit;
  const faults: IndexFault[] = [{ kind: 'duplicate-key', key }];
  return { ...audit, faults: faults.concat(audit.faults), faultCount: audit.faultCount + 1 };
}

/**
 * Finds every fault of an index, while `parseReleaseSafetyIndex` stops at the first and ignores what it does not need
 * for an answer. An invalid entry counts as present, and is not compared with its neighbours.
 *
 * @param json the parsed JSON of an index
 */
export function auditIndex(json: unknown): IndexAudit {
  const wrongInHead = misfitsOfHead(json);
  const list = isRecord(json) && Array.isArray(json.entries) ? json.entries : [];
  const faults = new FaultList();
  for (const misfit of wrongInHead) faults.add(() => invalidField(misfit));
  const placed: PlacedEntry[] = [];
  const versions = new Set<Version>();
  for (const [position, value] of list.slice(0, mostEntries).entries()) {
    if (isRecord(value) && isVersion(value.version)) versions.add(value.version);
    const entry = readEntry(value, position, faults);
    if (entry !== undefined) placed.push({ position, entry });
  }
  faults.addAll(findDisorder(placed));
  faults.addAll(findDuplicates(placed));

  const releases = oldestFirst(placed);
  for (const [i, release] of releases.entries()) {
    const before = releases[i - 1];
    if (before !== undefined) faults.addAll(findBreaks(before, release, versions));
    faults.addAll(findUnmeetable(release, versions));
    if (release.backfilled && release.rollingUpdateSafe === true) {
      faults.add(() => ({ kind: 'backfilled-true', version: release.version }));
    }
  }
  const head = wrongInHead.length === 0 ? (json as Head) : undefined;
  if (head !== undefined) {
    faults.addAll(findFloorFaults(releases, head));
    faults.addAll(findLaterThanIndex(releases, head));
  }
  return {
    generatedAt: head?.generatedAt,
    entries: list.length,
    faults: faults.first,
    faultCount: faults.count,
  };
}

/** Counts every fault, and keeps as many as can be shown. */
class FaultList {
  readonly first: IndexFault[] = [];
  count = 0;

  add(make: () => IndexFault): void {
    this.count += 1;
    if (this.first.length < 250_000) this.first.push(make());
  }

  addAll(faults: readonly IndexFault[]): void {
    for (const fault of faults) this.add(() => fault);
  }
}

/** Returns a valid entry; adds the faults of an invalid one to `faults`. */
function readEntry(value: unknown, position: number, faults: FaultList): IndexEntry | undefined {
  if (isEntry(value)) return value;
  for (const misfit of misfitsOf(value, position)) faults.add(() => invalidField(misfit));
  return undefined;
}

function invalidField({ field, expected, value }: Misfit): IndexFault {
  return { kind: 'invalid-field', field, fault: describeMisfit(expected, value) };
}

type Head = Pick<ReleaseSafetyIndex, 'generatedAt' | 'backfillFloorVersion'>;

interface PlacedEntry {
  readonly position: number;
  readonly entry: IndexEntry;
}

function findDisorder(placed: readonly PlacedEntry[]): IndexFault[] {
  const faults: IndexFault[] = [];
  let newest: Version | undefined;
  for (const { position, entry } of placed) {
    if (newest !== undefined && compareVersions(entry.version, newest) < 0) {
      faults.push({ kind: 'disorder', version: entry.version, after: newest, position });
    } else newest = entry.version;
  }
  return faults;
}

function findDuplicates(placed: readonly PlacedEntry[]): IndexFault[] {
  const positionsOf = new Map<Version, number[]>();
  for (const { position, entry } of placed) {
    const positions = positionsOf.get(entry.version);
    if (positions === undefined) positionsOf.set(entry.version, [position]);
    else positions.push(position);
  }
  return [...positionsOf]
    .filter(([, positions]) => positions.length > 1)
    .map(([version, positions]) => ({ kind: 'duplicate', version, positions }));
}

/** Each version once; of duplicates, the first. */
function oldestFirst(placed: readonly PlacedEntry[]): IndexEntry[] {
  const first = new Map<Version, IndexEntry>();
  for (const { entry } of placed) if (!first.has(entry.version)) first.set(entry.version, entry);
  return [...first.values()].sort((a, b) => compareVersions(a.version, b.version));
}

/** The places where one release does not follow the other, in version or in time. */
function findBreaks(before: IndexEntry, release: IndexEntry, versions: ReadonlySet<Version>): IndexFault[] {
  const { version, previousVersion, releaseDate } = release;
  const faults: IndexFault[] = [];
  const followsInvalidEntry =
    previousVersion !== null &&
    versions.has(previousVersion) &&
    compareVersions(previousVersion, before.version) > 0 &&
    compareVersions(previousVersion, version) < 0;
  if (previousVersion !== before.version && !followsInvalidEntry) {
    faults.push({ kind: 'gap', version, previousVersion, before: before.version });
  }
  if (Date.parse(releaseDate) < Date.parse(before.releaseDate)) {
    faults.push({
      kind: 'date-backwards',
      version,
      releaseDate,
      before: before.version,
      dateBefore: before.releaseDate,
    });
  }
  return faults;
}

/** Stops and minimums that no upgrade to this release can meet. */
function findUnmeetable(release: IndexEntry, versions: ReadonlySet<Version>): IndexFault[] {
  const { version, requiredStops, minPreviousVersion: minimum } = release;
  const faults: IndexFault[] = [];
  for (const stop of new Set(requiredStops)) {
    if (compareVersions(stop, version) > 0) faults.push({ kind: 'later-stop', version, stop });
    else if (!versions.has(stop)) faults.push({ kind: 'unknown-stop', version, stop });
  }
  if (minimum === null) return faults;
  if (compareVersions(minimum, version) >= 0) faults.push({ kind: 'later-minimum', version, minimum });
  else if (!versions.has(minimum)) faults.push({ kind: 'unknown-minimum', version, minimum });
  return faults;
}

function findFloorFaults(
  releases: readonly IndexEntry[],
  { backfillFloorVersion: floor }: Head,
): IndexFault[] {
  const faults: IndexFault[] = [];
  if (floor !== null) {
    const atFloor = releases.find(({ version }) => version === floor);
    if (atFloor === undefined) faults.push({ kind: 'floor-missing', floor });
    else if (!atFloor.syntheticRequiredStop) faults.push({ kind: 'floor-not-marked', floor });
  }
  for (const { version, syntheticRequiredStop } of releases) {
    if (syntheticRequiredStop && version !== floor)
      faults.push({ kind: 'marked-beside-floor', version, floor });
    if (floor !== null && compareVersions(version, floor) < 0)
      faults.push({ kind: 'below-floor', version, floor });
  }
  return faults;
}

function findLaterThanIndex(releases: readonly IndexEntry[], { generatedAt }: Head): IndexFault[] {
  return releases
    .filter(({ releaseDate }) => Date.parse(releaseDate) > Date.parse(generatedAt))
    .map(({ version, releaseDate }) => ({ kind: 'dated-after-index', version, releaseDate, generatedAt }));
}
