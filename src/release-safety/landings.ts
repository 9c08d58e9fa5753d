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

/**
 * The landings of a route to the last release: it goes round known issues where it can, first round those that a hop
 * cannot settle; then it has as few hops as can be; then each hop, from the first on, goes as far as can be.
 *
 * @returns positions, oldest first; undefined where no route leads there
 */
export function chooseLandings(rules: LandingRules): number[] | undefined {
  const { earliestAllowed, earliestCertified, earliestClean } = rules;
  const last = earliestAllowed.length - 1;
  // Each cost outweighs all that come after it, on a route of as many hops as there are releases.
  const ofIssue = last + 2;
  const ofUnsettledIssue = ofIssue * ofIssue;
  const costOfHop = (start: number, landing: number) =>
    1 +
    ((earliestClean[landing] ?? landing) > start ? ofIssue : 0) +
    ((earliestCertified[landing] ?? landing) > start ? ofUnsettledIssue : 0);

  // At `i + 1` that of the way on from position `i`.
  const costs = new Float64Array(last + 2).fill(Number.POSITIVE_INFINITY);
  const landingsAfter = new Int32Array(last + 2);
  costs[last + 1] = 0;
  let furthest = last;
  for (let start = last - 1; start >= -1; start--) {
    // What is too far from here is too far from every earlier start.
    while ((earliestAllowed[furthest] ?? furthest) > start) furthest--;
    for (let landing = furthest; landing > start; landing--) {
      if ((earliestAllowed[landing] ?? landing) > start) continue;
      const cost = costOfHop(start, landing) + (costs[landing + 1] ?? 0);
      if (cost < (costs[start + 1] ?? 0)) {
        costs[start + 1] = cost;
        landingsAfter[start + 1] = landing;
        // Whoever begins later has the same choice and no dearer way: nothing is cheaper than that.
        if (cost === costs[start + 2]) break;
      }
    }
  }
  if (costs[0] === Number.POSITIVE_INFINITY) return undefined;
  const landings: number[] = [];
  for (let at = -1; at < last; ) {
    at = landingsAfter[at + 1] ?? last;
    landings.push(at);
  }
  return landings;
}
