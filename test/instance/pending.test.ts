import { describe, expect, it } from 'vitest';
import { editionOf, lackingArtifacts, pendingMigrations, tablesOf } from '../../src/instance/ledger.js';
import { inputOf, ledgerOf, type MigrationCase, type ReleaseCase } from '../support/preflight.js';

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
    ['are those of every edition where it is not known', undefined, [core.name], [ee.name, last.name]],
    ['are those of core alone without a licence', 'community', [core.name], [last.name]],
    ['are those of every edition with a licence', 'enterprise', [core.name], [ee.name, last.name]],
    ['are none that have run', 'enterprise', [core.name, ee.name, last.name], []],
  ] as const)('%s', (_, edition, ran, names) => {
    const given = { line: lineOf([core], [ee, last]), edition, facts: { ledger: ledgerOf(...ran) } };
    expect(pendingMigrations(given).map(({ name }) => name)).toEqual(names);
  });

  it('name tables, each with the first that names it, and none of the server', () => {
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
  expect(lackingArtifacts([...before, ...span])).toEqual({ lacks: 'artifacts', why: 'absent' });
  expect(lackingArtifacts(before)).toEqual({ lacks: 'artifacts' });
});
