import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseReleaseArtifact } from '../../src/core/artifact/artifact.js';
import type { ArtifactOutcome } from '../../src/core/artifact/reconcile.js';
import type { IndexEntry } from '../../src/core/index/index-schema.js';
import { parseReleaseSafetyIndex } from '../../src/core/index/parse-index.js';
import { releaseStatuses } from '../../src/core/kinds.js';
import { drawnRoute, reportsNothing, type UpgradeReport } from '../../src/core/report.js';
import { parseVersion } from '../../src/core/version.js';
import { buildReport, reconcileSpan } from '../../src/library/library.js';
import { inventedArtifact, inventedHeavySections, type LooseArtifact } from '../support/artifacts.js';
import { indexWith } from '../support/known-issues.js';
import { propertyRuns } from '../support/property-runs.js';
import { indexOf, type LooseEntry, realIndex } from '../support/real-index.js';

const outcomeOf = (entry: IndexEntry, fields: LooseArtifact = {}): ArtifactOutcome => ({
  kind: 'artifact',
  artifact: parseReleaseArtifact(inventedArtifact(entry, fields)),
});

interface WorldRow {
  readonly entry?: LooseEntry;
  readonly fields?: LooseArtifact;
  readonly fault?: ArtifactOutcome;
}

/** An index of 1.0.0 and the releases after it, and an artifact for each that confirms it, with `fields` over it. */
function worldOf(...rows: readonly WorldRow[]) {
  const index = parseReleaseSafetyIndex(
    indexOf({ version: '1.0.0' }, ...rows.map(({ entry }, i) => ({ version: `1.0.${i + 1}`, ...entry }))),
  );
  const outcomes = new Map(
    index.entries.slice(1).map((entry, i) => {
      return [entry.version, rows[i]?.fault ?? outcomeOf(entry, rows[i]?.fields)];
    }),
  );
  const to = index.entries.at(-1)?.version ?? '1.0.0';
  return { index, outcomes, report: buildReport(index, { from: '1.0.0', to, outcomes }) };
}

const missing = { kind: 'missing-artifact', message: 'there is none' } as const;
const invalid = { kind: 'invalid-artifact', message: 'not JSON' } as const;

describe('how a release stands', () => {
  const entry = (fields: LooseEntry, fault?: ArtifactOutcome): WorldRow => ({
    entry: fields,
    ...(fault && { fault }),
  });
  const unknown = { rollingUpdateSafe: 'unknown' };
  const says = (rollingUpdateSafe: unknown) => ({ fields: { compatibility: { rollingUpdateSafe } } });
  const lower = { fields: { upgrade: { minPreviousVersion: '0.9.0', requiredStops: [] } } };
  it.each<[string, WorldRow, string, string]>([
    ['true, confirmed', {}, 'proven', 'read'],
    ['false', entry({ rollingUpdateSafe: false }), 'unsafe', 'read'],
    ['unknown, backfilled', entry({ ...unknown, backfilled: true }), 'unknown-backfilled', 'backfilled'],
    ['unknown, recent', entry(unknown), 'unknown-recent', 'read'],
    ['true without an artifact', { fault: missing }, 'proven', 'missing-artifact'],
    ['true, an artifact that cannot be trusted', { fault: invalid }, 'not-borne-out', 'invalid-artifact'],
    ['true, false in the artifact', says(false), 'unsafe', 'read'],
    ['true, unknown in the artifact', says('unknown'), 'not-borne-out', 'read'],
    ['true, another minimum', lower, 'not-borne-out', 'read'],
    ['true, backfilled', entry({ backfilled: true }), 'not-borne-out', 'backfilled'],
    ['unknown without an artifact', entry(unknown, missing), 'unknown-recent', 'missing-artifact'],
    ['the artifact of another', { fields: { version: '9.9.9' } }, 'not-borne-out', 'other-release'],
  ])('%s', (_, row, standing, artifact) => {
    const { report } = worldOf(row);
    expect(report.releases).toMatchObject([{ version: '1.0.1', standing, artifact }]);
    expect(report.counts).toMatchObject({ [standing]: 1 });
    expect(report.safe).toBe(standing === 'proven');
    expect(report.route.hops.every((hop) => hop.strategy === 'RollingUpdate')).toBe(standing === 'proven');
  });

  it('lists every release of the real index, with the hop that crosses it', () => {
    const { counts, releases, route, safe, indexAlone } = buildReport(realIndex(), {
      from: '0.1893.0',
      to: 'latest',
      outcomes: new Map(),
    });
    expect({ safe, indexAlone }).toEqual({ safe: false, indexAlone: { jump: false, rolling: false } });
    expect(counts).toEqual({
      proven: 498,
      unsafe: 74,
      'unknown-backfilled': 3020,
      'unknown-recent': 5,
      'not-borne-out': 0,
    });
    expect(releases).toHaveLength(3597);
    expect(releases.map(({ hop }) => hop)).toEqual(
      route.hops.flatMap((hop, i) => hop.releases.map(() => i + 1)),
    );
    expect(releases.filter(({ landing }) => landing !== null).map(({ version }) => version)).toEqual(
      route.hops.map((hop) => hop.toVersion),
    );
  });
});

describe('the answer', () => {
  it('is yes where index and artifacts prove the span, and says what going back costs', () => {
    const { index, outcomes, report } = worldOf({}, {});
    expect(report).toMatchObject({
      ...{ safe: true, publisherOnly: true, indexAlone: { jump: true, rolling: true } },
      route: { rolling: true, hops: [{ wayBack: { needs: 'code', because: [{ kind: 'no-migrations' }] } }] },
    });
    expect(
      buildReport(indexWith([], {}, index), { from: '1.0.0', to: '1.0.1', outcomes }).publisherOnly,
    ).toBe(false);
  });

  const unsafe: WorldRow = { entry: { rollingUpdateSafe: false } };
  const plain = { safe: true, blockedBy: null };
  it.each<[string, readonly WorldRow[], from: string, to: string, answer: object]>([
    ['at the newest release already', [{}], '1.0.1', '1.0.1', { ...plain, span: { jump: true } }],
    ['at the latest', [{}], '1.0.1', 'latest', { ...plain, toVersion: '1.0.1', span: { jump: true } }],
    ['at the latest that rolls', [{}], '1.0.1', 'latest-rolling', { ...plain, span: { jump: true } }],
    ['to what rolling reaches', [{}, unsafe], '1.0.0', 'latest-rolling', { safe: true, toVersion: '1.0.1' }],
    [
      'to latest-rolling where nothing can be reached so',
      [unsafe],
      ...(['1.0.0', 'latest-rolling'] as const),
      {
        ...{ safe: false, toVersion: '1.0.0', requestedTarget: 'latest-rolling' },
        blockedBy: { kind: 'unsafe-release', version: '1.0.1' },
        span: { jump: 'unknown', rolling: false },
      },
    ],
    [
      'to a version that cannot be reached: the block is that of the route',
      [{ entry: { minPreviousVersion: '1.0.1' } }],
      ...(['1.0.0', '1.0.1'] as const),
      { safe: false, blockedBy: null, route: { blockedBy: { kind: 'below-minimum-version' } } },
    ],
  ])('%s', (_, rows, from, to, answer) => {
    const { index, outcomes } = worldOf(...rows);
    expect(buildReport(index, { from, to, outcomes })).toMatchObject(answer);
  });

  it('below the floor is the one of the span also where the target is the version that runs', () => {
    const json = indexOf({ version: '1.0.0' }, { version: '1.0.1' });
    const index = parseReleaseSafetyIndex({ ...json, backfillFloorVersion: '1.0.1' });
    const report = buildReport(index, { from: '1.0.0', to: '1.0.0', outcomes: new Map() });
    expect(report).toMatchObject({ safe: false, blockedBy: null, span: { jump: false } });
  });

  it('draws the releases of a route as the index alone has them', () => {
    const { index, report } = worldOf({}, unsafe, {
      entry: { backfilled: true, rollingUpdateSafe: 'unknown' },
    });
    const { releases, counts, span, route } = drawnRoute(index, report.route);
    expect(releases.map(({ version, standing }) => `${version} ${standing}`)).toEqual([
      ...['1.0.1 proven', '1.0.2 unsafe', '1.0.3 unknown-backfilled'],
    ]);
    expect([counts, span.toVersion, route]).toEqual([
      { ...report.counts, 'unknown-backfilled': 1 },
      '1.0.3',
      report.route,
    ]);
  });

  it('forbids to roll over the release in dispute alone, and leaves a false as it is', () => {
    const { report } = worldOf(
      { entry: { requiredStops: ['1.0.1'] } },
      { entry: { rollingUpdateSafe: false, requiredStops: ['1.0.2'] }, fault: missing },
      { fields: { upgrade: { minPreviousVersion: '0.9.0', requiredStops: ['0.9.0'] } } },
    );
    expect(report.route.hops.map(({ toVersion, verdict }) => [toVersion, verdict])).toEqual([
      ['1.0.1', true],
      ['1.0.2', false],
      ['1.0.3', 'unknown'],
    ]);
    const { message } = missing;
    const differs = { kind: 'field-differs', version: '1.0.3' };
    expect(report.releases.map(({ disagreements }) => disagreements)).toEqual([
      [],
      [{ kind: 'missing-artifact', version: '1.0.2', message }],
      [
        { ...differs, field: 'requiredStops', index: [], artifact: ['0.9.0'] },
        { ...differs, field: 'minPreviousVersion', index: null, artifact: '0.9.0' },
      ],
    ]);
  });

  const row = fc.record({
    entry: fc.record(
      {
        rollingUpdateSafe: fc.constantFrom(true, true, true, false, 'unknown'),
        backfilled: fc.boolean(),
        requiredStops: fc.constantFrom([], [], ['1.0.1']),
        minPreviousVersion: fc.constantFrom(null, null, '1.0.0', '1.0.2'),
      },
      { requiredKeys: [] },
    ),
    fields: fc.constantFrom<LooseArtifact>(
      {},
      {},
      { compatibility: { rollingUpdateSafe: 'unknown' } },
      { previousVersion: '0.9.9' },
      { upgrade: { minPreviousVersion: '1.0.1', requiredStops: ['1.0.1'] } },
    ),
    fault: fc.option(fc.constant(missing), { nil: undefined, freq: 6 }),
  });

  it('agrees with reconcileSpan, as if an artifact that was not read agreed, and a yes has every release proven', () => {
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 6 }), (rows) => {
        const { index, outcomes, report } = worldOf(
          ...rows.map(({ entry, fields, fault }) => ({ entry, fields, ...(fault && { fault }) })),
        );
        const { fromVersion, toVersion, safe, counts, releases, route } = report;
        const agreeing = index.entries.map(
          (entry) =>
            [
              entry.version,
              { kind: 'artifact', artifact: parseReleaseArtifact(inventedArtifact(entry)) },
            ] as const,
        );
        const read = [...outcomes].filter(([, { kind }]) => kind !== 'missing-artifact');
        expect(report.span).toEqual(
          reconcileSpan(index, { from: fromVersion, to: toVersion }, new Map([...agreeing, ...read])),
        );
        expect(safe).toBe(report.span.safe);
        expect(releaseStatuses.reduce((sum, status) => sum + counts[status], 0)).toBe(releases.length);
        if (safe) expect(counts.proven).toBe(releases.length);
        for (const { strategy, releases: crossed } of route.hops) {
          const standingOf = (version: string) => releases.find((r) => r.version === version)?.standing;
          if (strategy === 'RollingUpdate')
            expect(crossed.map(standingOf)).toEqual(crossed.map(() => 'proven'));
        }
      }),
      { numRuns: propertyRuns(500) },
    );
  });
});

describe('what the artifacts tell together', () => {
  const heavy = {
    fields: { ...inventedHeavySections, compatibility: { rollingUpdateSafe: false } },
    entry: { rollingUpdateSafe: false },
  };

  it('lists the heaviest migrations first, and who does not tell', () => {
    const { report } = worldOf(
      heavy,
      { fields: { migrations: undefined } },
      { entry: { rollingUpdateSafe: 'unknown', backfilled: true } },
      heavy,
    );
    const { count, coreCount, eeCount, files, notReported } = report.migrations;
    expect({ count, coreCount, eeCount, notReported }).toEqual({
      count: 6,
      coreCount: 4,
      eeCount: 2,
      notReported: ['1.0.2', '1.0.3'],
    });
    expect(files.map(({ version, name }) => `${version} ${name.replace(/^\d+_/, '')}`)).toEqual([
      '1.0.1 rewrite_ee.ts',
      '1.0.4 rewrite_ee.ts',
      '1.0.1 add_index.ts',
      '1.0.4 add_index.ts',
      '1.0.1 add_column.ts',
      '1.0.4 add_column.ts',
    ]);
    expect(report.releases[0]).toMatchObject({
      standing: 'unsafe',
      declaredBreaks: [{ reason: 'old pods still read the column' }, { id: 'tool-removed' }],
      declaredAdvisories: [{ id: 'thing-removed', reason: 'the endpoint had no caller but us' }],
      migrations: [
        { version: '1.0.1', name: '20260801000000_add_index.ts' },
        { version: '1.0.1', name: '20260802000000_add_column.ts' },
        { version: '1.0.1', name: '20260803000000_rewrite_ee.ts' },
      ],
    });
    expect(report.releases[2]).toMatchObject({ declaredBreaks: [], declaredAdvisories: [], migrations: [] });
  });

  it('lists an API change once, with every release it came in and the uncapped totals', () => {
    const { report } = worldOf(heavy, {}, heavy, { fault: missing });
    expect(report.api.rest).toEqual({
      breakingCount: 24,
      advisoryCount: 2,
      breaking: [{ text: 'GET /api/v1/saved: response lost `slug`', versions: ['1.0.1', '1.0.3'] }],
      advisories: [{ text: 'GET /api/v1/org: enum gained `viewer`', versions: ['1.0.1', '1.0.3'] }],
      unlisted: [
        { version: '1.0.1', breaking: 11, advisories: 0 },
        { version: '1.0.3', breaking: 11, advisories: 0 },
      ],
      notReported: ['1.0.4'],
    });
    expect(report.api.mcp.notReported).toEqual(['1.0.1', '1.0.3', '1.0.4']);
  });

  it.each<[string, string[], number, string[], number]>([
    ['a list that is whole', ['a', 'b'], 2, ['a', 'b'], 0],
    ['a line that counts the rest', ['a', '… and 3 more'], 4, ['a'], 3],
    ['a capped list without such a line', ['a', 'b'], 4, ['a', 'b'], 2],
    ['a line that counts the rest in other words', ['a', '...plus  2  further changes'], 3, ['a'], 2],
    ['a line that is a count alone', ['a', '+3 more'], 4, ['a'], 3],
    ['a line that counts otherwise', ['a', '2 more items required'], 2, ['a', '2 more items required'], 0],
  ])('%s', (_, changes, breakingCount, texts, unlisted) => {
    const rest = { checked: true, breaking: true, changes, breakingCount, advisories: [], advisoryCount: 0 };
    const { breaking, unlisted: more } = worldOf({ fields: { api: { rest } } }).report.api.rest;
    expect(breaking.map(({ text }) => text)).toEqual(texts);
    expect(more.map((release) => release.breaking)).toEqual(unlisted === 0 ? [] : [unlisted]);
  });

  it.each([
    ['no section', undefined, ['1.0.1']],
    ['not compared', { checked: false, breaking: false }, ['1.0.1']],
    ['compared, with no answer', { checked: true, breaking: 'unknown' }, ['1.0.1']],
    ['compared', { checked: true, breaking: false }, []],
  ])('a surface that an artifact reports on so may have more changes: %s', (_, surface, notReported) => {
    const rest = { changes: [], breakingCount: 0, advisories: [], advisoryCount: 0, ...surface };
    const { report } = worldOf({ fields: { api: surface && { rest } } });
    expect(report.api.rest.notReported).toEqual(notReported);
  });

  it('counts the advisories that are not listed, and apart from what is breaking', () => {
    const advisories = { advisories: ['a'], advisoryCount: 3 };
    const rest = { checked: true, breaking: true, changes: ['b', 'c', 'd'], breakingCount: 3, ...advisories };
    const { report } = worldOf({ fields: { api: { rest } } });
    expect(report.api.rest).toMatchObject({
      ...{ breakingCount: 3, advisoryCount: 3, unlisted: [{ version: '1.0.1', breaking: 0, advisories: 2 }] },
    });
  });

  it('folds variables, and finds those that the operator sets', () => {
    const configs = [
      {
        checked: true,
        breaking: true,
        changes: [{ type: 'renamed', previousName: 'NEW_NAME', name: 'NEWEST' }],
      },
      { checked: false, breaking: false, changes: [] },
      { checked: true, breaking: 'unknown', changes: [] },
      undefined,
    ];
    const { index, outcomes } = worldOf(heavy, ...configs.map((config) => ({ fields: { config } })));
    const variablesSet = new Set(['OLD_NAME', 'PATH']);
    const { config } = buildReport(index, { from: '1.0.0', to: '1.0.5', outcomes, variablesSet });
    expect(config).toMatchObject({
      variablesSet: 2,
      ofVariablesSet: [{ type: 'renamed', formerNames: ['OLD_NAME', 'NEW_NAME'], name: 'NEWEST' }],
      notReported: ['1.0.3', '1.0.4', '1.0.5'],
    });
    expect(config.changes).toHaveLength(3);
  });
});

describe('does not count artifacts that were not read', () => {
  const backfilled: WorldRow = { entry: { rollingUpdateSafe: 'unknown', backfilled: true } };
  const heavy: WorldRow = { fields: inventedHeavySections };

  it.each<[string, readonly WorldRow[], UpgradeReport['artifacts'], number | null]>([
    ['all read, and nothing in it', [{}, {}], { read: 2, backfilled: 0, notRead: 0 }, 0],
    ['none read', [{ fault: missing }, backfilled], { read: 0, backfilled: 1, notRead: 1 }, null],
    ['none published', [backfilled, backfilled], { read: 0, backfilled: 2, notRead: 0 }, null],
    ['some read', [heavy, { fault: missing }, backfilled], { read: 1, backfilled: 1, notRead: 1 }, 3],
    ['some read, and nothing in it', [{}, { fault: missing }], { read: 1, backfilled: 0, notRead: 1 }, 0],
  ])('%s', (_, rows, artifacts, migrations) => {
    const { report } = worldOf(...rows);
    expect(report.artifacts).toEqual(artifacts);
    expect(report.migrations.count).toBe(migrations);
  });

  it.each<[string, number, readonly string[], number, boolean, boolean]>([
    ['a span of no release, which is none', 0, [], 0, false, false],
    ['a span of releases that the index lacks', 0, [], 0, true, true],
    ['a release that reports nothing', 1, ['1.0.1'], 0, false, true],
    ['one of two', 2, ['1.0.1'], 0, false, false],
    ['what was found although none reports', 1, ['1.0.1'], 1, false, false],
  ])('nothing is known of %s', (_, releases, notReported, found, hasHole, expected) => {
    const { report } = worldOf(...Array.from({ length: releases }, () => ({})));
    const hole = { afterVersion: parseVersion('1.0.0'), beforeVersion: parseVersion('1.0.9') };
    const missingRanges = hasHole ? [hole] : [];
    const span = { ...report.span, missingRanges };
    expect(reportsNothing({ releases: report.releases, span }, notReported.map(parseVersion), found)).toBe(
      expected,
    );
  });
});
