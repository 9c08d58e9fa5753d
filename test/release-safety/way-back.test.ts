import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  parseReleaseArtifact,
  parseReleaseArtifactText,
  type ReleaseArtifact,
} from '../../src/release-safety/artifact.js';
import { type AppliedIssue, parseReleaseSafetyIndexText } from '../../src/release-safety/parse-index.js';
import { planRoute, type RouteHop } from '../../src/release-safety/route.js';
import { requireVersion } from '../../src/release-safety/version.js';
import {
  flagKnownFrom,
  type KnownOfRoute,
  startsOnNewerDatabase,
  type WayBack,
  withWaysBack,
} from '../../src/release-safety/way-back.js';
import { inventedArtifact, type LooseArtifact, realArtifactText } from '../support/artifacts.js';
import { propertyRuns } from '../support/property-runs.js';
import { indexOf, realIndex } from '../support/real-index.js';

const routeOf = (from: string, to: string) =>
  planRoute(realIndex(), { from: requireVersion(from), to: requireVersion(to) }).hops;

const routeAlone = planRoute(realIndex(), {
  from: requireVersion('1.121.0'),
  to: requireVersion('1.122.0'),
});

/** Invented artifacts of all releases of the real index that have one, each without migrations but for these. */
function artifactsWith(
  fields: Readonly<Record<string, readonly string[] | LooseArtifact | 'missing'>>,
  from: string,
  to: string,
): ReadonlyMap<string, ReleaseArtifact> {
  const versions = new Set<string>(routeOf(from, to).flatMap(({ releases }) => releases));
  return new Map(
    realIndex().entries.flatMap((entry) => {
      const of = fields[entry.version];
      if (!versions.has(entry.version) || entry.backfilled || of === 'missing') return [];
      const loose = Array.isArray(of) ? { migrations: migrations(of) } : (of as LooseArtifact | undefined);
      return [[entry.version, parseReleaseArtifact(inventedArtifact(entry, loose))] as const];
    }),
  );
}

function migrations(names: readonly string[]) {
  return {
    present: names.length > 0,
    count: names.length,
    coreCount: names.length,
    eeCount: 0,
    files: names.map((name) => ({
      name,
      edition: 'core',
      tables: [],
      heaviness: { locksTable: false, rewritesTable: false, scansTable: false },
    })),
  };
}

const waysBack = (hops: readonly RouteHop[], known: KnownOfRoute) =>
  withWaysBack({ ...routeAlone, hops }, known).hops.map(({ wayBack }) => wayBack);

const told = (ways: readonly WayBack[]) =>
  ways.map(({ needs, because }) => [needs, ...because.map(({ kind }) => kind)].join(' '));

const newest = '20260809000000_newest';
const later = '20260811122500_create_migration_run_ledger.ts';
const earlier = '20260801000000_back_dated.ts';

it('knows nothing of any release where nothing is given', () => {
  expect(withWaysBack(routeAlone).hops.map(({ wayBack }) => wayBack)).toEqual(
    routeAlone.hops.map(({ releases }) => ({
      needs: 'backup',
      because: [{ kind: 'migrations-not-told', versions: releases }],
    })),
  );
});

describe('what going back from a hop costs, on the real index', () => {
  it.each<
    [
      string,
      readonly [string, string],
      Readonly<Record<string, readonly string[] | LooseArtifact | 'missing'>>,
      string | undefined,
      readonly string[],
    ]
  >([
    ['no release migrates', ['1.121.0', '1.122.0'], {}, undefined, ['code no-migrations']],
    ['no release migrates, and one is false', ['2.115.0', '2.117.0'], {}, undefined, ['code no-migrations']],
    [
      'an image of 1.123.0 starts on a newer database',
      ['1.123.0', '1.124.0'],
      { '1.123.1': [later] },
      newest,
      ['code starts-on-newer-database'],
    ],
    [
      'the same, and it is not known which migrations it holds',
      ['1.123.0', '1.124.0'],
      { '1.123.1': [later] },
      undefined,
      ['backup order-not-known'],
    ],
    [
      'PR#28031: one sorts before the newest that it holds',
      ['1.123.0', '1.124.0'],
      { '1.123.1': [later], '1.124.0': [earlier] },
      newest,
      ['backup sorts-before'],
    ],
    [
      'one with a name that tells no time',
      ['1.123.0', '1.124.0'],
      { '1.123.1': ['add_index.ts'] },
      newest,
      ['backup sorts-before'],
    ],
    [
      'one with a time behind the start of its name',
      ['1.123.0', '1.124.0'],
      { '1.123.1': ['add_20260811122500_index.ts'] },
      newest,
      ['backup sorts-before'],
    ],
    [
      'the newest that it holds, once more',
      ['1.123.0', '1.124.0'],
      { '1.123.1': [`${newest}.ts`] },
      newest,
      ['backup sorts-before'],
    ],
    [
      '#9188: the last image before 1.123.0 knows the flag',
      ['1.122.0', '1.123.0'],
      { '1.123.0': [later] },
      undefined,
      ['flag starts-with-flag'],
    ],
    [
      '#9188: of one before that it is not known',
      ['1.121.1', '1.123.0'],
      { '1.123.0': [later] },
      newest,
      ['backup refuses-newer-database'],
    ],
    [
      'an artifact is missing',
      ['1.123.0', '1.124.0'],
      { '1.124.0': 'missing' },
      newest,
      ['backup migrations-not-told'],
    ],
    [
      'an artifact does not tell',
      ['1.123.0', '1.124.0'],
      { '1.124.0': { migrations: { ...migrations([]), present: 'unknown' } } },
      newest,
      ['backup migrations-not-told'],
    ],
    [
      'an artifact has no such section',
      ['1.123.0', '1.124.0'],
      { '1.124.0': { migrations: undefined } },
      newest,
      ['backup migrations-not-told'],
    ],
    [
      'an artifact that was compared with another release',
      ['1.123.0', '1.124.0'],
      { '1.124.0': { previousVersion: '1.123.0' } },
      newest,
      ['backup migrations-not-told'],
    ],
    [
      'an artifact that does not confirm the verdict',
      ['1.123.0', '1.124.0'],
      {
        '1.123.1': {
          migrations: migrations([later]),
          compatibility: { rollingUpdateSafe: 'unknown', recommendedStrategy: 'Recreate' },
        },
      },
      newest,
      ['backup old-code-not-proven'],
    ],
    [
      'a break that is declared in spite of the verdict',
      ['1.123.0', '1.124.0'],
      { '1.123.1': { migrations: migrations([later]), declaredBreaks: [{ reason: 'a column is gone' }] } },
      newest,
      ['backup old-code-not-proven'],
    ],
    [
      'old code that is not proven to work, on an old image too',
      ['1.121.1', '1.123.0'],
      { '1.122.0': { migrations: migrations([later]), declaredBreaks: [{ reason: 'a column is gone' }] } },
      newest,
      ['backup old-code-not-proven refuses-newer-database'],
    ],
    ['backfilled releases', ['1.111.0', '1.115.0'], {}, newest, ['backup migrations-not-told']],
    [
      'from below the index floor',
      ['0.1050.0', '0.1895.0'],
      {},
      newest,
      ['backup hop-not-covered', 'backup migrations-not-told'],
    ],
    ['from a version that the index lacks', ['1.112.7', '1.115.0'], {}, newest, ['backup hop-not-covered']],
  ])('%s', (_, [from, to], fields, newestMigration, ways) => {
    const artifacts = artifactsWith(fields, from, to);
    expect(told(waysBack(routeOf(from, to), { artifacts, newestMigration }))).toEqual(ways);
  });

  it('by the four real artifacts, which bring no migration', () => {
    const real = (['1.121.0', '1.136.1', '2.133.1', '2.134.2'] as const).map((version) => {
      const artifact = parseReleaseArtifactText(realArtifactText(version));
      const [from, to] = [artifact.previousVersion ?? '', version];
      return told(
        waysBack(routeOf(from, to), {
          artifacts: new Map([[version, artifact]]),
          newestMigration: undefined,
        }),
      );
    });
    expect(real).toEqual(Array(4).fill(['code no-migrations']));
  });

  it('by the index alone, the backup: a verdict tells of no migrations', () => {
    const ways = waysBack(routeOf('0.1893.0', '2.134.2'), {
      artifacts: new Map(),
      newestMigration: undefined,
    });
    expect(ways.length).toBeGreaterThan(3);
    expect(new Set(told(ways))).toEqual(new Set(['backup migrations-not-told']));
  });

  it('names what the words need', () => {
    const artifacts = artifactsWith({ '1.123.0': [later] }, '1.121.1', '1.123.0');
    const [refused] = waysBack(routeOf('1.121.1', '1.123.0'), { artifacts, newestMigration: undefined });
    expect(refused?.because).toEqual([
      {
        kind: 'refuses-newer-database',
        version: '1.121.1',
        flag: 'ALLOW_MISSING_MIGRATIONS',
        knownFrom: '1.122.0',
      },
    ]);
    const fewer = artifactsWith({ '1.122.0': 'missing' }, '1.121.1', '1.123.0');
    const [untold] = waysBack(routeOf('1.121.1', '1.123.0'), {
      artifacts: fewer,
      newestMigration: undefined,
    });
    expect(untold?.because).toEqual([{ kind: 'migrations-not-told', versions: ['1.122.0'] }]);
    const [unproven] = waysBack(routeOf('2.115.0', '2.117.0'), {
      artifacts: artifactsWith({ '2.116.0': [later] }, '2.115.0', '2.117.0'),
      newestMigration: newest,
    });
    expect(unproven?.because).toEqual([{ kind: 'old-code-not-proven', versions: ['2.117.0'] }]);
    const [flagged] = waysBack(routeOf('1.122.0', '1.123.0'), { artifacts, newestMigration: undefined });
    expect(flagged?.because).toEqual([
      {
        kind: 'starts-with-flag',
        migrations: 1,
        flag: 'ALLOW_MISSING_MIGRATIONS',
        knownFrom: '1.122.0',
        neededBelow: '1.123.0',
      },
    ]);
  });

  it('the release that is certain to know the flag is the one right before that which needs it no more', () => {
    const after = realIndex().entries.find(({ version }) => version === startsOnNewerDatabase);
    expect(after?.previousVersion).toBe(flagKnownFrom);
    const known = realIndex().entries.find(({ version }) => version === flagKnownFrom);
    expect((known?.releaseDate ?? '') > '2026-05-16').toBe(true);
  });
});

/** Three releases, the second a stop, all after 1.123.0: two hops. */
const twoHops = parseReleaseSafetyIndexText(
  JSON.stringify(
    indexOf({ version: '2.0.0' }, { version: '2.1.0' }, { version: '2.2.0', requiredStops: ['2.1.0'] }),
  ),
);

function twoHopsWith(first: readonly string[] | undefined, second: readonly string[]) {
  const artifacts = new Map(
    twoHops.entries.flatMap((entry) => {
      const names = entry.version === '2.1.0' ? first : second;
      if (entry.version === '2.0.0' || names === undefined) return [];
      return [
        [
          entry.version as string,
          parseReleaseArtifact(inventedArtifact(entry, { migrations: migrations(names) })),
        ],
      ];
    }),
  );
  const { hops } = planRoute(twoHops, { from: requireVersion('2.0.0'), to: requireVersion('2.2.0') });
  return told(waysBack(hops, { artifacts, newestMigration: '20260801000000_old' }));
}

describe('the second of two hops', () => {
  it.each<[string, readonly string[] | undefined, readonly string[], readonly string[]]>([
    [
      'newer than all that the first brings',
      ['20260901000000_a'],
      ['20260902000000_b'],
      ['code starts-on-newer-database', 'code starts-on-newer-database'],
    ],
    [
      'older than what the first brings',
      ['20260903000000_a', '20260901000000_c'],
      ['20260902000000_b'],
      ['code starts-on-newer-database', 'backup sorts-before'],
    ],
    [
      'the same as what the first brings, whatever its file ends in',
      ['20260902000000_b.ts'],
      ['20260902000000_b.js'],
      ['code starts-on-newer-database', 'backup sorts-before'],
    ],
    [
      'the first is not told',
      undefined,
      ['20260902000000_b'],
      ['backup migrations-not-told', 'backup order-not-known'],
    ],
    ['neither migrates', [], [], ['code no-migrations', 'code no-migrations']],
  ])('%s', (_, first, second, ways) => {
    expect(twoHopsWith(first, second)).toEqual(ways);
  });
});

it('a known issue that holds of the hop leaves the backup alone', () => {
  const issue: AppliedIssue = {
    id: 'x',
    summary: 'it breaks',
    version: requireVersion('1.123.1'),
    effect: { kind: 'recreate' },
    remedy: 'stop the pods',
    notKnown: [],
  };
  const ways = waysBack(
    routeOf('1.123.0', '1.124.0').map((hop) => ({ ...hop, knownIssues: [issue] })),
    { artifacts: artifactsWith({ '1.123.1': [later] }, '1.123.0', '1.124.0'), newestMigration: newest },
  );
  expect(ways).toEqual([{ needs: 'backup', because: [{ kind: 'issues-hold', ids: ['x'] }] }]);
});

it('a hop over no release is none to go back from by code alone', () => {
  const hops = routeOf('1.123.0', '1.124.0').map((hop) => ({ ...hop, releases: [] }));
  const ways = waysBack(hops, { artifacts: new Map(), newestMigration: newest });
  expect(told(ways)).toEqual(['backup hop-not-covered']);
});

it('a hop that is not proven as a whole needs the backup, whatever is said of its releases', () => {
  const known = {
    artifacts: artifactsWith({ '1.123.1': [later] }, '1.123.0', '1.124.0'),
    newestMigration: newest,
  };
  const hops = routeOf('1.123.0', '1.124.0').map((hop) => ({ ...hop, verdict: 'unknown' as const }));
  expect(hops[0]?.unknownVersions).toEqual([]);
  const because = [{ kind: 'old-code-not-proven', versions: hops[0]?.releases }];
  expect(waysBack(hops, known)).toEqual([{ needs: 'backup', because }]);
});

it('from below the index floor, whatever else is told', () => {
  const known = { artifacts: artifactsWith({}, '1.123.0', '1.124.0'), newestMigration: newest };
  const hops = routeOf('1.123.0', '1.124.0').map((hop) => ({ ...hop, belowIndexFloor: true }));
  expect(told(waysBack(hops, known))).toEqual(['backup hop-not-covered']);
});

const cost = { code: 0, flag: 1, backup: 2 };

it('never costs less where less is known', () => {
  const spans = [
    ['1.122.0', '1.123.0'],
    ['1.123.0', '1.124.0'],
    ['1.121.0', '1.125.0'],
    ['1.123.1', '1.134.0'],
  ] as const;
  const names = fc.array(
    fc.constantFrom('20260701000000_a.ts', '20260811000000_b.ts', '20260812000000_c.ts', 'd.ts'),
    { maxLength: 2 },
  );
  const known = fc.constantFrom(...spans).chain(([from, to]) => {
    const hops = routeOf(from, to);
    const releases: readonly string[] = hops.flatMap((hop) => hop.releases);
    return fc.record({
      hops: fc.constant(hops),
      names: fc.array(names, { minLength: releases.length, maxLength: releases.length }),
      newestMigration: fc.constantFrom(undefined, '20260801000000_n', '20260811120000_n'),
      span: fc.constant([from, to] as const),
      releases: fc.constant(releases),
    });
  });
  const seen = new Set<string>();
  fc.assert(
    fc.property(known, fc.nat(), fc.nat(3), (one, at, how) => {
      const fields = Object.fromEntries(one.releases.map((version, i) => [version, one.names[i] ?? []]));
      const artifacts = artifactsWith(fields, ...one.span);
      const all: KnownOfRoute = { artifacts, newestMigration: one.newestMigration };
      const version = one.releases[at % one.releases.length] ?? '';
      const lessHops = one.hops.map((hop) =>
        hop.releases.includes(version as never)
          ? { ...hop, verdict: 'unknown' as const, unknownVersions: [version as never] }
          : hop,
      );
      const without = new Map([...artifacts].filter(([key]) => key !== version));
      const artifact = artifacts.get(version);
      const silent = new Map(artifacts);
      if (artifact !== undefined) silent.set(version, { ...artifact, migrations: undefined });
      const less = [
        waysBack(one.hops, { ...all, artifacts: without }),
        waysBack(one.hops, { ...all, newestMigration: undefined }),
        waysBack(lessHops, all),
        waysBack(one.hops, { ...all, artifacts: silent }),
      ][how];
      for (const [i, way] of waysBack(one.hops, all).entries()) {
        seen.add(way.needs);
        expect(cost[less?.[i]?.needs ?? 'code']).toBeGreaterThanOrEqual(cost[way.needs]);
      }
    }),
    { numRuns: propertyRuns(400) },
  );
  expect([...seen].sort()).toEqual(['backup', 'code', 'flag']);
});
