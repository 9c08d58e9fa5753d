import type { GreenSpan, IndexSummary } from '../results.js';
import { evaluateSpan, firstNewerThan } from '../span.js';
import type { Version } from '../version.js';
import type { IndexEntry } from './index-schema.js';
import type { ReleaseSafetyIndex } from './release-safety-index.js';

export type { GreenSpan, IndexSummary };

/** Which index an answer used. */
export interface UsedIndex {
  /** A URL without its password, or the path of a file. */
  readonly source: string;
  /** ISO 8601. */
  readonly generatedAt: string;
  readonly latestVersion: Version;
  /** Of its bytes, in lower-case hexadecimal digits. */
  readonly sha256: string;
}

/** How many releases an index has, from which to which, and how many of each verdict. */
export function summarizeIndex(index: ReleaseSafetyIndex): IndexSummary {
  const { entries, generatedAt, backfillFloorVersion } = index;
  const countOf = (verdict: boolean | 'unknown') =>
    entries.filter(({ rollingUpdateSafe }) => rollingUpdateSafe === verdict).length;
  return {
    generatedAt,
    releases: entries.length,
    firstVersion: entries[0].version,
    latestVersion: latestVersionOf(index),
    floorVersion: backfillFloorVersion,
    verdicts: { true: countOf(true), false: countOf(false), unknown: countOf('unknown') },
    backfilled: entries.filter(({ backfilled }) => backfilled).length,
    newestGreenSpan: findNewestGreenSpan(index),
  };
}

export function latestVersionOf({ versions }: ReleaseSafetyIndex): Version {
  // An index has at least one.
  return versions.at(-1) as Version;
}

/** The longest green span that ends at the newest release to which any green step leads. */
function findNewestGreenSpan(index: ReleaseSafetyIndex): GreenSpan | null {
  const { entries } = index;
  const versionAt = (position: number) => (entries[position] ?? entries[0]).version;
  const isGreen = (from: number, to: number) =>
    evaluateSpan(index, { from: versionAt(from), to: versionAt(to) }).safe;

  let to = entries.length - 1;
  while (to > 0 && !isGreen(to - 1, to)) to--;
  if (to === 0) return null;

  // Whatever forbids a span forbids every longer one with the same end, so a binary search finds the start.
  let green = to;
  let notGreen = -1;
  while (green - notGreen > 1) {
    const middle = (green + notGreen) >>> 1;
    if (isGreen(middle, to)) green = middle;
    else notGreen = middle;
  }
  return { fromVersion: versionAt(green), toVersion: versionAt(to), releases: to - green };
}

/** The releases that are proven safe to roll to from a version in one step, oldest first. */
export function findProvenTargets(index: ReleaseSafetyIndex, from: Version): readonly IndexEntry[] {
  const targets: IndexEntry[] = [];
  for (const entry of index.entries.slice(firstNewerThan(index.versions, from))) {
    const { safe, verdict } = evaluateSpan(index, { from, to: entry.version });
    if (safe) targets.push(entry);
    // Verdicts compose by AND: no longer span is true again. But a stop or an issue may apply to this landing alone.
    if (verdict !== true) break;
  }
  return targets;
}
