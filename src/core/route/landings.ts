/**
 * The earliest start of a hop to each release of a span, by position in its releases, oldest first; -1 is the start of
 * the span. If a start is allowed, every later one is allowed too.
 */
export interface LandingRules {
  readonly earliestAllowed: readonly number[];
  /** So that the hop has no known issue that it cannot settle itself. */
  readonly earliestCertified: readonly number[];
  /** So that the hop has no known issue at all. */
  readonly earliestClean: readonly number[];
  /** The releases that begin a major: a route lands right before one where that costs nothing else. */
  readonly majors: readonly number[];
}

/**
 * The work done while nothing is up, in whole numbers, each 0 or more. The first number that differs decides which is
 * less.
 */
export type DowntimeWork = readonly [number, number, number];

export interface Downtime {
  /** For each release, the earliest start from which a hop to it rolls; never before the earliest that is clean. */
  readonly earliestRolling: readonly number[];
  /** The work of each release, if it is under Recreate. */
  readonly work: readonly DowntimeWork[];
}

/**
 * Hops with an issue of either kind, work under Recreate, hops, majors inside a hop. The first that differs decides.
 */
type Cost = readonly [unsettled: number, issues: number, ...DowntimeWork, hops: number, majors: number];

/** How a route goes on from a position. */
interface Way {
  readonly cost: Cost;
  readonly landing: number;
}

/**
 * The landings of a route to the last release. In this order of priority, the route
 * 1. avoids known issues where it can, first those that a hop cannot settle;
 * 2. has the least work under Recreate, if `downtime` is given;
 * 3. has as few hops as possible;
 * 4. begins a hop with each major, if it crosses one;
 * 5. goes as far as possible with each hop, from the first on.
 *
 * @returns positions, oldest first; undefined if no route leads there
 */
export function chooseLandings(rules: LandingRules, downtime?: Downtime): number[] | undefined {
  const { earliestAllowed, earliestCertified, earliestClean, majors } = rules;
  const last = earliestAllowed.length - 1;
  const { workOfHop, leastOfStart } = workUnder(downtime);
  const costOfHop = (start: number, landing: number): Cost => {
    const [a, b, c] = workOfHop(start, landing);
    const unsettled = (earliestCertified[landing] ?? landing) > start ? 1 : 0;
    const issues = (earliestClean[landing] ?? landing) > start ? 1 : 0;
    return [
      unsettled,
      issues,
      a,
      b,
      c,
      1,
      majors.filter((major) => major > start + 1 && major <= landing).length,
    ];
  };
  // `ways[i + 1]` is that of position `i`.
  const ways: (Way | undefined)[] = new Array(last + 1).fill(undefined);
  ways.push({ cost: noCost, landing: last });
  let furthest = last;
  for (let start = last - 1; start >= -1; start--) {
    const later = ways[start + 2];
    // No start costs less than a later one. If nothing rolls from here, it also adds the work of the release between.
    if (later === undefined) break;
    const [a, b, c] = leastOfStart(start);
    const least = sumOfCosts(later.cost, [0, 0, a, b, c, 0, 0]);
    // What is too far from here is too far from every earlier start.
    while ((earliestAllowed[furthest] ?? furthest) > start) furthest--;
    let best: Way | undefined;
    for (let landing = furthest; landing > start; landing--) {
      const rest = ways[landing + 1];
      if (rest === undefined || (earliestAllowed[landing] ?? landing) > start) continue;
      const cost = sumOfCosts(rest.cost, costOfHop(start, landing));
      if (best !== undefined && !isLess(cost, best.cost)) continue;
      best = { cost, landing };
      if (!isLess(least, cost)) break;
    }
    ways[start + 1] = best;
  }
  if (ways[0] === undefined) return undefined;
  const landings: number[] = [];
  for (let at = -1; at < last; ) {
    at = ways[at + 1]?.landing ?? last;
    landings.push(at);
  }
  return landings;
}

/** The work of a hop, and the least of any hop from a start: that of the release right after it. */
function workUnder(downtime: Downtime | undefined) {
  if (downtime === undefined) return { workOfHop: () => noWork, leastOfStart: () => noWork };
  const { earliestRolling, work } = downtime;
  // `upTo[i + 1]` is that of all releases up to position `i`.
  const upTo: DowntimeWork[] = [noWork];
  for (const [a, b, c] of work) {
    const [x, y, z] = upTo.at(-1) ?? noWork;
    upTo.push([a + x, b + y, c + z]);
  }
  // The earliest start from which a hop rolls to that release, or to any after it.
  const earliest = [...earliestRolling];
  for (let i = earliest.length - 2; i >= 0; i--) {
    earliest[i] = Math.min(earliest[i] ?? i, earliest[i + 1] ?? i);
  }
  return {
    workOfHop: (start: number, landing: number): DowntimeWork => {
      if ((earliestRolling[landing] ?? landing) <= start) return noWork;
      const [a, b, c] = upTo[landing + 1] ?? noWork;
      const [x, y, z] = upTo[start + 1] ?? noWork;
      return [a - x, b - y, c - z];
    },
    leastOfStart: (start: number): DowntimeWork =>
      (earliest[start + 1] ?? start) <= start ? noWork : (work[start + 1] ?? noWork),
  };
}

const noWork: DowntimeWork = [0, 0, 0];
const noCost: Cost = [0, 0, ...noWork, 0, 0];

function sumOfCosts(a: Cost, b: Cost): Cost {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4], a[5] + b[5], a[6] + b[6]];
}

function isLess(a: Cost, b: Cost): boolean {
  const differs = a.findIndex((part, i) => part !== b[i]);
  return (a[differs] ?? 0) < (b[differs] ?? 0);
}
