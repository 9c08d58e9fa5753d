import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseLandings, type LandingRules } from '../../src/release-safety/landings.js';
import { propertyRuns } from '../support/property-runs.js';

/** Every route to the last release, each as its landings. */
function routesTo(last: number, start = -1): number[][] {
  if (start === last) return [[]];
  return Array.from({ length: last - start }, (_, i) => start + 1 + i).flatMap((landing) =>
    routesTo(last, landing).map((rest) => [landing, ...rest]),
  );
}

/** What is looked for, by its words: fewest hops with an issue that they cannot settle, fewest with any, fewest hops, furthest. */
function chooseByWords(rules: LandingRules): number[] | undefined {
  const countOf = (earliest: readonly number[], route: readonly number[]) =>
    route.filter((landing, i) => (earliest[landing] ?? landing) > (route[i - 1] ?? -1)).length;
  const ranked = routesTo(rules.earliestAllowed.length - 1)
    .filter((route) => countOf(rules.earliestAllowed, route) === 0)
    .map((route) => ({
      route,
      rank: [
        countOf(rules.earliestCertified, route),
        countOf(rules.earliestClean, route),
        route.length,
        ...route.map((landing) => -landing),
      ],
    }));
  const [best] = ranked.sort((a, b) => {
    const differs = a.rank.findIndex((part, i) => part !== b.rank[i]);
    return differs === -1 ? 0 : (a.rank[differs] ?? 0) - (b.rank[differs] ?? 0);
  });
  return best?.route;
}

describe('the landings of a route', () => {
  const free = [-1, -1, -1, -1];

  it.each<[what: string, rules: Partial<LandingRules>, landings: number[] | undefined]>([
    ['one hop where nothing is in the way', {}, [3]],
    ['a stop', { earliestAllowed: [-1, -1, 1, 1] }, [1, 3]],
    ['none where no start is allowed', { earliestAllowed: [-1, -1, 2, 3] }, undefined],
    ['round an issue that the hop settles', { earliestClean: [-1, -1, -1, 0] }, [2, 3]],
    ['round an issue that it cannot', { earliestCertified: [-1, -1, -1, 0] }, [2, 3]],
    [
      'rather into three that hops settle than into one that they cannot',
      { earliestCertified: [-1, -1, -1, 2], earliestClean: [0, 1, 2, 3] },
      [2, 3],
    ],
    ['into an issue where every way leads there', { earliestCertified: [0, 1, 2, 3] }, [3]],
  ])('%s', (_, rules, landings) => {
    const { earliestAllowed = free } = rules;
    const { earliestCertified = earliestAllowed } = rules;
    const { earliestClean = earliestCertified } = rules;
    expect(chooseLandings({ earliestAllowed, earliestCertified, earliestClean })).toEqual(landings);
  });

  it('none to go, none to land on', () => {
    expect(chooseLandings({ earliestAllowed: [], earliestCertified: [], earliestClean: [] })).toEqual([]);
  });

  it('are those that a look at every route finds', () => {
    const ofRelease = (landing: number) =>
      fc
        .tuple(...[0, 1, 2].map(() => fc.integer({ min: -1, max: landing })))
        .map((starts) => starts.sort((a, b) => a - b));
    const rules = fc
      .integer({ min: 1, max: 7 })
      .chain((length) => fc.tuple(...Array.from({ length }, (_, landing) => ofRelease(landing))))
      .map((releases): LandingRules => {
        const column = (which: number) => releases.map((starts) => starts[which] ?? -1);
        return { earliestAllowed: column(0), earliestCertified: column(1), earliestClean: column(2) };
      });
    fc.assert(
      fc.property(rules, (some) => {
        expect(chooseLandings(some)).toEqual(chooseByWords(some));
      }),
      { numRuns: propertyRuns(5000) },
    );
  });
});
