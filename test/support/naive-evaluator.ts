import semver from 'semver';
import type { LooseIndex } from './real-index.js';

/** Only what decides; everything else of an entry is left alone. */
interface Release {
  version: string;
  previousVersion: string | null;
  rollingUpdateSafe: boolean | 'unknown';
  requiredStops: string[];
  minPreviousVersion: string | null;
  backfilled: boolean;
  syntheticRequiredStop: boolean;
}

export interface NaiveResult {
  safe: boolean;
  verdict: boolean | 'unknown';
  jump: boolean | 'unknown';
  requiredStops: string[];
  minPreviousVersion: string | null;
  coveredVersions: string[];
  missing: string[];
}

/**
 * A second evaluator, written from the contract alone and as plainly as can be: it filters the whole list for every
 * question, orders with the semver package, and shares no code with the real one.
 */
export function evaluateNaively(json: LooseIndex, from: string, to: string): NaiveResult {
  const all = json.entries as unknown as Release[];
  const known = (version: string) => all.some((r) => r.version === version);
  const crossed = all
    .filter((r) => semver.gt(r.version, from) && semver.lte(r.version, to))
    .sort((a, b) => semver.compare(a.version, b.version));

  // Rule 7: both ends must be there, and each release must name the one before it, or the start.
  const chain = [from, ...crossed.map((r) => r.version)];
  if (!chain.includes(to)) chain.push(to);
  const missing = known(from) ? [] : [`${from}..${from}`];
  for (const [i, version] of chain.entries()) {
    const before = chain[i - 1];
    if (before === undefined) continue;
    const release = all.find((r) => r.version === version);
    if (release?.previousVersion !== before) missing.push(`${before}..${version}`);
  }

  // Rules 3 and 5: what is marked as a stop is one.
  const stopsOf = (r: Release) =>
    r.syntheticRequiredStop ? [...r.requiredStops, r.version] : r.requiredStops;
  const floor = json.backfillFloorVersion as string | null;
  const belowFloor = floor !== null && semver.lt(from, floor);
  const stops = [...(belowFloor ? [floor] : []), ...crossed.flatMap(stopsOf)];
  const requiredStops = [...new Set(stops)].filter((stop) => semver.gt(stop, from) && semver.lte(stop, to));

  // Rule 4.
  const minimums = crossed.flatMap((r) => r.minPreviousVersion ?? []).sort(semver.compare);
  const minPreviousVersion = minimums.at(-1) ?? null;
  const belowMinimum = minPreviousVersion !== null && semver.lt(from, minPreviousVersion);

  // Rules 1, 2 and 6: nothing rolls over a backfilled release.
  const covered = missing.length === 0;
  const anyFalse = crossed.some((r) => r.rollingUpdateSafe === false);
  const allTrue = crossed.every((r) => r.rollingUpdateSafe === true && !r.backfilled);
  const verdict = !covered ? 'unknown' : anyFalse ? false : allTrue ? true : 'unknown';

  const jump = belowFloor || requiredStops.length > 0 || belowMinimum ? false : covered ? true : 'unknown';
  return {
    safe: covered && allTrue && !belowFloor && requiredStops.length === 0 && !belowMinimum,
    verdict,
    jump,
    requiredStops,
    minPreviousVersion,
    coveredVersions: crossed.map((r) => r.version),
    missing,
  };
}
