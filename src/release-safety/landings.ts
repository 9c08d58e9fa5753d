/** Where hops may land, by position in the releases of a span, oldest first; −1 is the start of the span. */
export interface LandingRules {
  /** For each release the earliest position that a hop to it may begin at; any later one will do as well. */
  readonly earliestStart: readonly number[];
  /** For each release whether a route lands elsewhere where it can. */
  readonly avoided: readonly boolean[];
}

/**
 * The landings of a route to the last release: as few avoided ones as can be, then as few hops as can be, then, from the
 * first on, as far as can be.
 *
 * @returns positions, oldest first; undefined where no route leads there
 */
export function chooseLandings({ earliestStart, avoided }: LandingRules): number[] | undefined {
  const last = earliestStart.length - 1;
  // One avoided landing costs more than all hops together. `costs[i + 1]` is that of the way on from position i.
  const costOfLanding = avoided.map((is) => (is ? avoided.length + 1 : 0) + 1);
  const costs = new Float64Array(last + 2).fill(Number.POSITIVE_INFINITY);
  const nexts = new Int32Array(last + 2).fill(-1);
  costs[last + 1] = 0;
  for (let start = last - 1; start >= -1; start--) {
    for (let landing = last; landing > start; landing--) {
      if ((earliestStart[landing] ?? last) > start) continue;
      const cost = (costOfLanding[landing] ?? 0) + (costs[landing + 1] ?? 0);
      if (cost < (costs[start + 1] ?? 0)) {
        costs[start + 1] = cost;
        nexts[start + 1] = landing;
        // Whoever begins later has the same choice and no longer way.
        if (cost === costs[start + 2]) break;
      }
    }
  }
  const landings: number[] = [];
  for (let at = -1; at < last; ) {
    at = nexts[at + 1] ?? -1;
    if (at === -1) return undefined;
    landings.push(at);
  }
  return landings;
}

/**
 * The earliest position from `first` to `last` at which something holds that, once it holds, holds at all later ones.
 *
 * @returns `last + 1` where it holds at none
 */
export function earliestAt(first: number, last: number, holds: (position: number) => boolean): number {
  let low = first;
  let high = last + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
