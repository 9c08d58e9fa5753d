import { describe, expect, it } from 'vitest';
import { readObjects } from '../../src/gather/deployment/kubernetes/kubernetes-object.js';
import { manifestFacts } from '../../src/gather/deployment/manifest-facts.js';
import type { ObservedFacts } from '../../src/instance/facts/facts-schema.js';
import {
  artifactsNotSeen,
  backDatedOf,
  editionOf,
  knownEdition,
  newestMigrationOf,
  pendingMigrations,
  tablesOf,
} from '../../src/instance/ledger.js';
import { asYaml, chartObjects } from '../support/manifests.js';
import { inputOf, ledgerOf, type MigrationCase, type ReleaseCase, seenAt } from '../support/preflight.js';

describe('what a ledger leaves to run', () => {
  const core: MigrationCase = { name: '20260801000000_core', tables: ['projects'] };
  const ee: MigrationCase = { name: '20260802000000_ee', edition: 'ee', tables: ['ai_thread'] };
  const last: MigrationCase = {
    name: '20260803000000_last',
    tables: ['projects', 'spaces', 'pg_class', 'a.b'],
  };

  /** From 2.0.0, which brings `before`, to 2.1.0, which brings `behind`. */
  const lineOf = (
    before: readonly MigrationCase[],
    behind: readonly MigrationCase[],
    more: Partial<ReleaseCase> = {},
  ) =>
    inputOf({
      releases: [
        { version: '2.0.0', migrations: before },
        { version: '2.1.0', migrations: behind, ...more },
      ],
    }).line;

  describe('the edition', () => {
    const line = lineOf([core, ee], [last]);
    it.each([
      ['is what is stated, whatever has run', 'community', [core.name, ee.name], 'community'],
      ['is enterprise where one of its migrations has run', undefined, [core.name, ee.name], 'enterprise'],
      ['is not known where none has', undefined, [core.name, last.name], undefined],
    ] as const)('%s', (_, stated, ran, edition) => {
      expect(editionOf(line, new Set(ran), stated)).toBe(edition);
    });
  });

  describe('pending migrations', () => {
    it.each([
      ['are those of every edition where it is not known', undefined, [core.name], [last.name, ee.name]],
      ['are those of core alone without a licence', 'community', [core.name], [last.name]],
      ['are those of every edition with a licence', 'enterprise', [core.name], [last.name, ee.name]],
      ['are none that have run', 'enterprise', [core.name, ee.name, last.name], []],
    ] as const)('%s', (_, edition, ran, names) => {
      const line = lineOf([core, { ...last, edition: 'ee' }], [ee, last]);
      const given = { line, edition, facts: { ledger: ledgerOf(...ran) } };
      expect(pendingMigrations(given).map(({ name }) => name)).toEqual(names);
    });

    it('name their tables, each with the first migration that names it, without catalogues of the server', () => {
      const given = {
        line: lineOf([], [core, ee, last]),
        edition: undefined,
        facts: { ledger: ledgerOf('x') },
      };
      expect([...tablesOf(pendingMigrations(given))].map(([table, { name }]) => [table, name])).toEqual([
        ['projects', core.name],
        ['ai_thread', ee.name],
        ['spaces', last.name],
      ]);
    });
  });

  it('an artifact is absent for ever where one release is backfilled, and not seen where none is', () => {
    const { before, span } = lineOf([], [], { entry: { backfilled: true } });
    expect(artifactsNotSeen([...before, ...span])).toMatchObject({ lacks: 'artifacts', why: 'absent' });
    expect(artifactsNotSeen(before)).toEqual({ status: 'not-checked', lacks: 'artifacts' });
  });
});

describe('a back-dated migration', () => {
  const ran = '20260820120000_ran';
  const late = '20260819120000_late';

  /** From a release that has run its migration to one that brings these. */
  const upgrade = (from: string, names: readonly string[], target: Partial<ReleaseCase> = {}) =>
    inputOf({
      releases: [
        { version: from, migrations: [{ name: ran }] },
        { version: '1.300.0', migrations: names.map((name) => ({ name })), ...target },
      ],
      facts: { ledger: ledgerOf(ran) },
    });

  it.each<[string, string, string, boolean]>([
    ['the first release with the start check', '1.125.0', late, true],
    ['the last one that calls it diverged', '1.259.0', late, true],
    ['a release before the start check', '1.124.0', late, false],
    ['a release that starts anyway', '1.259.1', late, false],
    ['one that is dated later', '1.200.0', '20260821120000_next', false],
    ['one of the same date', '1.200.0', '20260820120000_too', true],
  ])('%s', (_, from, name, found) => {
    expect(backDatedOf(upgrade(from, [name]))).toEqual(found ? { newest: ran, names: [name] } : undefined);
  });

  it('matters only where the upgrade rolls, and is not known without a ledger or an artifact', () => {
    const stops = upgrade('1.200.0', [late], { entry: { rollingUpdateSafe: false } });
    expect(backDatedOf(stops)).toBeUndefined();
    expect(backDatedOf({ ...upgrade('1.200.0', [late]), facts: {} })).toBe('ledger');
    const migrations = { present: 'unknown', count: 0, coreCount: 0, eeCount: 0, files: [] };
    expect(backDatedOf(upgrade('1.200.0', [], { artifact: { migrations } }))).toBe('artifacts');
  });
});

describe('the newest migration that the release which runs holds', () => {
  const [old, core, ee] = ['20260801000000_old', '20260810000000_core', '20260812000000_ee'] as const;
  const newer = '20260901000000_x';
  const first: ReleaseCase = { version: '2.0.0', migrations: [{ name: old }] };
  const second: ReleaseCase = { version: '2.1.0', migrations: [{ name: core }] };
  const third: ReleaseCase = { version: '2.2.0', migrations: [{ name: ee, edition: 'ee' }] };
  /** Before the target. */
  const line = [first, second, third];
  const without: ReleaseCase[] = [{ version: '2.0.0' }, { version: '2.1.0' }, third];

  it.each<[string, string | undefined, readonly ReleaseCase[], readonly string[] | 'not-permitted', string?]>(
    [
      ['by the ledger', ee, line, [old, core, ee]],
      ['by the artifacts, where an enterprise one has not run', ee, line, [old, core]],
      ['by the ledger, where an older release brought a newer one', newer, line, [newer, core]],
      ['a ledger that may not be seen', undefined, line, 'not-permitted'],
      ['a ledger of an earlier release', undefined, line, [old]],
      ['no artifact of what runs', undefined, [first, second, { ...third, artifact: 'missing' }], [core]],
      [
        'an artifact that was compared with another release',
        undefined,
        [first, second, { ...third, artifact: { previousVersion: '2.0.0' } }],
        [core],
      ],
      ['no release that brings a core migration', undefined, without, [old]],
      ['a release that the index lacks', undefined, line, [old, core, ee], '2.1.5'],
    ],
  )('%s: %s', (_, newest, before, ran, from = '2.2.0') => {
    const ledger = ran === 'not-permitted' ? ran : ledgerOf(...ran);
    const input = inputOf({ from, releases: [...before, { version: '2.3.0' }], facts: { ledger } });
    expect(newestMigrationOf(input.line, input.facts, input.from)).toBe(newest);
    expect(newestMigrationOf(input.line, {}, input.from)).toBeUndefined();
  });
});

describe('the edition that is known', () => {
  const deployed: ObservedFacts = manifestFacts({
    objects: readObjects(asYaml(chartObjects({ chart: '2.16.101', app: '1.237.0' })), 'x'),
    sources: ['x'],
    namespace: null,
    seenAt,
  });
  const stated = (edition: string): ObservedFacts => ({
    stated: { status: 'seen', value: { edition }, seenAt, source: 'stated' },
  });

  it.each<[string, ObservedFacts, string | undefined]>([
    ['nothing', {}, undefined],
    ['a person', stated('enterprise'), 'enterprise'],
    ['a deployment', deployed, 'community'],
    ['a person before a deployment', { ...deployed, ...stated('enterprise') }, 'enterprise'],
  ])('is told by %s', (_, facts, edition) => {
    expect(knownEdition(facts)).toBe(edition);
  });
});
