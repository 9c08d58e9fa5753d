import type { IndexEntry } from '../index/index-schema.js';
import { latestVersionOf } from '../index/index-summary.js';
import type { ReleaseSafetyIndex } from '../index/release-safety-index.js';
import type { AppliedIssue, IssueEffect, LandingReason, Route, RouteBlock, RouteHop } from '../results.js';
import {
  collectRequiredStops,
  evaluateSpan,
  firstNewerThan,
  firstNotOlder,
  floorAbove,
  hasRelease,
  issuesOf,
  majorOf,
  majorsCrossed,
  releasesOfSpan,
  requireForward,
  type Span,
  stopsOfIssue,
  strategyFor,
  verdictOf,
  whyUnknown,
} from '../span.js';
import {
  compareVersions,
  isNewer,
  isVersion,
  type RouteTarget,
  type Target,
  type Version,
} from '../version.js';
import { chooseLandings, type DowntimeWork, type LandingRules } from './landings.js';

export type { DowntimeWork as Work, LandingReason, Route, RouteBlock, RouteHop };

/** Where a route begins and what it should reach. */
export interface RouteRequest {
  readonly from: Version;
  readonly to: RouteTarget;
  /** The work of a release if a Recreate crosses it. The route with the least of this work is chosen. */
  readonly workOf?: (version: Version) => DowntimeWork;
}

/**
 * The route with the fewest hops, and among those the one that lands furthest, from the first hop on. It avoids known
 * issues where it can, however many hops that takes. Then, with `workOf`, it rolls where that is proven, so that
 * Recreate hops have the least work, however many hops that takes.
 *
 * A hop may not pass over a required stop or over the index floor, and may not begin below the minimum of a release it
 * crosses (span rules 3 to 5). The stops are those of the whole span, not only of the hop. Rule 3 requires that every
 * stop listed by any release of the span is installed. A route that lands between a stop and the release that lists it
 * would skip the stop, although no single hop passes over both. Nor may a hop pass over a stop that a known issue
 * requires.
 *
 * If a hop is allowed, it is also allowed from any later start: it passes over less and begins no lower. So by the
 * publisher's rules a route exists if and only if every release can be reached from the one right before it.
 *
 * @throws {LightspanError} `downgrade` for a version older than `from`
 */
export function planRoute(
  index: ReleaseSafetyIndex,
  { from, to: requestedTarget, workOf }: RouteRequest,
): Route {
  const to = resolveTarget(index, from, requestedTarget);
  const span = readSpan(index, from, to);
  const rollingOnly = requestedTarget === 'latest-rolling';
  const blockedByRule = findBlock(span, rollingOnly);
  const withinRules = blockedByRule === null ? span : readSpan(index, from, blockedByRule.reachableVersion);
  const reached = reach(withinRules, rollingOnly, workOf);
  const blockedBy = reached.blockedBy ?? blockedByRule;
  const hops = blockedBy === null || rollingOnly ? reached.hops : [];

  const certified = (blockedBy === null || hops.length > 0) && hops.every((hop) => hop.certified);
  const recreateHops = hops.filter((hop) => hop.strategy !== 'RollingUpdate').length;
  return {
    fromVersion: from,
    toVersion: rollingOnly && blockedBy !== null ? blockedBy.reachableVersion : to,
    requestedTarget,
    hops,
    certified,
    rolling: certified && recreateHops === 0,
    recreateHops,
    blockedBy,
  };
}

/** An index that ends before the running version says nothing of it; the target is then the running version itself. */
export function resolveTarget(index: ReleaseSafetyIndex, from: Version, target: RouteTarget): Version {
  if (isVersion(target)) return target;
  const latest = latestVersionOf(index);
  return compareVersions(latest, from) > 0 ? latest : from;
}

/** @throws {LightspanError} `downgrade`. A name never resolves to an older version. */
export function requireTargetAhead({
  from,
  to,
}: {
  readonly from: Version | undefined;
  readonly to: Target | undefined;
}): void {
  if (from !== undefined && isVersion(to)) requireForward({ from, to });
}

/** Whether every hop rolls: as it is proven, or as it is accepted. */
export function mayRoll({ certified, hops }: Pick<Route, 'certified' | 'hops'>): boolean {
  return (
    certified &&
    hops.every(({ strategy, accepted }) => strategy === 'RollingUpdate' || accepted !== undefined)
  );
}

/** @param maxHops undefined allows any number */
export function hasTooManyHops({ hops }: Pick<Route, 'hops'>, maxHops: number | undefined): boolean {
  return maxHops !== undefined && !(hops.length <= maxHops);
}

/** Whether a version is not older than the floor, so that the index would contain it, but is not in the index. */
export function isNoRelease(index: ReleaseSafetyIndex, version: Version): boolean {
  return floorAbove(index, version) === undefined && !hasRelease(index, version);
}

interface RouteSpan {
  readonly index: ReleaseSafetyIndex;
  readonly from: Version;
  readonly to: Version;
  /** Exclusive of `from`, inclusive of `to`, oldest first. */
  readonly releases: readonly IndexEntry[];
  readonly versions: readonly Version[];
  /** The floor, if the span begins below it (span rule 5). */
  readonly floor: Version | undefined;
}

function readSpan(index: ReleaseSafetyIndex, from: Version, to: Version): RouteSpan {
  const releases = releasesOfSpan(index, { from, to });
  const versions = releases.map(({ version }) => version);
  return { index, from, to, releases, versions, floor: floorAbove(index, from) };
}

/** The first release of the span that no step reaches; with `rollingOnly`, that no rolling update reaches. */
function findBlock(span: RouteSpan, rollingOnly: boolean): RouteBlock | null {
  const { index, from, to, releases, floor } = span;
  const atEnd = (version: Version, reachableVersion: Version) =>
    ({ version, verdict: 'unknown', reachableVersion }) as const;
  const notCovered = (version: Version, reachableVersion: Version): RouteBlock => {
    const range = { afterVersion: version, beforeVersion: version };
    return { kind: 'missing-coverage', rule: 7, ...atEnd(version, reachableVersion), range };
  };
  if (rollingOnly || from === to) {
    if (floor !== undefined) return { kind: 'below-index-floor', rule: 5, ...atEnd(from, from), floor };
    if (!hasRelease(index, from)) return notCovered(from, from);
  }

  let before = from;
  let absentStop: Version | undefined;
  let floorAhead = floor;
  for (const release of releases) {
    const { version, minPreviousVersion: minimum } = release;
    const verdict = verdictOf(release);
    const at = { version, verdict, reachableVersion: before };
    for (const stop of release.requiredStops) {
      if (!isNewer(stop, from) || hasRelease(index, stop)) continue;
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
  return hasRelease(index, to) ? null : notCovered(to, before);
}

/**
 * The hops to the end of a span in which every release can be reached by a step. If known issues forbid that, the hops
 * as far as a route leads. With `rollingOnly`, no hop may have a known issue.
 */
function reach(
  span: RouteSpan,
  rollingOnly: boolean,
  workOf: RouteRequest['workOf'],
): { readonly hops: readonly RouteHop[]; readonly blockedBy: RouteBlock | null } {
  const { from, to, releases } = span;
  const starts = earliestStarts(span);
  if (workOf === undefined && isOneHop(span, starts)) {
    return { hops: [hopOf(span, { from, to, knownIssues: [], ...whyTarget })], blockedBy: null };
  }
  const forbids: Forbids = (effect) => rollingOnly || forbidsAnyHop(effect);
  for (let end = releases.length; end > 0; ) {
    const part = firstOf(span, end);
    const rules = landingRules(part, forbids, end === releases.length ? starts : earliestStarts(part));
    const positions = chooseLandings(
      rules,
      workOf && {
        earliestRolling: earliestRolling(part, rules),
        work: part.releases.map(({ version }) => workOf(version)),
      },
    );
    if (positions !== undefined) {
      const blockedBy = end === releases.length ? null : blockOfIssues(span, end, forbids);
      const hops = explainLandings(part, rules, positions).map((landing) => hopOf(part, landing));
      return { hops, blockedBy };
    }
    // Up to a release that requires no stop, the rules stay the same and lead no further.
    const reached = countReached(rules);
    while (end > reached) {
      end--;
      if ((releases[end]?.requiredStops ?? []).length > 0) break;
    }
  }
  return { hops: [], blockedBy: releases.length === 0 ? null : blockOfIssues(span, 0, forbids) };
}

/** Whether one hop leads to the end, with no known issue: no route costs less. */
function isOneHop(span: RouteSpan, starts: readonly number[]): boolean {
  return starts.at(-1) === -1 && issuesOf(span.index, span).length === 0;
}

function firstOf(span: RouteSpan, count: number): RouteSpan {
  const [releases, versions] = [span.releases.slice(0, count), span.versions.slice(0, count)];
  return { ...span, to: versions.at(-1) ?? span.from, releases, versions };
}

type Forbids = (effect: IssueEffect['kind']) => boolean;

/** Whether no hop may pass over an issue of this effect, one with a downtime neither. */
const forbidsAnyHop: Forbids = (effect) => effect === 'required-stops';

/** The number of releases up to the furthest that a route reaches. */
function countReached({ earliestAllowed }: LandingRules): number {
  return earliestAllowed.reduce(
    (reached, earliest, landing) => (earliest < reached ? landing + 1 : reached),
    0,
  );
}

/** The block by what is known against the step to the release at position `end`. */
function blockOfIssues(span: RouteSpan, end: number, forbids: Forbids): RouteBlock {
  const { index, from, to } = stepTo(span, end);
  const { verdict } = evaluateSpan(index, { from, to });
  const issues = issuesInTheWay(span, end, forbids);
  return { kind: 'known-issue', version: to, verdict, reachableVersion: from, issues };
}

function stepTo({ index, from, to, releases }: RouteSpan, end: number) {
  return { index, from: releases[end - 1]?.version ?? from, to: releases[end]?.version ?? to };
}

/**
 * The issues that forbid a step. If the step requires a stop that no route reaches, the issues that forbid the route
 * there.
 */
function issuesInTheWay(span: RouteSpan, end: number, forbids: Forbids): readonly AppliedIssue[] {
  const { index, releases } = span;
  const forbidding = issuesOf(index, stepTo(span, end)).filter(({ effect }) => forbids(effect.kind));
  if (forbidding.length > 0) return forbidding;
  const demanded = new Set(releases[end]?.requiredStops);
  for (const [position, { version }] of releases.slice(0, end).entries()) {
    if (!demanded.has(version)) continue;
    const reached = countReached(landingRules(firstOf(span, position + 1), forbids));
    if (reached <= position) return issuesInTheWay(span, reached, forbids);
  }
  return [];
}

interface RouteRules extends LandingRules {
  /** By the publisher's rules alone. */
  readonly earliestWithoutIssues: readonly number[];
}

function landingRules(
  span: RouteSpan,
  forbids: Forbids,
  earliestWithoutIssues = earliestStarts(span),
): RouteRules {
  const { index, from, versions } = span;
  // The earliest start that is not older. Most landings have the issues of the one before.
  const starts = new Map<Version, number>();
  const earliestFrom = (version: Version) => {
    const startOfVersion =
      starts.get(version) ?? (isNewer(version, from) ? firstNotOlder(versions, version) : -1);
    starts.set(version, startOfVersion);
    return startOfVersion;
  };
  const earliestAllowed = [...earliestWithoutIssues];
  const earliestCertified = [...earliestWithoutIssues];
  const earliestClean = [...earliestWithoutIssues];
  const raise = (rule: number[], landing: number, earliest: number) => {
    if (earliest > (rule[landing] ?? -1)) rule[landing] = earliest;
  };
  for (const [landing, version] of versions.entries()) {
    for (const { effect, startsBefore } of index.knownIssues.ofLanding(version)) {
      const earliest = startsBefore === version ? landing : earliestFrom(startsBefore);
      if (forbids(effect)) raise(earliestAllowed, landing, earliest);
      if (forbids(effect) || !isSettledByRecreate(effect)) raise(earliestCertified, landing, earliest);
      raise(earliestClean, landing, earliest);
    }
  }
  return {
    earliestWithoutIssues,
    earliestAllowed,
    earliestCertified,
    earliestClean,
    majors: majorsCrossed(span).flatMap((major) => {
      const first = firstNotOlder(versions, major);
      return first < versions.length && majorOf(versions[first] ?? from) === majorOf(major) ? [first] : [];
    }),
  };
}

/**
 * Which newer releases no certified route can lead to, for all of them at once. No stop is considered on the way to
 * a release, so one that is not named here may still lack a route: `planRoute` decides.
 *
 * @returns for a version, what keeps it out, the same words for the same block; undefined if a route may lead there
 */
export function outOfReachFrom(
  index: ReleaseSafetyIndex,
  from: Version,
): (version: Version) => string | undefined {
  const span = readSpan(index, from, resolveTarget(index, from, 'latest'));
  const { releases, versions } = span;
  const { earliestCertified } = landingRules(
    span,
    forbidsAnyHop,
    versions.map(() => -1),
  );
  let reached = -1;
  const isReached = earliestCertified.map((earliest, landing) => {
    if (earliest <= reached) reached = landing;
    return reached === landing;
  });
  const missed = new Set(versions.filter((_, landing) => !isReached[landing]));
  // A route over both a release and a stop that it requires lands on the stop (span rule 3).
  const demanding = releases
    .flatMap(({ version, requiredStops }) =>
      requiredStops
        .filter((stop) => missed.has(stop))
        .map((stop) => (isNewer(stop, version) ? stop : version)),
    )
    .reduce<Version | undefined>(
      (first, demanded) => (first !== undefined && isNewer(demanded, first) ? first : demanded),
      undefined,
    );
  return (version) => {
    if (demanding !== undefined && !isNewer(demanding, version)) return demanding;
    if (isReached[firstNotOlder(versions, version)] !== false) return undefined;
    return index.knownIssues
      .ofLanding(version)
      .map(({ id }) => id)
      .join();
  };
}

/** For each release of a span, the earliest position from which a hop to it is a rolling update. */
function earliestRolling(
  { index, from, releases, versions, floor }: RouteSpan,
  { earliestClean }: LandingRules,
): number[] {
  let earliest = floor !== undefined ? firstNotOlder(versions, floor) : hasRelease(index, from) ? -1 : 0;
  return releases.map((release, i) => {
    const isLinked = release.previousVersion === (releases[i - 1]?.version ?? from);
    if (!isLinked || verdictOf(release) !== true) earliest = Math.max(earliest, i);
    return Math.max(earliest, earliestClean[i] ?? i);
  });
}

const isSettledByRecreate: Forbids = (effect) => effect === 'recreate';

/** By span rules 3 to 5, the earliest position from which a hop to each release is allowed; -1 is the start. */
function earliestStarts({ from, to, releases, versions, floor }: RouteSpan): number[] {
  const stops = collectRequiredStops(releases, { from, to, floor });
  let earliest = -1;
  return releases.map(({ version, minPreviousVersion: minimum }, i) => {
    if (minimum !== null && isNewer(minimum, versions[earliest] ?? from)) {
      earliest = firstNotOlder(versions, minimum);
    }
    const earliestForThis = earliest;
    // A hop beyond the stop starts at the stop or later.
    if (stops.has(version)) earliest = i;
    return earliestForThis;
  });
}

function hopOf({ index }: RouteSpan, { from, to, knownIssues, ...why }: Landing): RouteHop {
  const { verdict, reasons, coveredVersions, missingRanges } = evaluateSpan(index, { from, to });
  const belowIndexFloor = reasons.some(({ kind }) => kind === 'below-index-floor');
  const covered = missingRanges.length === 0 && !belowIndexFloor;
  return {
    fromVersion: from,
    toVersion: to,
    ...why,
    knownIssues,
    verdict,
    strategy: strategyFor(covered && knownIssues.length === 0 && verdict),
    belowIndexFloor,
    certified: covered && knownIssues.every(({ effect }) => isSettledByRecreate(effect.kind)),
    releases: coveredVersions,
    unsafeVersions: reasons.filter((r) => r.kind === 'unsafe-release').map((r) => r.version),
    unknownVersions: reasons.filter((r) => r.kind === 'unknown-release').map((r) => r.version),
    missingRanges,
  };
}

type Landing = Span & Pick<RouteHop, 'knownIssues' | 'reason' | 'demandedBy' | 'landingIssues'>;

const whyTarget = { reason: 'target', demandedBy: [], landingIssues: [] } as const;

/**
 * Why a route lands where it does: what forbids the hop that would leave the landing out.
 *
 * @param positions where the route lands, in the releases of the span
 */
function explainLandings(
  span: RouteSpan,
  { earliestAllowed, earliestWithoutIssues }: RouteRules,
  positions: readonly number[],
): Landing[] {
  const { index, from: begin, to: end, releases, floor } = span;
  const byMinimum = positionsByMinimum(releases);
  const minimums = [...byMinimum.keys()].sort(compareVersions);
  const stops = collectRequiredStops(releases, { from: begin, to: end, floor });
  const steps = positions.map((position, i) => {
    const start = positions[i - 1] ?? -1;
    const ends = { from: releases[start]?.version ?? begin, to: releases[position]?.version ?? end };
    return { ...ends, start, position, knownIssues: issuesOf(index, ends) };
  });
  const metByRoute = new Set(steps.flatMap(({ knownIssues }) => knownIssues.map(({ id }) => id)));
  return steps.map(({ from, to, start, position, knownIssues }, i): Landing => {
    const landing = { from, to, knownIssues };
    const next = steps[i + 1];
    if (next === undefined) return { ...landing, ...whyTarget };

    const avoided = new Map<string, () => AppliedIssue>();
    for (let further = position + 1; (earliestWithoutIssues[further] ?? position) <= start; further++) {
      const version = releases[further]?.version;
      if (version === undefined || (earliestAllowed[further] ?? position) > start) continue;
      for (const issue of index.knownIssues.ofLanding(version)) {
        if (!isNewer(issue.startsBefore, from) || metByRoute.has(issue.id)) continue;
        avoided.set(issue.id, () => issue.appliedTo({ from, to: version }));
      }
    }
    const issues = [
      ...issuesOf(index, { from, to: next.to }).filter((issue) => stopsOfIssue(issue).length > 0),
      ...[...avoided.values()].map((issue) => issue()),
    ];
    const landingIssues = [...new Map(issues.map((issue) => [issue.id, issue])).values()];
    const stop = stops.get(to);
    if (to === floor) return { ...landing, reason: 'index-floor', demandedBy: stop ?? [], landingIssues };
    if (stop !== undefined) return { ...landing, reason: 'required-stop', demandedBy: stop, landingIssues };

    const demanding = minimums
      .slice(firstNewerThan(minimums, from), firstNewerThan(minimums, to))
      .flatMap((minimum) => byMinimum.get(minimum) ?? [])
      .filter((further) => further > position)
      .sort((a, b) => a - b);
    if ((demanding[0] ?? releases.length) <= next.position) {
      const demandedBy = demanding.flatMap((further) => releases[further]?.version ?? []);
      return { ...landing, reason: 'minimum-previous-version', demandedBy, landingIssues };
    }
    // If the one hop that leaves the landing out is allowed, both ways have the same known issues. Then less work under
    // Recreate is the only reason for the landing.
    const mayLeaveOut = (earliestAllowed[next.position] ?? next.position) <= start;
    return mayLeaveOut
      ? { ...landing, reason: 'least-downtime', demandedBy: [], landingIssues: [] }
      : { ...landing, reason: 'known-issue', demandedBy: [], landingIssues };
  });
}

/** Where the releases are that demand a minimum version, each minimum once. */
function positionsByMinimum(releases: readonly IndexEntry[]): ReadonlyMap<Version, readonly number[]> {
  const positions = new Map<Version, number[]>();
  for (const [position, { minPreviousVersion: minimum }] of releases.entries()) {
    if (minimum === null) continue;
    const positionsBelow = positions.get(minimum);
    if (positionsBelow === undefined) positions.set(minimum, [position]);
    else positionsBelow.push(position);
  }
  return positions;
}
