import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseReleaseSafetyIndex } from '../../../src/core/index/parse-index.js';
import {
  hasTooManyHops,
  isNoRelease,
  mayRoll,
  planRoute as planWithWork,
  type Route,
  requireTargetAhead,
} from '../../../src/core/route/route.js';
import { parseVersion } from '../../../src/core/version.js';
import { compareVersions, evaluateSpan, planRoute } from '../../../src/library/library.js';
import { describeBlock } from '../../../src/words/route/reasons.js';
import { furthestFirst, mayTake, shortestRoutes, smallIndex, stopsOf } from '../../support/naive-routes.js';
import { countedRuns, propertyRuns } from '../../support/property-runs.js';
import { indexOf, type LooseEntry, realIndex } from '../../support/real-index.js';

const landingsOf = (route: Route) => route.hops.map((hop) => hop.toVersion);
const parsed = (...rows: readonly (LooseEntry & { readonly version: string })[]) =>
  parseReleaseSafetyIndex(indexOf(...rows));

it('a route of twenty times the releases and hops takes as long as twenty of them, and not as four hundred', () => {
  const workOfRoutes = (routes: number, hops: number) => {
    const rows = Array.from({ length: hops * 10 }, (_, minor) => ({
      version: `1.${minor}.0`,
      previousVersion: minor === 0 ? null : `1.${minor - 1}.0`,
      minPreviousVersion: minor < 10 ? null : `1.${Math.floor(minor / 10) * 10 - 1}.0`,
    }));
    const [index, ends] = [parsed(...rows), { from: '1.0.0', to: `1.${rows.length - 1}.0` }];
    const rounds = Array.from({ length: 5 }, () => {
      const before = process.cpuUsage();
      for (let route = 0; route < routes; route++) expect(planRoute(index, ends).hops).toHaveLength(hops);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    });
    return Math.min(...rounds);
  };
  expect(workOfRoutes(1, 4000) / workOfRoutes(20, 200)).toBeLessThan(8);
});

describe('the real index', () => {
  it('0.1893.0 to 2.134.2 takes 7 hops, each up to a minimum previous version', () => {
    const route = planRoute(realIndex(), { from: '0.1893.0', to: '2.134.2' });
    expect(route.hops.map((hop) => [hop.toVersion, hop.reason, hop.demandedBy.length])).toEqual([
      ['0.3461.0', 'minimum-previous-version', 16],
      ['0.3471.1', 'minimum-previous-version', 6],
      ['0.3474.0', 'minimum-previous-version', 22],
      ['1.2.0', 'minimum-previous-version', 1],
      ['1.3.0', 'minimum-previous-version', 161],
      ['1.111.0', 'minimum-previous-version', 522],
      ['2.134.2', 'target', 0],
    ]);
    expect(route).toMatchObject({ certified: true, rolling: false, recreateHops: 7, blockedBy: null });
    expect(route.hops[5]?.demandedBy[0]).toBe('1.112.0');
  });

  it('0.1050.0 to 2.134.2 takes 8: the first, up to the floor, cannot be certified', () => {
    const route = planRoute(realIndex(), { from: '0.1050.0', to: 'latest' });
    expect(route.toVersion).toBe('2.134.2');
    expect(route.hops).toHaveLength(8);
    expect(route.hops[0]).toMatchObject({
      fromVersion: '0.1050.0',
      toVersion: '0.1893.0',
      reason: 'index-floor',
      strategy: 'Recreate',
      certified: false,
    });
    expect(route.hops.slice(1).every((hop) => hop.certified)).toBe(true);
    expect(route).toMatchObject({ certified: false, rolling: false });
  });

  it('rolls up to what nobody has proven, and behind it, to leave least to Recreate', () => {
    const ends = { from: parseVersion('1.195.0'), to: parseVersion('1.199.0') };
    const route = planWithWork(realIndex(), { ...ends, workOf: () => [0, 1, 0] });
    expect(route.hops.map((hop) => [hop.toVersion, hop.strategy, hop.reason])).toEqual([
      ['1.196.1', 'RollingUpdate', 'least-downtime'],
      ['1.198.0', 'Recreate', 'least-downtime'],
      ['1.199.0', 'RollingUpdate', 'target'],
    ]);
    expect(route).toMatchObject({ certified: true, rolling: false, recreateHops: 1, blockedBy: null });
    expect(landingsOf(planWithWork(realIndex(), ends))).toEqual(['1.199.0']);
    expect(landingsOf(planWithWork(realIndex(), { ...ends, workOf: () => [0, 0, 0] }))).toEqual(['1.199.0']);
  });

  it.each([
    ['1.198.1', '1.214.0', '1.215.0', 'unknown-release', 'unknown', ['1.214.0']],
    ['1.156.0', '1.156.0', '1.157.0', 'unknown-release', 'unknown', []],
    ['1.196.1', '1.196.1', '1.197.0', 'unsafe-release', false, []],
  ])('latest-rolling from %s is %s, blocked by %s', (from, toVersion, version, kind, verdict, landings) => {
    const route = planRoute(realIndex(), { from, to: 'latest-rolling' });
    expect(route).toMatchObject({ toVersion, blockedBy: { version, kind, verdict } });
    expect(landingsOf(route)).toEqual(landings);
    expect(route.certified).toBe(landings.length > 0);
    expect(route.rolling).toBe(landings.length > 0);
  });
});

describe('planRoute', () => {
  const a = { version: '1.0.0' };
  const b = { version: '1.1.0' };
  const c = { version: '1.2.0' };
  const d = { version: '1.3.0' };

  const stop = (...requiredStops: string[]) => ({ requiredStops });
  const minimum = (minPreviousVersion: string) => ({ minPreviousVersion });
  const at = '1.2.0:minimum-previous-version';

  it.each<[string, LooseEntry, LooseEntry, landings: string]>([
    ['one hop where no rule forbids it', {}, {}, ''],
    ['span rule 3: a stop is landed on, which satisfies it', {}, stop('1.1.0'), '1.1.0:required-stop'],
    ['span rule 3: a stop at the target', {}, stop('1.3.0'), ''],
    ['span rule 5: a release marked as a stop', { syntheticRequiredStop: true }, {}, '1.1.0:required-stop'],
    ['span rule 3: a stop that runs', {}, stop('1.0.0'), ''],
    [
      'span rule 3: a landing between a stop and the release that lists it does not skip the stop',
      {},
      { ...stop('1.1.0'), ...minimum('1.2.0') },
      `1.1.0:required-stop ${at}`,
    ],
    ['span rule 4: the furthest landing before the release that sets it', {}, minimum('1.1.0'), at],
    ['span rule 4: a minimum that is met', minimum('1.0.0'), {}, ''],
  ])('%s', (_, ofB, ofD, landings) => {
    const route = planRoute(parsed(a, { ...b, ...ofB }, c, { ...d, ...ofD }), { from: '1.0.0', to: '1.3.0' });
    expect(route.hops.map((hop) => `${hop.toVersion}:${hop.reason}`).join(' ')).toBe(
      `${landings} 1.3.0:target`.trim(),
    );
    expect(route).toMatchObject({ certified: true, blockedBy: null });
  });

  it('span rule 3: a minimum before a stop takes nothing from the stop', () => {
    const unsafeStop = { ...c, rollingUpdateSafe: false, syntheticRequiredStop: true };
    const index = parsed(a, b, unsafeStop, { ...d, ...minimum('1.1.0') });
    const ends = { from: parseVersion('1.0.0'), to: parseVersion('1.3.0') };
    const workOf = (version: string) => [0, version === '1.3.0' ? 0 : 1, 0] as const;
    expect(landingsOf(planWithWork(index, { ...ends, workOf }))).toEqual(['1.1.0', '1.2.0', '1.3.0']);
  });

  const all = [a, b, c];
  it.each([
    [
      'span rule 3: a stop that the index does not hold',
      [...all, { ...d, ...stop('1.1.5') }],
      { kind: 'required-stop', version: '1.3.0', stop: '1.1.5', demandedBy: ['1.3.0'] },
      '1.2.0',
    ],
    [
      'span rule 3: a stop that the index does not hold, newer than the release that lists it',
      [a, { ...b, ...stop('1.1.5') }, c, d],
      { kind: 'required-stop', version: '1.2.0', stop: '1.1.5', demandedBy: ['1.1.0'] },
      '1.1.0',
    ],
    [
      'span rule 3: several stops that the index does not hold: the oldest is the first in the way',
      [a, { ...b, ...stop('1.2.5', '1.1.5', '1.2.6') }, c, d],
      { kind: 'required-stop', version: '1.2.0', stop: '1.1.5' },
      '1.1.0',
    ],
    [
      'span rule 4: a minimum that no release before it meets',
      [...all, { ...d, ...minimum('1.2.5') }],
      { kind: 'below-minimum-version', version: '1.3.0', minimum: '1.2.5' },
      '1.2.0',
    ],
    [
      'span rule 4: a minimum that is its own release',
      [a, { ...b, ...minimum('1.1.0') }, c, d],
      { kind: 'below-minimum-version', version: '1.1.0', minimum: '1.1.0' },
      '1.0.0',
    ],
    [
      'span rule 7: a target that the index does not hold',
      all,
      {
        kind: 'missing-coverage',
        version: '1.3.0',
        range: { afterVersion: '1.3.0', beforeVersion: '1.3.0' },
      },
      '1.2.0',
    ],
  ])('no route: %s', (_, rows, block, reachableVersion) => {
    const route = planRoute(parsed(...rows), { from: '1.0.0', to: '1.3.0' });
    const blockedBy = { ...block, reachableVersion };
    expect(route).toMatchObject({ hops: [], certified: false, rolling: false, blockedBy });
  });

  it.each([
    ['1.3.0', '1.0.5', [b, c, d], '1.1.0'],
    ['latest-rolling', '1.1.0', [b, c, d], '1.0.0'],
    ['latest-rolling', '1.1.0', [a, b, c, d], '1.0.0'],
    ['1.0.0', '1.1.0', [b, c, d], '1.0.0'],
    ['1.0.0', '1.1.0', [a, b, c, d], '1.0.0'],
  ] as const)('span rule 5: from below the floor to %s, the floor %s: %#', (to, floor, rows, version) => {
    const index = parseReleaseSafetyIndex({ ...indexOf(...rows), backfillFloorVersion: floor });
    const blockedBy = { kind: 'below-index-floor', version, floor, reachableVersion: '1.0.0' };
    expect(planRoute(index, { from: '1.0.0', to })).toMatchObject({ hops: [], certified: false, blockedBy });
  });

  it('span rule 7: a hop from a version that the index does not hold is shown, and not certified', () => {
    const route = planRoute(parsed(a, b, c, d), { from: '1.0.5', to: '1.3.0' });
    expect(route).toMatchObject({ certified: false, rolling: false, recreateHops: 1, blockedBy: null });
    expect(route.hops).toMatchObject([{ certified: false, strategy: 'Recreate', verdict: 'unknown' }]);
  });

  it('span rule 7: a hop over a gap is not certified, and latest-rolling ends before it', () => {
    const index = parsed(a, b, { ...c, previousVersion: '1.1.5' }, d);
    expect(planRoute(index, { from: '1.0.0', to: 'latest' })).toMatchObject({ certified: false });
    expect(planRoute(index, { from: '1.0.0', to: 'latest-rolling' })).toMatchObject({
      toVersion: '1.1.0',
      certified: true,
      rolling: true,
      blockedBy: {
        kind: 'missing-coverage',
        version: '1.2.0',
        verdict: true,
        range: { afterVersion: '1.1.0', beforeVersion: '1.2.0' },
      },
    });
  });

  it('span rule 6: latest-rolling ends before a backfilled release, whatever it says', () => {
    const index = parsed(a, b, { ...c, backfilled: true }, d);
    expect(planRoute(index, { from: '1.0.0', to: 'latest' })).toMatchObject({
      certified: true,
      rolling: false,
      hops: [{ strategy: 'Recreate', unknownVersions: ['1.2.0'] }],
    });
    const { blockedBy, ...route } = planRoute(index, { from: '1.0.0', to: 'latest-rolling' });
    expect(route).toMatchObject({ toVersion: '1.1.0', rolling: true });
    expect(blockedBy).toMatchObject({
      kind: 'unknown-release',
      rule: 6,
      version: '1.2.0',
      verdict: 'unknown',
    });
    expect(blockedBy === null ? '' : describeBlock(blockedBy)).toBe(
      '1.2.0 is backfilled, so its verdict true proves nothing (span rule 6)',
    );
  });

  it('names the releases of a hop that are not proven, and those that demand its landing', () => {
    const rows = [
      a,
      { ...b, rollingUpdateSafe: false },
      { ...c, rollingUpdateSafe: 'unknown' },
      { ...d, minPreviousVersion: '1.1.0' },
    ];
    expect(planRoute(parsed(...rows), { from: '1.0.0', to: '1.3.0' }).hops).toMatchObject([
      { demandedBy: ['1.3.0'], unsafeVersions: ['1.1.0'], unknownVersions: ['1.2.0'] },
      { demandedBy: [], unsafeVersions: [], unknownVersions: [] },
    ]);
  });

  it.each([
    ['the newest release already', '1.3.0', 'latest', true],
    ['the newest release already', '1.3.0', 'latest-rolling', true],
    ['the target already', '1.1.0', '1.1.0', true],
    ['the target already, which the index does not hold', '1.1.5', '1.1.5', false],
    ['newer than the index', '1.4.0', 'latest', false],
    ['newer than the index', '1.4.0', 'latest-rolling', false],
  ])('%s: %s to %s has no hops', (_, from, to, certified) => {
    const route = planRoute(parsed(a, b, c, d), { from, to });
    expect(route).toMatchObject({
      fromVersion: from,
      toVersion: from,
      hops: [],
      certified,
      rolling: certified,
    });
    expect(route.blockedBy?.kind).toBe(certified ? undefined : 'missing-coverage');
  });

  it.each([
    ['1.2.0', '1.1.0', 'downgrade'],
    ['1.2', '1.3.0', 'invalid-version'],
    ['1.2.0', 'newest', 'invalid-version'],
    ['latest', '1.3.0', 'invalid-version'],
  ])('refuses %s to %s: %s', (from, to, code) => {
    expect(() => planRoute(parsed(a, b, c, d), { from, to })).toThrow(expect.objectContaining({ code }));
  });
});

it.each([
  [undefined, false],
  [3, false],
  [4, false],
  [2, true],
  [0, true],
  [Number.NaN, true],
])('three hops are too many where %s are allowed: %s', (maxHops, tooMany) => {
  const { hops } = planRoute(realIndex(), { from: '1.2.0', to: '2.134.2' });
  expect(hops).toHaveLength(3);
  expect(hasTooManyHops({ hops }, maxHops)).toBe(tooMany);
});

describe('any small index', () => {
  const anyVerdict = fc.constantFrom<boolean | 'unknown'>(true, true, true, false, 'unknown');
  const runs = countedRuns(2000);

  it('the route is a shortest one of breadth-first search, and of those the one with the furthest landings', () => {
    const seen = { none: 0, several: 0 };
    fc.assert(
      fc.property(smallIndex(anyVerdict), ({ index, from, to }) => {
        fc.pre(from !== to);
        const route = planRoute(index, { from, to });
        const [best] = shortestRoutes(index, { from, to }).sort(furthestFirst);
        expect(landingsOf(route)).toEqual(best ?? []);
        expect(route.blockedBy === null).toBe(best !== undefined);
        if (best === undefined) seen.none++;
        else if (best.length > 1) seen.several++;
      }),
      runs,
    );
    expect(seen.none).toBeGreaterThan(propertyRuns(25));
    expect(seen.several).toBeGreaterThan(propertyRuns(25));
  });

  it('hops chain from the start to the target, each with the verdict of its own span', () => {
    fc.assert(
      fc.property(smallIndex(anyVerdict), ({ index, from, to }) => {
        const route = planRoute(index, { from, to });
        let at = from;
        for (const hop of route.hops) {
          expect(hop.fromVersion).toBe(at);
          at = hop.toVersion;
          expect(mayTake(index, { from, to }, hop.fromVersion, hop.toVersion)).toBe(true);
          const span = evaluateSpan(index, { from: hop.fromVersion, to: hop.toVersion });
          expect(hop.verdict).toBe(span.verdict);
          expect(hop.missingRanges).toEqual(span.missingRanges);
          expect(hop.releases).toEqual(span.coveredVersions);
          const floor = index.backfillFloorVersion;
          const belowFloor = floor !== null && compareVersions(hop.fromVersion, floor) < 0;
          expect(hop.certified).toBe(span.missingRanges.length === 0 && !belowFloor);
          expect(hop.strategy).toBe(span.verdict === true && hop.certified ? 'RollingUpdate' : 'Recreate');
        }
        if (route.hops.length > 0) expect(at).toBe(to);
        expect(route.recreateHops).toBe(route.hops.filter((hop) => hop.strategy === 'Recreate').length);
        expect(route.certified).toBe(route.blockedBy === null && route.hops.every((hop) => hop.certified));
        expect(route.rolling).toBe(route.certified && route.recreateHops === 0);
      }),
      runs,
    );
  });

  it('a landing is demanded by the releases beyond it that it satisfies and the start of its hop does not', () => {
    fc.assert(
      fc.property(smallIndex(anyVerdict), ({ index, from, to }) => {
        const inSpan = index.entries.filter(
          ({ version }) => compareVersions(version, from) > 0 && compareVersions(version, to) <= 0,
        );
        for (const hop of planRoute(index, { from, to }).hops) {
          const demands = (entry: (typeof inSpan)[number]) => {
            if (hop.reason === 'target') return false;
            if (hop.reason !== 'minimum-previous-version') return stopsOf(entry).includes(hop.toVersion);
            const minimum = entry.minPreviousVersion ?? hop.fromVersion;
            return (
              compareVersions(entry.version, hop.toVersion) > 0 &&
              compareVersions(minimum, hop.fromVersion) > 0 &&
              compareVersions(minimum, hop.toVersion) <= 0
            );
          };
          expect(hop.demandedBy).toEqual(inSpan.filter(demands).map((entry) => entry.version));
          if (hop.reason !== 'target' && hop.reason !== 'index-floor') expect(hop.demandedBy).not.toEqual([]);
        }
      }),
      runs,
    );
  });

  it('where there is no route, there is one up to the reachable version, and none to the next release', () => {
    fc.assert(
      fc.property(smallIndex(anyVerdict), ({ index, from, to }) => {
        const { blockedBy } = planRoute(index, { from, to });
        if (blockedBy === null || blockedBy.reachableVersion === from) return;
        expect(planRoute(index, { from, to: blockedBy.reachableVersion }).blockedBy).toBeNull();
        expect(planRoute(index, { from, to: blockedBy.version }).blockedBy).not.toBeNull();
      }),
      runs,
    );
  });

  it('what blocks a route is as the index has it', () => {
    const older = (a: string, b: string) => compareVersions(a, b) < 0;
    fc.assert(
      fc.property(smallIndex(anyVerdict), fc.boolean(), ({ index, from, to }, rolling) => {
        const { entries, backfillFloorVersion: floor } = index;
        const entryOf = (version: string) => entries.find((entry) => entry.version === version);
        const { blockedBy: block } = planRoute(index, { from, to: rolling ? 'latest-rolling' : to });
        const entry = block === null ? undefined : entryOf(block.version);
        switch (block?.kind) {
          case 'missing-coverage': {
            const { afterVersion, beforeVersion } = block.range;
            if (afterVersion === beforeVersion) expect(entryOf(afterVersion)).toBeUndefined();
            else expect(entryOf(beforeVersion)?.previousVersion).not.toBe(afterVersion);
            break;
          }
          case 'below-index-floor':
            expect({ floor, isBelow: older(from, block.floor) }).toEqual({
              floor: block.floor,
              isBelow: true,
            });
            break;
          case 'required-stop':
            expect(entryOf(block.stop)).toBeUndefined();
            for (const version of block.demandedBy)
              expect(entryOf(version)?.requiredStops).toContain(block.stop);
            break;
          case 'below-minimum-version':
            expect(entry?.minPreviousVersion).toBe(block.minimum);
            expect(older(block.reachableVersion, block.minimum)).toBe(true);
            break;
          case 'unsafe-release':
            expect(entry?.rollingUpdateSafe).toBe(false);
            break;
          case 'unknown-release':
            expect(entry?.backfilled === true || entry?.rollingUpdateSafe === 'unknown').toBe(true);
        }
      }),
      runs,
    );
  });

  it('latest-rolling is the newest release to which every hop of a route is rolling', () => {
    const mostlyTrue = fc.constantFrom(...Array<boolean>(9).fill(true), 'unknown' as const);
    let reached = 0;
    fc.assert(
      fc.property(smallIndex(mostlyTrue), ({ index, from }) => {
        const isRolling = (a: string, b: string) =>
          evaluateSpan(index, { from: a, to: b }).verdict === true &&
          (index.backfillFloorVersion === null || compareVersions(a, index.backfillFloorVersion) >= 0);
        const newest = index.entries.at(-1)?.version;
        const reachable = index.entries
          .map((entry) => entry.version)
          .filter((to) =>
            shortestRoutes(index, { from, to }).some((route) =>
              route.every((landing, i) => isRolling(route[i - 1] ?? from, landing)),
            ),
          );
        const route = planRoute(index, { from, to: 'latest-rolling' });
        expect(route.toVersion).toBe(reachable.at(-1) ?? from);
        expect(route.hops.length > 0).toBe(reachable.length > 0);
        if (reachable.length === 0) return;
        expect(route.rolling).toBe(true);
        expect(route.blockedBy === null).toBe(reachable.at(-1) === newest);
        reached++;
      }),
      runs,
    );
    expect(reached).toBeGreaterThan(propertyRuns(50));
  });
});

it.each<[string, boolean, boolean]>([
  ['1.0.0', false, false],
  ['1.1.0', false, false],
  ['1.0.5', true, true],
  ['2.0.0', true, true],
  // Below the floor no index says anything; without a floor it says all there is.
  ['0.9.0', false, true],
])('an index ought to hold %s, and does not: %s, without a floor %s', (version, expected, withoutFloor) => {
  const json = indexOf({ version: '1.0.0' }, { version: '1.1.0' });
  const bottomless = parseReleaseSafetyIndex({ ...json, backfillFloorVersion: null });
  expect(isNoRelease(parseReleaseSafetyIndex(json), parseVersion(version))).toBe(expected);
  expect(isNoRelease(bottomless, parseVersion(version))).toBe(withoutFloor);
});

it.each([
  [true, [], true],
  [false, [], false],
  [true, ['RollingUpdate', 'RollingUpdate'], true],
  [true, ['RollingUpdate', 'Recreate'], false],
  [false, ['RollingUpdate'], false],
] as const)('certified (%s), hops of %j may roll: %s', (certified, strategies, rolls) => {
  const hops = strategies.map((strategy) => ({ strategy }) as Route['hops'][number]);
  expect(mayRoll({ certified, hops })).toBe(rolls);
});

it('refuses a target behind the version that runs, and no name', () => {
  const [one, two] = ['1.0.1', '1.0.2'].map(parseVersion);
  for (const [from, to] of [
    [one, two],
    [one, one],
    [two, 'latest'],
    [undefined, one],
  ] as const) {
    expect(() => requireTargetAhead({ from, to })).not.toThrow();
  }
  expect(() => requireTargetAhead({ from: two, to: one })).toThrow(/1\.0\.1/);
});
