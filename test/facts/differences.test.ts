import { describe, expect, it } from 'vitest';
import { differencesOf } from '../../src/facts/differences.js';
import { backendOf, containerOf, fromSecret } from '../support/deployment.js';
import { indexFact, migratorFact, serverFact, tableFact } from '../support/facts.js';
import { factsOf, type Situation } from '../support/preflight.js';

type Facts = NonNullable<Situation['facts']>;

const differ = (before: Facts, after: Facts) => differencesOf(factsOf(before), factsOf(after));

const constraint = (name: string, told: object = {}) => ({
  ...{ name, table: 'projects', kind: 'check' as const, columns: ['a'], references: null, validated: true },
  ...told,
});
const extension = (name: string, installed: string | null) => ({
  name,
  installed,
  available: '9',
  trusted: true,
});
const run = (name: string, migratedAt: string | null = null) => ({ name, batch: 1, migratedAt });
const variable = (name: string) => ({ name, origin: 'literal' as const, object: null, empty: false });
const backend = (image: string, replicas: number, ...variables: string[]) =>
  backendOf('2.0.0', {
    name: 'backend',
    replicas,
    containers: [containerOf(image, { name: 'lightdash', variables: variables.map(variable) })],
  });

const givenFrom = (keys: string[]) =>
  backendOf('2.0.0', {
    name: 'backend',
    containers: [containerOf('2.0.0', { variablesFrom: [{ ...fromSecret('env', keys), prefix: 'P_' }] })],
  });

describe('what differs, with all that is told of it', () => {
  it.each<[string, Facts, Facts, readonly object[]]>([
    ['nothing', { tables: [] }, { tables: [] }, []],
    [
      'databases',
      { database: { name: 'a', sizeBytes: 1 } },
      { database: { name: 'b', sizeBytes: 1 } },
      [{ kind: 'another-database', before: 'a', after: 'b' }],
    ],
    [
      'ledgers',
      { ledger: [run('1_gone.js'), run('2_again.js', '2026-01-01T00:00:00Z'), run('3_ts.ts')] },
      { ledger: [run('2_again.ts', '2026-02-01T00:00:00Z'), run('3_ts.js'), run('4_new.js')] },
      [
        { kind: 'another-ledger', names: ['2_again'] },
        { kind: 'migrations-gone', names: ['1_gone'] },
        { kind: 'migrations-run', names: ['4_new'] },
      ],
    ],
    [
      'tables',
      {
        tables: [
          tableFact({ name: 'gone', estimatedRows: 1 }),
          tableFact({ name: 'emptied', estimatedRows: 2 }),
          tableFact({ name: 'more', estimatedRows: 3 }),
          tableFact({ name: 'hidden', estimatedRows: 4 }),
        ],
      },
      {
        tables: [
          tableFact({ name: 'emptied', estimatedRows: 0 }),
          tableFact({ name: 'more', estimatedRows: 30 }),
          tableFact({ name: 'hidden', estimatedRows: null }),
          tableFact({ name: 'new' }),
        ],
      },
      [
        { kind: 'table-gone', table: 'gone', rows: 1 },
        { kind: 'table-emptied', table: 'emptied', rows: 2 },
        { kind: 'tables-added', tables: ['new'] },
        {
          kind: 'rows-changed',
          tables: [
            { table: 'more', before: 3, after: 30 },
            { table: 'emptied', before: 2, after: 0 },
          ],
        },
        { kind: 'rows-not-told', tables: [{ table: 'hidden', before: 4 }] },
      ],
    ],
    [
      'indexes',
      { indexes: [indexFact({ name: 'gone', table: 'a' }), indexFact({ name: 'broken', table: 'b' })] },
      { indexes: [indexFact({ name: 'broken', table: 'b', valid: false }), indexFact({ name: 'new' })] },
      [
        { kind: 'index-gone', index: 'gone', table: 'a' },
        { kind: 'index-turned-invalid', index: 'broken', table: 'b' },
        { kind: 'indexes-added', indexes: ['new'] },
      ],
    ],
    [
      'constraints',
      { constraints: [constraint('a'), constraint('gone'), constraint('a', { table: 'users' })] },
      { constraints: [constraint('a'), constraint('new', { validated: false })] },
      [
        { kind: 'constraint-gone', constraint: 'gone', table: 'projects' },
        { kind: 'constraint-gone', constraint: 'a', table: 'users' },
        { kind: 'constraint-not-validated', constraint: 'new', table: 'projects' },
      ],
    ],
    [
      'extensions',
      { extensions: [extension('gone', '1'), extension('newer', '2'), extension('never', null)] },
      { extensions: [extension('gone', null), extension('newer', '3'), extension('added', '4')] },
      [
        { kind: 'extension-gone', name: 'gone', before: '1' },
        {
          kind: 'extensions-changed',
          extensions: [
            { name: 'newer', before: '2', after: '3' },
            { name: 'added', before: null, after: '4' },
          ],
        },
      ],
    ],
    [
      'settings',
      {
        server: {
          ...serverFact,
          versionNum: 150_001,
          inRecovery: false,
          maxConnections: 10,
          autovacuum: true,
        },
        migrator: {
          ...{ ...migratorFact, origin: 'stated', name: 'a', schema: 'b' },
          ...{ statementTimeoutMs: 1, lockTimeoutMs: 2, idleInTransactionSessionTimeoutMs: 3 },
          transactionTimeoutMs: 4,
        },
      },
      {
        server: {
          ...serverFact,
          versionNum: 160_001,
          inRecovery: true,
          maxConnections: 20,
          autovacuum: false,
        },
        migrator: {
          ...{ ...migratorFact, origin: 'stated', name: 'c', schema: 'd' },
          ...{ statementTimeoutMs: 5, lockTimeoutMs: 6, idleInTransactionSessionTimeoutMs: 7 },
          transactionTimeoutMs: null,
        },
      },
      [
        {
          kind: 'settings-changed',
          settings: [
            { name: 'versionNum', before: '150001', after: '160001' },
            { name: 'inRecovery', before: 'false', after: 'true' },
            { name: 'maxConnections', before: '10', after: '20' },
            { name: 'autovacuum', before: 'true', after: 'false' },
            { name: 'name', before: 'a', after: 'c' },
            { name: 'schema', before: 'b', after: 'd' },
            { name: 'statementTimeoutMs', before: '1', after: '5' },
            { name: 'lockTimeoutMs', before: '2', after: '6' },
            { name: 'idleInTransactionSessionTimeoutMs', before: '3', after: '7' },
            { name: 'transactionTimeoutMs', before: '4', after: null },
          ],
        },
      ],
    ],
    [
      'workloads',
      { workloads: [backend('2.0.0', 1, 'OLD', 'BOTH'), backendOf('2.0.0', { name: 'gone' })] },
      {
        workloads: [
          backend('2.1.0', 2, 'BOTH', 'NEW'),
          backendOf('2.0.0', { name: 'new' }),
          backendOf('2.0.0', { kind: 'Job', name: 'job' }),
        ],
      },
      [
        { kind: 'workload-gone', workload: 'Deployment gone' },
        { kind: 'workloads-added', workloads: ['Deployment new'] },
        {
          kind: 'images-changed',
          workload: 'Deployment backend',
          images: [
            { name: 'lightdash', before: 'lightdash/lightdash:2.0.0', after: 'lightdash/lightdash:2.1.0' },
          ],
        },
        { kind: 'variables-changed', workload: 'Deployment backend', added: ['NEW'], gone: ['OLD'] },
        { kind: 'replicas-changed', workload: 'Deployment backend', before: 1, after: 2 },
      ],
    ],
    [
      'nothing of what stays as it was, or was not told before',
      {
        database: { name: 'a', sizeBytes: 1 },
        ledger: [
          run('1_same.js', '2026-01-01T00:00:00Z'),
          run('2_untold.js', '2026-01-01T00:00:00Z'),
          run('3_told.js'),
        ],
        tables: [
          tableFact({ name: 'same', estimatedRows: 5 }),
          tableFact({ name: 'told', estimatedRows: null }),
          tableFact({ name: 'empty', estimatedRows: 0 }),
        ],
        indexes: [indexFact({ name: 'valid' }), indexFact({ name: 'broken', valid: false })],
        constraints: [constraint('same'), constraint('open', { validated: false })],
        extensions: [extension('never', null), extension('same', '1')],
        server: serverFact,
        workloads: [backend('2.0.0', 1, 'SAME')],
      },
      {
        database: { name: 'a', sizeBytes: 2 },
        ledger: [
          run('1_same.js', '2026-01-01T00:00:00Z'),
          run('2_untold.js'),
          run('3_told.js', '2026-01-01T00:00:00Z'),
        ],
        tables: [
          tableFact({ name: 'same', estimatedRows: 5 }),
          tableFact({ name: 'told', estimatedRows: 7 }),
          tableFact({ name: 'empty', estimatedRows: null }),
        ],
        indexes: [indexFact({ name: 'valid' }), indexFact({ name: 'broken' })],
        constraints: [constraint('same'), constraint('open', { validated: false })],
        extensions: [extension('never', null), extension('same', '1')],
        server: serverFact,
        workloads: [backend('2.0.0', 1, 'SAME')],
      },
      [],
    ],
    [
      'a table of which one row was told, rows by how many are more or fewer, and a constraint that lost its word',
      {
        tables: [
          tableFact({ name: 'hidden', estimatedRows: 1 }),
          tableFact({ name: 'large', estimatedRows: 1000 }),
          tableFact({ name: 'small', estimatedRows: 1 }),
        ],
        constraints: [constraint('a')],
      },
      {
        tables: [
          tableFact({ name: 'hidden', estimatedRows: null }),
          tableFact({ name: 'large', estimatedRows: 1001 }),
          tableFact({ name: 'small', estimatedRows: 9 }),
        ],
        constraints: [constraint('a', { validated: false })],
      },
      [
        {
          kind: 'rows-changed',
          tables: [
            { table: 'small', before: 1, after: 9 },
            { table: 'large', before: 1000, after: 1001 },
          ],
        },
        { kind: 'rows-not-told', tables: [{ table: 'hidden', before: 1 }] },
        { kind: 'constraint-not-validated', constraint: 'a', table: 'projects' },
      ],
    ],
    [
      'a server that takes no writes of the role any more',
      { migrator: { ...migratorFact, origin: 'stated', readOnly: false } },
      { migrator: { ...migratorFact, origin: 'stated', readOnly: true } },
      [{ kind: 'settings-changed', settings: [{ name: 'readOnly', before: 'false', after: 'true' }] }],
    ],
    [
      'variables that are given from elsewhere',
      { workloads: [givenFrom(['A', 'B'])] },
      { workloads: [givenFrom(['B', 'C'])] },
      [{ kind: 'variables-changed', workload: 'Deployment backend', added: ['P_C'], gone: ['P_A'] }],
    ],
    ['nothing in common', { tables: [] }, { workloads: [] }, [{ kind: 'nothing-compared' }]],
    [
      'what was seen',
      { ledger: [], indexes: 'not-permitted', tables: 'absent' },
      { ledger: 'not-permitted', indexes: [], tables: 'not-permitted' },
      [
        { kind: 'fact-not-compared', fact: 'ledger', missing: 'after', why: 'not-permitted' },
        { kind: 'fact-not-compared', fact: 'tables', missing: 'after', why: 'not-permitted' },
        { kind: 'fact-not-compared', fact: 'indexes', missing: 'before', why: 'not-permitted' },
      ],
    ],
  ])('%s', (_, before, after, differences) => {
    const told = differ(before, after);
    const asked = new Set(Object.keys({ ...before, ...after }));
    // What neither of the two asked for is not compared either.
    expect(told.filter((one) => one.kind !== 'fact-not-compared' || asked.has(one.fact))).toEqual(
      differences,
    );
  });
});
