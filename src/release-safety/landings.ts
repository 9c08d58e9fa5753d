/**
 * From where a hop may land on each release of a span, by position in its releases, oldest first; -1 is the start of the
 * span. What holds of a start holds of every later one.
 */
export interface LandingRules {
  /** The earliest start that is allowed. */
  readonly earliestAllowed: readonly number[];
  /** The earliest start from which no known issue holds of the hop that the hop itself cannot settle. */
  readonly earliestCertified: readonly number[];
  /** The earliest start from which no known issue holds of the hop at all. */
  readonly earliestClean: readonly number[];
}

/** What runs while nothing is up, in whole numbers, each 0 or more: the first that differs decides which is less. */
export type Work = readonly [number, number, number];

/** What a route is chosen by that is to have as little work as can be under Recreate. */
export interface Downtime {
  /** The earliest start from which a hop to each release rolls, none before the earliest that is clean. */
  readonly earliestRolling: readonly number[];
  /** That of each release, were it under Recreate. */
  readonly work: readonly Work[];
}

/** Hops with an issue that they cannot settle, hops with any, work under Recreate, hops: the first that differs decides. */
type Cost = readonly [unsettled: number, issues: number, ...Work, hops: number];

/** How a route goes on from a position. */
interface Way {
  readonly cost: Cost;
  readonly landing: number;
}

/**
 * The landings of a route to the last release: it goes round known issues where it can, first round those that a hop
 * cannot settle; then, where downtime is to be spared, the least work is under Recreate; then it has as few hops as can
 * be; then each hop, from the first on, goes as far as can be.
 *
 * @returns positions, oldest first; undefined where no route leads there
 */
export function chooseLandings(rules: LandingRules, downtime?: Downtime): number[] | undefined {
  const { earliestAllowed, earliestCertified, earliestClean } = rules;
  const last = earliestAllowed.length - 1;
  const { workOfHop, leastOfStart } = worker(downtime);
  const costOfHop = (start: number, landing: number): Cost => [
    (earliestCertified[landing] ?? landing) > start ? 1 : 0,
    (earliestClean[landing] ?? landing) > start ? 1 : 0,
    ...workOfHop(start, landing),
    1,
  ];
  // At `i + 1` that of position `i`.
  const ways: (Way | undefined)[] = new Array(last + 1).fill(undefined);
  ways.push({ cost: nothing, landing: last });
  let furthest = last;
  for (let start = last - 1; start >= -1; start--) {
    const later = ways[start + 2];
    // Whoever begins later has the same choice, and no dearer way; where nothing rolls from here, the release between runs.
    if (later === undefined) break;
    const least = sum(later.cost, [0, 0, ...leastOfStart(start), 0]);
    // What is too far from here is too far from every earlier start.
    while ((earliestAllowed[furthest] ?? furthest) > start) furthest--;
    let best: Way | undefined;
    for (let landing = furthest; landing > start; landing--) {
      const rest = ways[landing + 1];
      if (rest === undefined || (earliestAllowed[landing] ?? landing) > start) continue;
      const cost = sum(rest.cost, costOfHop(start, landing));
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

interface Worker {
  /** What a hop does under Recreate. */
  readonly workOfHop: (start: number, landing: number) => Work;
  /** What every hop from a start does at least with the release right behind it. */
  readonly leastOfStart: (start: number) => Work;
}

function worker(downtime: Downtime | undefined): Worker {
  if (downtime === undefined) return { workOfHop: () => noWork, leastOfStart: () => noWork };
  const { earliestRolling, work } = downtime;
  // At `i + 1` that of all releases up to position `i`.
  const upTo: Work[] = [noWork];
  for (const [a, b, c] of work) {
    const [x, y, z] = upTo.at(-1) ?? noWork;
    upTo.push([a + x, b + y, c + z]);
  }
  // The earliest start from which a hop rolls to that release, or to any behind it.
  const earliest = [...earliestRolling];
  for (let i = earliest.length - 2; i >= 0; i--) {
    earliest[i] = Math.min(earliest[i] ?? i, earliest[i + 1] ?? i);
  }
  return {
    workOfHop: (start, landing) => {
      if ((earliestRolling[landing] ?? landing) <= start) return noWork;
      const [a, b, c] = upTo[landing + 1] ?? noWork;
      const [x, y, z] = upTo[start + 1] ?? noWork;
      return [a - x, b - y, c - z];
    },
    leastOfStart: (start) => ((earliest[start + 1] ?? start) <= start ? noWork : (work[start + 1] ?? noWork)),
  };
}

const noWork: Work = [0, 0, 0];
const nothing: Cost = [0, 0, ...noWork, 0];

function sum(a: Cost, b: Cost): Cost {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4], a[5] + b[5]];
}

function isLess(a: Cost, b: Cost): boolean {
  const differs = a.findIndex((part, i) => part !== b[i]);
  return (a[differs] ?? 0) < (b[differs] ?? 0);
}
