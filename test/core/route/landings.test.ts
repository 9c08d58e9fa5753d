import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseLandings, type Downtime, type LandingRules } from '../../../src/core/route/landings.js';
import { propertyRuns } from '../../support/property-runs.js';

/** Every route to the last release, each as its landings. */
function routesTo(last: number, start = -1): number[][] {
  if (start === last) return [[]];
  return Array.from({ length: last - start }, (_, i) => start + 1 + i).flatMap((landing) =>
    routesTo(last, landing).map((rest) => [landing, ...rest]),
  );
}

/**
 * What is looked for, by its words: fewest hops with an issue that they cannot settle, fewest with any, least work in hops
 * that do not roll, fewest hops, fewest majors that no hop begins with, furthest.
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
        rules.majors.filter((major) => major > 0 && !route.includes(major - 1)).length,
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
  it('none to go, none to land on', () => {
    expect(
      chooseLandings({ earliestAllowed: [], earliestCertified: [], earliestClean: [], majors: [] }),
    ).toEqual([]);
  });

  const rulesAndDowntime = (() => {
    const work = fc.tuple(fc.nat(1), fc.nat(2), fc.nat(2));
    const ofRelease = (landing: number) =>
      fc.record({
        work,
        isMajor: fc.constantFrom(false, false, true),
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
          rules: {
            ...{ earliestAllowed: column(0), earliestCertified: column(1), earliestClean: column(2) },
            majors: releases.flatMap(({ isMajor }, landing) => (isMajor ? [landing] : [])),
          },
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
