import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  parseReleaseArtifact,
  parseReleaseArtifactText,
  type ReleaseArtifact,
} from '../../../src/core/artifact/artifact.js';
import { parseReleaseSafetyIndexText } from '../../../src/core/index/parse-index.js';
import type { AppliedIssue } from '../../../src/core/results.js';
import { planRoute, type RouteHop } from '../../../src/core/route/route.js';
import {
  flagKnownFrom,
  type KnownOfRoute,
  startsOnNewerDatabase,
  type WayBack,
  withWaysBack,
} from '../../../src/core/route/way-back.js';
import { requireVersion } from '../../../src/core/version.js';
import { inventedArtifact, type LooseArtifact, realArtifactText } from '../../support/artifacts.js';
import { propertyRuns } from '../../support/property-runs.js';
import { indexOf, realIndex } from '../../support/real-index.js';

const routeOf = (from: string, to: string) =>
  planRoute(realIndex(), { from: requireVersion(from), to: requireVersion(to) }).hops;

const routeAlone = planRoute(realIndex(), { from: requireVersion('1.121.0'), to: requireVersion('1.122.0') });

/** By release: the migrations that its artifact lists, other fields of it, or that it is missing. */
type Migrating = Readonly<Record<string, readonly string[] | LooseArtifact | 'missing'>>;

/** Invented artifacts of all releases of the real index that have one, each without migrations but for these. */
function artifactsWith(fields: Migrating, from: string, to: string): ReadonlyMap<string, ReleaseArtifact> {
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
  const { present: _, ...none } = migrations([]);
  const declaredBreaks = [{ reason: 'a column is gone' }];
  const unproven = { rollingUpdateSafe: 'unknown', recommendedStrategy: 'Recreate' };

  const first = (fields: LooseArtifact): Migrating => ({
    '1.123.1': { migrations: migrations([later]), ...fields },
  });
  const second = (fields: LooseArtifact | 'missing'): Migrating => ({ '1.124.0': fields });
  const notTold = 'backup migrations-not-told';
  const old: Migrating = { '1.123.0': [later] };
  const broken = { '1.122.0': { migrations: migrations([later]), declaredBreaks } };

  /** From 1.123.0 to 1.124.0 unless others are named, of which 1.123.1 is the first. */
  it.each<[string, Migrating, way: string, newest?: string | undefined, span?: string]>([
    ['no release migrates', {}, 'code no-migrations', undefined, '1.121.0 1.122.0'],
    ['no release migrates, one is false', {}, 'code no-migrations', undefined, '2.115.0 2.117.0'],
    ['it starts on a newer database', first({}), 'code starts-on-newer-database', newest],
    ['its newest migration is not known', first({}), 'backup order-not-known'],
    ['PR#28031: sorts before', { '1.123.1': [later], '1.124.0': [earlier] }, 'backup sorts-before', newest],
    ['a name without a time', { '1.123.1': ['add_index.ts'] }, 'backup sorts-before', newest],
    ['a time further on', { '1.123.1': ['add_20260811122500_index.ts'] }, 'backup sorts-before', newest],
    ['the newest that it holds, again', { '1.123.1': [`${newest}.ts`] }, 'backup sorts-before', newest],
    ['#9188: it knows the flag', old, 'flag starts-with-flag', undefined, '1.122.0 1.123.0'],
    ['#9188: it may not know it', old, 'backup refuses-newer-database', newest, '1.121.1 1.123.0'],
    ['an artifact is missing', second('missing'), notTold, newest],
    ['an artifact does not say', second({ migrations: { ...none, present: 'unknown' } }), notTold, newest],
    ['no such section', second({ migrations: undefined }), notTold, newest],
    ['compared with another', second({ previousVersion: '1.123.0' }), notTold, newest],
    ['its verdict unconfirmed', first({ compatibility: unproven }), 'backup old-code-not-proven', newest],
    ['a break is declared', first({ declaredBreaks }), 'backup old-code-not-proven', newest],
    [
      ...(['old code that is not proven, on an old image too', broken] as const),
      ...(['backup old-code-not-proven refuses-newer-database', newest, '1.121.1 1.123.0'] as const),
    ],
    ['backfilled releases', {}, notTold, newest, '1.111.0 1.115.0'],
    ['from below the floor', {}, `backup hop-not-covered, ${notTold}`, newest, '0.1050.0 0.1895.0'],
    ['from a version that the index lacks', {}, 'backup hop-not-covered', newest, '1.112.7 1.115.0'],
  ])('%s', (_, fields, way, newestMigration, span = '1.123.0 1.124.0') => {
    const [from = '', to = ''] = span.split(' ');
    const artifacts = artifactsWith(fields, from, to);
    expect(told(waysBack(routeOf(from, to), { artifacts, newestMigration })).join(', ')).toBe(way);
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

  const flag = { flag: 'ALLOW_MISSING_MIGRATIONS', knownFrom: '1.122.0' };
  it.each<[span: string, Migrating, reason: object]>([
    ['1.121.1 1.123.0', old, { kind: 'refuses-newer-database', version: '1.121.1', ...flag }],
    ['1.121.1 1.123.0', { '1.122.0': 'missing' }, { kind: 'migrations-not-told', versions: ['1.122.0'] }],
    ['2.115.0 2.117.0', { '2.116.0': [later] }, { kind: 'old-code-not-proven', versions: ['2.117.0'] }],
    ['1.122.0 1.123.0', old, { kind: 'starts-with-flag', migrations: 1, ...flag, neededBelow: '1.123.0' }],
  ])('names what the words of %s need', (span, fields, reason) => {
    const [from = '', to = ''] = span.split(' ');
    const artifacts = artifactsWith(fields, from, to);
    const [way] = waysBack(routeOf(from, to), { artifacts, newestMigration: newest });
    expect(way?.because).toEqual([reason]);
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
  const alone = 'code starts-on-newer-database';
  it.each<[string, first: readonly string[] | undefined, second: readonly string[], ways: readonly string[]]>(
    [
      ['newer than all of the first', ['20260901000000_a'], ['20260902000000_b'], [alone, alone]],
      [
        'older',
        ['20260903000000_a', '20260901000000_c'],
        ['20260902000000_b'],
        [alone, 'backup sorts-before'],
      ],
      ['the same file', ['20260902000000_b.ts'], ['20260902000000_b.js'], [alone, 'backup sorts-before']],
      ['untold', undefined, ['20260902000000_b'], ['backup migrations-not-told', 'backup order-not-known']],
      ['neither migrates', [], [], ['code no-migrations', 'code no-migrations']],
    ],
  )('%s', (_, first, second, ways) => {
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

it.each<[string, Partial<RouteHop>, way: string]>([
  ['over no release', { releases: [] }, 'backup hop-not-covered'],
  ['not proven as a whole', { verdict: 'unknown', unknownVersions: [] }, 'backup old-code-not-proven'],
  ['from below the index floor', { belowIndexFloor: true }, 'backup hop-not-covered'],
])('a hop %s needs the backup, whatever is said of its releases', (_, fields, way) => {
  const artifacts = artifactsWith({ '1.123.1': [later] }, '1.123.0', '1.124.0');
  const hops = routeOf('1.123.0', '1.124.0').map((hop) => ({ ...hop, ...fields }));
  expect(told(waysBack(hops, { artifacts, newestMigration: newest }))).toEqual([way]);
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
