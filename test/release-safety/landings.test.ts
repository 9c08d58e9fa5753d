import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  chooseLandings,
  type Downtime,
  type LandingRules,
  type Work,
} from '../../src/release-safety/landings.js';
import { propertyRuns } from '../support/property-runs.js';

/** Every route to the last release, each as its landings. */
function routesTo(last: number, start = -1): number[][] {
  if (start === last) return [[]];
  return Array.from({ length: last - start }, (_, i) => start + 1 + i).flatMap((landing) =>
    routesTo(last, landing).map((rest) => [landing, ...rest]),
  );
}

/**
 * What is looked for, by its words: fewest hops with an issue that they cannot settle, fewest with any, least work in hops
 * that do not roll, fewest hops, furthest.
 */
function chooseByWords(rules: LandingRules, downtime?: Downtime): number[] | undefined {
  const countOf = (earliest: readonly number[], route: readonly number[]) =>
    route.filter((landing, i) => (earliest[landing] ?? landing) > (route[i - 1] ?? -1)).length;
  const workOf = (route: readonly number[]) => {
    const { earliestRolling = [], work = [] } = downtime ?? {};
    const down = route.flatMap((landing, i) => {
      const start = route[i - 1] ?? -1;
      return (earliestRolling[landing] ?? landing) <= start ? [] : work.slice(start + 1, landing + 1);
    });
    return [0, 1, 2].map((part) => down.reduce((sum, one) => sum + (one[part] ?? 0), 0));
  };
  const ranked = routesTo(rules.earliestAllowed.length - 1)
    .filter((route) => countOf(rules.earliestAllowed, route) === 0)
    .map((route) => ({
      route,
      rank: [
        countOf(rules.earliestCertified, route),
        countOf(rules.earliestClean, route),
        ...workOf(route),
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

  /** The work of a release: each of the three counts as a digit. */
  const workOf = (digits: string): Work => [Number(digits[0]), Number(digits[1]), Number(digits[2])];

  it.each<[what: string, work: string, rolling: readonly number[], landings: number[]]>([
    ['one hop where all rolls', '010 010 010 010', free, [3]],
    ['one hop where nothing rolls', '010 010 010 010', [0, 1, 2, 3], [3]],
    ['a release in the middle left to Recreate', '010 010 010 010', [-1, 1, 1, 1], [0, 1, 3]],
    ['the same with what has no work beside it', '010 010 000 010', [-1, 1, 1, 1], [0, 2, 3]],
    ['nothing split off that has no work', '000 010 000 000', [-1, 1, 1, 1], [3]],
    ['what has work of any length rolls by itself', '100 000 050 000', [-1, 1, 2, 2], [0, 3]],
    ['past what rolls with the release behind it alone', '010 000 000 000', [0, -1, 0, 0], [1, 3]],
  ])('least downtime: %s', (_, work, earliestRolling, landings) => {
    const rules = { earliestAllowed: free, earliestCertified: free, earliestClean: free };
    const downtime = { work: work.split(' ').map(workOf), earliestRolling };
    expect(chooseLandings(rules, downtime)).toEqual(landings);
  });

  const rulesAndDowntime = (() => {
    const work = fc.tuple(fc.nat(1), fc.nat(2), fc.nat(2));
    const ofRelease = (landing: number) =>
      fc.record({
        work,
        starts: fc
          .tuple(...[0, 1, 2, 3].map(() => fc.integer({ min: -1, max: landing })))
          .map((starts) => starts.sort((a, b) => a - b)),
      });
    return fc
      .integer({ min: 1, max: 7 })
      .chain((length) => fc.tuple(...Array.from({ length }, (_, landing) => ofRelease(landing))))
      .map((releases): { rules: LandingRules; downtime: Downtime } => {
        const column = (which: number) => releases.map(({ starts }) => starts[which] ?? -1);
        return {
          rules: { earliestAllowed: column(0), earliestCertified: column(1), earliestClean: column(2) },
          downtime: { earliestRolling: column(3), work: releases.map((release) => release.work) },
        };
      });
  })();
  const runs = { numRuns: propertyRuns(5000) };

  it('are those that a look at every route finds', () => {
    fc.assert(
      fc.property(rulesAndDowntime, ({ rules }) => {
        expect(chooseLandings(rules)).toEqual(chooseByWords(rules));
      }),
      runs,
    );
  });

  it('of least downtime are those that a look at every route finds', () => {
    let otherwise = 0;
    fc.assert(
      fc.property(rulesAndDowntime, ({ rules, downtime }) => {
        const landings = chooseLandings(rules, downtime);
        expect(landings).toEqual(chooseByWords(rules, downtime));
        if (landings?.join() !== chooseLandings(rules)?.join()) otherwise++;
      }),
      runs,
    );
    expect(otherwise).toBeGreaterThan(propertyRuns(500));
  });
});
