import { type Strategy, strategyFor } from './deployment.js';
import type { IndexEntry, Verdict } from './index-schema.js';
import { latestVersionOf } from './index-summary.js';
import type { ReleaseSafetyIndex } from './parse-index.js';
import type { RouteTarget } from './route-target.js';
import {
  collectRequiredStops,
  evaluateSpan,
  firstNewerThan,
  type MissingRange,
  requireForward,
  type UnknownVerdict,
  verdictOf,
  whyUnknown,
} from './span.js';
import { compareVersions, type Version } from './version.js';

/** Where a route begins and what it should reach. */
export interface RouteRequest {
  readonly from: Version;
  readonly to: RouteTarget;
}

/** Why a hop lands where it lands. */
export type LandingReason = 'index-floor' | 'required-stop' | 'minimum-previous-version' | 'target';

/** One direct upgrade of a route. */
export interface RouteHop {
  readonly fromVersion: Version;
  readonly toVersion: Version;
  readonly reason: LandingReason;
  /**
   * The releases that demand this landing, oldest first: those that require the stop, or those whose minimum the
   * start of the hop does not meet and its landing does. Empty for the target.
   */
  readonly demandedBy: readonly Version[];
  /** What `evaluateSpan` says of the releases of this hop. */
  readonly verdict: Verdict;
  /** `RollingUpdate` only where every release is exactly true and the index covers the hop. */
  readonly strategy: Strategy;
  /** Whether the index covers every release of the hop, and the hop begins at or above the index floor. */
  readonly certified: boolean;
  /** The releases the hop crosses, exclusive of its start, inclusive of its landing, oldest first. */
  readonly releases: readonly Version[];
  readonly unsafeVersions: readonly Version[];
  readonly unknownVersions: readonly Version[];
  readonly missingRanges: readonly MissingRange[];
}

/** What stands in the way of the target, with the span rule that says so. */
export type RouteBlock = {
  /** The first release that cannot be reached, or the version that the index does not cover. */
  readonly version: Version;
  readonly verdict: Verdict;
  /** The newest release on the way that can be reached; the start itself where none can. */
  readonly reachableVersion: Version;
} & (
  | { readonly kind: 'missing-coverage'; readonly rule: 7; readonly range: MissingRange }
  | {
      readonly kind: 'required-stop';
      readonly rule: 3;
      readonly stop: Version;
      readonly demandedBy: readonly Version[];
    }
  | { readonly kind: 'below-index-floor'; readonly rule: 5; readonly floor: Version }
  | { readonly kind: 'below-minimum-version'; readonly rule: 4; readonly minimum: Version }
  | { readonly kind: 'unsafe-release'; readonly rule: 2 }
  | ({ readonly kind: 'unknown-release' } & UnknownVerdict)
);

/** The hops from one version to another, or what forbids them. */
export interface Route {
  readonly fromVersion: Version;
  /** The version the target stands for. For `latest-rolling` it is what rolling hops reach, `fromVersion` where that is nothing. */
  readonly toVersion: Version;
  readonly requestedTarget: RouteTarget;
  /** In order, each beginning where the one before it lands. All the way to `toVersion`, or none at all. */
  readonly hops: readonly RouteHop[];
  /** There is a route (or nothing to do), and the index covers every hop of it. */
  readonly certified: boolean;
  /** It is certified, and every hop is a rolling update. */
  readonly rolling: boolean;
  /** How many hops are a Recreate. */
  readonly recreateHops: number;
  /** Why there is no route; for `latest-rolling` why it goes no further. Null where nothing is in the way. */
  readonly blockedBy: RouteBlock | null;
}

/**
 * The route with the fewest hops, and among those the one whose landings are furthest.
 *
 * A hop may not pass over a required stop or over the index floor, and may not begin below the minimum of a release
 * it crosses (span rules 3 to 5). The stops are those of the whole span, not of the hop alone: rule 3 wants every stop
 * that any release of the span lists installed, and a route that lands between a stop and the release that lists it
 * would skip the stop although no single hop passes over both.
 *
 * Going as far as possible at every hop is best. A part of a hop that may be taken may itself be taken: it passes over
 * less and begins no lower. So the furthest landing after any number of hops is reached from the furthest landing
 * after one hop less, no other route is ahead at any hop, and none arrives with fewer. For the same reason a route
 * exists if and only if every release can be stepped to from the one right before it. Both take one pass.
 *
 * @throws {ReleaseSafetyError} `downgrade` for a version older than `from`
 */
export function planRoute(index: ReleaseSafetyIndex, { from, to: requestedTarget }: RouteRequest): Route {
  const to = resolveTarget(index, from, requestedTarget);
  const span = readSpan(index, from, to);
  const rollingOnly = requestedTarget === 'latest-rolling';
  const blockedBy = findBlock(span, { rollingOnly });
  const toVersion = rollingOnly && blockedBy !== null ? blockedBy.reachableVersion : to;
  const reached = blockedBy === null || rollingOnly;
  const hops = reached ? layHops(index, readSpan(index, from, toVersion)) : [];

  const certified = (blockedBy === null || hops.length > 0) && hops.every((hop) => hop.certified);
  const recreateHops = hops.filter((hop) => hop.strategy !== 'RollingUpdate').length;
  return {
    fromVersion: from,
    toVersion,
    requestedTarget,
    hops,
    certified,
    rolling: certified && recreateHops === 0,
    recreateHops,
    blockedBy,
  };
}

/** An index that ends before the version that runs says nothing of it; it does not lead back. */
function resolveTarget(index: ReleaseSafetyIndex, from: Version, target: RouteTarget): Version {
  if (target !== 'latest' && target !== 'latest-rolling') return target;
  const latest = latestVersionOf(index);
  return compareVersions(latest, from) > 0 ? latest : from;
}

/** @param maxHops undefined allows any number */
export function hasTooManyHops({ hops }: Pick<Route, 'hops'>, maxHops: number | undefined): boolean {
  return maxHops !== undefined && !(hops.length <= maxHops);
}

/** Whether a version that the index would hold, being no older than its floor, is none of its releases. */
export function isNoRelease(index: ReleaseSafetyIndex, version: Version): boolean {
  const { floor, holds } = readSpan(index, version, version);
  return floor === undefined && !holds(version);
}

/** The releases from one version to another, and what of the index bears on them. */
interface RouteSpan {
  readonly from: Version;
  readonly to: Version;
  /** Exclusive of `from`, inclusive of `to`, oldest first. */
  readonly releases: readonly IndexEntry[];
  /** The floor, where the span begins below it (span rule 5). */
  readonly floor: Version | undefined;
  /** Whether the index holds a release. */
  readonly holds: (version: Version) => boolean;
}

function readSpan(index: ReleaseSafetyIndex, from: Version, to: Version): RouteSpan {
  const { entries, backfillFloorVersion: floor } = index;
  requireForward({ from, to });
  return {
    from,
    to,
    releases: entries.slice(firstNewerThan(entries, from), firstNewerThan(entries, to)),
    floor: floor !== null && compareVersions(from, floor) < 0 ? floor : undefined,
    holds: (version) => entries[firstNewerThan(entries, version) - 1]?.version === version,
  };
}

/** The first release of the span that cannot be stepped to; with `rollingOnly`, not by a rolling update. */
function findBlock(
  { from, to, releases, floor, holds }: RouteSpan,
  { rollingOnly }: { readonly rollingOnly: boolean },
): RouteBlock | null {
  const notCovered = (version: Version, reachableVersion: Version): RouteBlock => ({
    kind: 'missing-coverage',
    rule: 7,
    version,
    verdict: 'unknown',
    reachableVersion,
    range: { afterVersion: version, beforeVersion: version },
  });
  const fromCovered = floor === undefined && holds(from);
  if ((rollingOnly || from === to) && !fromCovered) return notCovered(from, from);

  let before = from;
  let absentStop: Version | undefined;
  let floorAhead = floor;
  for (const release of releases) {
    const { version, minPreviousVersion: minimum } = release;
    const verdict = verdictOf(release);
    const at = { version, verdict, reachableVersion: before };
    for (const stop of release.requiredStops) {
      if (!isNewer(stop, from) || holds(stop)) continue;
      if (absentStop === undefined || isNewer(absentStop, stop)) absentStop = stop;
    }
    if (floorAhead !== undefined && !isNewer(floorAhead, version)) {
      if (version !== floorAhead) return { kind: 'below-index-floor', rule: 5, ...at, floor: floorAhead };
      floorAhead = undefined;
    }
    if (absentStop !== undefined && isNewer(version, absentStop)) {
      const stop = absentStop;
      const demandedBy = releases.filter((r) => r.requiredStops.includes(stop)).map((r) => r.version);
      return { kind: 'required-stop', rule: 3, ...at, stop, demandedBy };
    }
    if (minimum !== null && isNewer(minimum, before)) {
      return { kind: 'below-minimum-version', rule: 4, ...at, minimum };
    }
    if (rollingOnly) {
      if (release.previousVersion !== before) {
        const range = { afterVersion: before, beforeVersion: version };
        return { kind: 'missing-coverage', rule: 7, ...at, range };
      }
      if (verdict === false) return { kind: 'unsafe-release', rule: 2, ...at };
      if (verdict !== true) return { kind: 'unknown-release', ...at, ...whyUnknown(release) };
    }
    before = version;
  }
  return holds(to) ? null : notCovered(to, before);
}

interface Landing {
  readonly start: Version;
  readonly version: Version;
  readonly reason: LandingReason;
  readonly demandedBy: readonly Version[];
}

/** The hops to the end of a span in which every release can be stepped to. */
function layHops(index: ReleaseSafetyIndex, span: RouteSpan): RouteHop[] {
  return chooseLandings(span).map(({ start, version, reason, demandedBy }) => {
    const hop = evaluateSpan(index, { from: start, to: version });
    const covered = hop.missingRanges.length === 0;
    const certified = covered && hop.reasons.every((r) => r.kind !== 'below-index-floor');
    return {
      fromVersion: start,
      toVersion: version,
      reason,
      demandedBy,
      verdict: hop.verdict,
      strategy: strategyFor(certified && hop.verdict),
      certified,
      releases: hop.coveredVersions,
      unsafeVersions: hop.reasons.filter((r) => r.kind === 'unsafe-release').map((r) => r.version),
      unknownVersions: hop.reasons.filter((r) => r.kind === 'unknown-release').map((r) => r.version),
      missingRanges: hop.missingRanges,
    };
  });
}

function chooseLandings({ from, to, releases, floor }: RouteSpan): Landing[] {
  const stops = collectRequiredStops(releases, { from, to, floor });
  const landings: (Landing & { demandedBy: Version[] })[] = [];
  let start = from;
  for (const [i, { version }] of releases.entries()) {
    const next = releases[i + 1];
    const stop = stops.get(version);
    const land = (reason: LandingReason, demandedBy: Version[] = []) => {
      landings.push({ start, version, reason, demandedBy });
      start = version;
    };
    if (next === undefined) land('target');
    else if (version === floor) land('index-floor', stop);
    else if (stop !== undefined) land('required-stop', stop);
    else if (next.minPreviousVersion !== null && isNewer(next.minPreviousVersion, start)) {
      land('minimum-previous-version');
    }
  }

  let minimum: Version | null = null;
  let landing: (typeof landings)[number] | undefined;
  for (const release of releases) {
    if (release.minPreviousVersion !== minimum) {
      minimum = release.minPreviousVersion;
      landing = minimum === null || !isNewer(minimum, from) ? undefined : landingNotOlder(landings, minimum);
    }
    if (landing?.reason === 'minimum-previous-version' && isNewer(release.version, landing.version)) {
      landing.demandedBy.push(release.version);
    }
  }
  return landings;
}

/** The first landing that is not older than a version: the one that meets it as a minimum. */
function landingNotOlder<T extends { readonly version: Version }>(
  landings: readonly T[],
  version: Version,
): T | undefined {
  const newer = firstNewerThan(landings, version);
  const before = landings[newer - 1];
  return before?.version === version ? before : landings[newer];
}

function isNewer(a: Version, b: Version): boolean {
  return compareVersions(a, b) > 0;
}
