import { lazy } from '../common/memoize.js';
import type { ReleaseSafetyIndex } from '../index/release-safety-index.js';
import type { AppliedIssue, Route } from '../results.js';
import { firstNewerThan, majorsCrossed } from '../span.js';
import { compareVersions, type Version } from '../version.js';
import { outOfReachFrom, planRoute } from './route.js';

/** How old `recommended` is unless another age is given: bench/recommended.ts shows what it and records are worth. */
export const recommendedMinAgeMs = 4 * 86_400_000;

/** What the recommended release depends on besides the index and its known issues. */
export interface RecommendationRequest {
  readonly from: Version;
  readonly now: Date;
  /** How old a release must be, in milliseconds: a defect is mostly known, and fixed, within days. */
  readonly minAgeMs: number;
  /** Whether every hop to it has to roll. */
  readonly rollingOnly: boolean;
  /** Whether a major, such as 3.0.0, asks for an action that nobody has stated to be done. */
  readonly isOpenMajor: (major: Version) => boolean;
}

/** Why a release that is old enough is not recommended. */
type WhyPassedOver =
  | { readonly kind: 'known-issue'; readonly issues: readonly AppliedIssue[] }
  | { readonly kind: 'open-major'; readonly major: Version }
  | { readonly kind: 'no-certified-route'; readonly route: Route }
  | { readonly kind: 'not-rolling'; readonly reachableVersion: Version };

/** A release that is old enough, and why it is not recommended. */
export interface PassedOver {
  readonly version: Version;
  readonly why: WhyPassedOver;
}

export interface Recommendation {
  /** Newer than the running one; undefined if no release qualifies. */
  readonly release: { readonly version: Version; readonly ageMs: number } | undefined;
  /** The newest release of all and how many are too young, if any is. */
  readonly tooYoung: { readonly newest: Version; readonly ageMs: number; readonly count: number } | undefined;
  /**
   * The releases that are newer than the recommended one and old enough, newest first, with why each was passed over.
   * Of several that one block keeps out, only the newest.
   */
  readonly passedOver: readonly PassedOver[];
  /** If no release qualifies today: when the first that is only too young will, as far as is known now. */
  readonly firstOn: Date | undefined;
}

/**
 * The newest release that is at least that old, about which nothing is known that applies to this instance, that is
 * behind no open major, and to which a certified route leads. An age alone protects nobody: it gives others the time to
 * find a defect, and counts only beside the records of what was found.
 */
export function recommend(index: ReleaseSafetyIndex, request: RecommendationRequest): Recommendation {
  const { from, now, minAgeMs } = request;
  const { versions } = index;
  const newer = index.entriesBetween(firstNewerThan(versions, from), versions.length);
  const ageOf = (releaseDate: string) => now.getTime() - Date.parse(releaseDate);
  // A date that is none has no age, and is too young.
  const isYoung = (releaseDate: string) => !(ageOf(releaseDate) >= minAgeMs);
  const young = newer.filter(({ releaseDate }) => isYoung(releaseDate));
  const isPassedOver = passingOver(index, request);

  const passedOver: PassedOver[] = [];
  let release: Recommendation['release'];
  let reachable: Version | undefined;
  // A route to each of thousands of releases takes seconds; mostly the first that is asked for will do.
  const outOfReach = lazy(() => outOfReachFrom(index, from));
  const isBehindSameBlock = (version: Version, newer: Version) => {
    const block = outOfReach()(version);
    return block !== undefined && block === outOfReach()(newer);
  };
  for (const { version, releaseDate } of newer.toReversed()) {
    const isBehindBlock = reachable !== undefined && compareVersions(version, reachable) > 0;
    if (isBehindBlock || isYoung(releaseDate)) continue;
    const last = passedOver.at(-1);
    if (last !== undefined && isBehindSameBlock(version, last.version)) continue;
    const why = isPassedOver(version);
    if (why === undefined) {
      release = { version, ageMs: ageOf(releaseDate) };
      break;
    }
    passedOver.push({ version, why });
    reachable = lastBefore(why) ?? reachable;
  }
  const newest = young.at(-1);
  const first =
    release === undefined ? young.find(({ version }) => isPassedOver(version) === undefined) : undefined;
  return {
    release,
    tooYoung: newest && {
      newest: newest.version,
      ageMs: ageOf(newest.releaseDate),
      count: young.length,
    },
    passedOver,
    firstOn: first && new Date(Date.parse(first.releaseDate) + minAgeMs),
  };
}

function passingOver(
  index: ReleaseSafetyIndex,
  { from, rollingOnly, isOpenMajor }: RecommendationRequest,
): (version: Version) => WhyPassedOver | undefined {
  const rolling = rollingOnly ? planRoute(index, { from, to: 'latest-rolling' }).toVersion : undefined;
  return (version) => {
    if (rolling !== undefined && compareVersions(version, rolling) > 0)
      return { kind: 'not-rolling', reachableVersion: rolling };
    const major = majorsCrossed({ from, to: version }).find(isOpenMajor);
    if (major !== undefined) return { kind: 'open-major', major };
    const route = planRoute(index, { from, to: version });
    const issues = route.hops.at(-1)?.knownIssues.filter((issue) => issue.version === version) ?? [];
    if (issues.length > 0) return { kind: 'known-issue', issues };
    if (!route.certified) return { kind: 'no-certified-route', route };
    return rollingOnly && !route.rolling ? { kind: 'not-rolling', reachableVersion: version } : undefined;
  };
}

/** The newest release that may still qualify where the same reason holds for every newer one. */
function lastBefore(why: WhyPassedOver): Version | undefined {
  if (why.kind === 'not-rolling') return why.reachableVersion;
  if (why.kind !== 'no-certified-route') return undefined;
  const { blockedBy, hops } = why.route;
  if (blockedBy !== null) return blockedBy.reachableVersion;
  return hops.flatMap(({ missingRanges }) => missingRanges)[0]?.afterVersion;
}
