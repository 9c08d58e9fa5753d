import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { differencesOf } from '../../src/facts/differences.js';
import { asksWhy, judgeChanges, migrationsRun } from '../../src/verify/changes.js';
import { backendOf, containerOf } from '../support/deployment.js';
import { indexFact, migratorFact, serverFact, tableFact } from '../support/facts.js';
import { factsOf, healthyFacts, ledgerOf, type Situation } from '../support/preflight.js';
import { verifyLines } from '../support/verify-lines.js';

type Facts = NonNullable<Situation['facts']>;

const ran = '20260901000000_alter';
const ofTables = new Map([[ran, ['projects', 'old_things']]]);

function found(
  before: Facts,
  after: Facts,
  tables: ReadonlyMap<string, readonly string[]> = ofTables,
): string[] {
  return verifyLines(judgeChanges(differencesOf(factsOf(before), factsOf(after)), tables));
}

const constraint = (name: string, told: object = {}) => ({
  name,
  table: 'projects',
  kind: 'check' as const,
  columns: ['a'],
  references: null,
  validated: true,
  ...told,
});
const then: Facts = { ...healthyFacts('20260801000000_old'), constraints: [] };
const now = (told: Facts): Facts => ({ ...then, ...told });
const things = [tableFact({ name: 'things', estimatedRows: 12 })];
const upgraded = { ledger: ledgerOf('20260801000000_old', ran) };

it.each<[string, ReadonlyMap<string, readonly string[]>]>([
  ['names no table', new Map([[ran, []]])],
  ['was not read', new Map()],
])('a migration that %s explains no table that is gone', (_, tables) => {
  const seen = found(now({ tables: things }), now({ ...upgraded, tables: [] }), tables);
  expect(seen).toEqual(['ok migrations-run', 'stop table-gone things']);
});

describe('what differs from before', () => {
  it.each<[string, Facts, Facts, readonly string[]]>([
    ['nothing', then, then, ['ok nothing-differs']],
    ['migrations that have run', then, now(upgraded), ['ok migrations-run']],
    ['a ledger that has lost some', now(upgraded), then, ['stop migrations-gone']],
    ['another database', then, now({ database: { name: 'other', sizeBytes: 1 } }), ['stop another-database']],
    [
      'a table that nothing has dropped',
      now({ tables: things }),
      now({ tables: [] }),
      ['stop table-gone things'],
    ],
    [
      'a table that no migration since names',
      now({ tables: things }),
      now({ ...upgraded, tables: [] }),
      ['ok migrations-run', 'stop table-gone things'],
    ],
    [
      'a table that a migration since names',
      now({ tables: [tableFact({ name: 'old_things', estimatedRows: null })] }),
      now({ ...upgraded, tables: [] }),
      ['ok migrations-run', 'warn table-gone old_things'],
    ],
    [
      'a table that is named by a migration of before',
      now({ ...upgraded, tables: [tableFact({ name: 'old_things' })] }),
      now({ ...upgraded, tables: [] }),
      ['stop table-gone old_things'],
    ],
    [
      'a table that has no rows any more',
      now({ tables: things }),
      now({ tables: [tableFact({ name: 'things', estimatedRows: 0 })] }),
      ['warn table-emptied things', 'ok rows-changed'],
    ],
    [
      'new tables, and rows',
      now({ tables: things }),
      now({ tables: [tableFact({ name: 'things', estimatedRows: 13 }), tableFact({ name: 'more' })] }),
      ['ok tables-added', 'ok rows-changed'],
    ],
    [
      'rows that were never counted',
      now({ tables: [tableFact({ name: 'things', estimatedRows: null })] }),
      now({ tables: things }),
      ['ok nothing-differs'],
    ],
    [
      'rows that are not counted any more, as after a TRUNCATE',
      now({ tables: [...things, tableFact({ name: 'empty', estimatedRows: 0 })] }),
      now({
        tables: ['things', 'empty'].map((name) => tableFact({ name, estimatedRows: null })),
      }),
      ['warn rows-not-told'],
    ],
    [
      'the ledger of another instance',
      then,
      now({
        ledger: ledgerOf('20260801000000_old').map((row) => ({ ...row, migratedAt: '2026-08-01T00:00:00Z' })),
      }),
      ['stop another-ledger'],
    ],
    [
      'a ledger that does not tell when',
      now({ ledger: ledgerOf('20260801000000_old').map((row) => ({ ...row, migratedAt: null })) }),
      then,
      ['ok nothing-differs'],
    ],
    [
      'an index that is gone, and a new one',
      now({ indexes: [indexFact({ name: 'a' })] }),
      now({ indexes: [indexFact({ name: 'b' })] }),
      ['warn index-gone a', 'ok indexes-added'],
    ],
    [
      'an index of a table that a migration since names',
      now({ indexes: [indexFact({ name: 'a' })] }),
      now({ ...upgraded }),
      ['ok migrations-run', 'ok index-gone a'],
    ],
    [
      'an index that is not valid any more',
      now({ indexes: [indexFact({ name: 'a' })] }),
      now({ ...upgraded, indexes: [indexFact({ name: 'a', valid: false })] }),
      ['ok migrations-run', 'stop index-turned-invalid a'],
    ],
    [
      'an index that never was',
      now({ indexes: [indexFact({ name: 'a', valid: false })] }),
      now({ indexes: [indexFact({ name: 'a', valid: false })] }),
      ['ok nothing-differs'],
    ],
    [
      'constraints',
      now({ constraints: [constraint('a'), constraint('b'), constraint('c', { validated: false })] }),
      now({
        constraints: [
          constraint('a', { validated: false }),
          constraint('c', { validated: false }),
          constraint('d', { validated: false }),
        ],
      }),
      ['warn constraint-gone b', 'warn constraint-not-validated a', 'warn constraint-not-validated d'],
    ],
    [
      'extensions',
      now({
        extensions: [
          { name: 'a', available: '1', installed: '1', trusted: true },
          { name: 'b', available: '1', installed: '1', trusted: true },
          { name: 'c', available: '1', installed: null, trusted: true },
        ],
      }),
      now({
        extensions: [
          { name: 'a', available: '2', installed: '2', trusted: true },
          { name: 'c', available: '1', installed: '1', trusted: true },
        ],
      }),
      ['warn extension-gone', 'ok extensions-changed'],
    ],
    [
      'settings',
      then,
      now({
        server: { ...serverFact, versionNum: 160_001 },
        migrator: { ...migratorFact, origin: 'owner-of-ledger', statementTimeoutMs: null },
      }),
      ['ok settings-changed'],
    ],
    [
      'what was not seen before, or is not now',
      now({ indexes: 'not-permitted' }),
      now({ ledger: 'not-permitted' }),
      ['not-checked fact-not-compared', 'not-checked fact-not-compared'],
    ],
    ['facts of different things', { workloads: [] }, then, ['not-checked nothing-compared']],
    ['a deployment that only one of them tells', then, { ...then, workloads: [] }, ['ok nothing-differs']],
  ])('%s', (_, before, after, expected) => {
    expect(found(before, after)).toEqual(expected);
  });

  it('of a deployment: images, names of variables, replicas, and what is gone', () => {
    const backend = (version: string, told: object = {}) =>
      backendOf(version, { name: 'lightdash-backend', ...told });
    const without = containerOf('2.1.0', {
      variables: [{ name: 'NEW', origin: 'literal', object: null, empty: false }],
    });
    expect(
      found(
        { workloads: [backend('2.0.0'), backendOf('2.0.0', { name: 'worker' })] },
        {
          workloads: [
            backend('2.1.0', { replicas: 3, containers: [without] }),
            backendOf('2.1.0', { name: 'nats' }),
          ],
        },
      ),
    ).toEqual([
      'warn workload-gone Deployment worker',
      'ok workloads-added',
      'ok images-changed Deployment lightdash-backend',
      'warn variables-changed Deployment lightdash-backend',
      'ok replicas-changed Deployment lightdash-backend',
    ]);
  });

  it('of a deployment: variables that came are in order', () => {
    const setting = (...names: string[]) => {
      const variables = names.map((name) => ({
        ...{ name, origin: 'literal' as const },
        object: null,
        empty: false,
      }));
      return { workloads: [backendOf('2.1.0', { containers: [containerOf('2.1.0', { variables })] })] };
    };
    const changed = ['variables-changed Deployment lightdash-backend'];
    expect(found(setting('A'), setting('A', 'B'))).toEqual(changed.map((one) => `ok ${one}`));
    expect(found(setting('A', 'B'), setting('A'))).toEqual(changed.map((one) => `warn ${one}`));
  });

  it('asks for artifacts only where something is gone', () => {
    const differences = differencesOf(factsOf(then), factsOf(now(upgraded)));
    expect(differences.some(asksWhy)).toBe(false);
    expect(migrationsRun(differences)).toEqual([ran]);
    const gone = differencesOf(factsOf(now({ tables: things })), factsOf(now({ tables: [] })));
    expect(gone.filter(asksWhy)).toMatchObject([{ kind: 'table-gone' }]);
    // Those of a ledger that has lost some have not run since.
    expect(migrationsRun(differencesOf(factsOf(now(upgraded)), factsOf(then)))).toEqual([]);
  });

  it('an artifact that says less never makes it better', () => {
    const rank = ['stop', 'not-checked', 'warn', 'ok'];
    const before = now({ tables: [tableFact({ name: 'old_things' })], indexes: [indexFact({ name: 'a' })] });
    const after = now({ ...upgraded, tables: [], indexes: [] });
    fc.assert(
      fc.property(fc.subarray(['projects', 'old_things']), (named) => {
        const less = found(before, after, new Map([[ran, named]])).map((line) =>
          rank.indexOf(line.split(' ')[0] ?? ''),
        );
        const more = found(before, after).map((line) => rank.indexOf(line.split(' ')[0] ?? ''));
        for (const [i, one] of less.entries()) expect(one).toBeLessThanOrEqual(more[i] ?? -1);
      }),
    );
  });
});
