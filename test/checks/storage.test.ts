import { describe, expect, it } from 'vitest';
import { archiver } from '../../src/checks/database/archiver.js';
import { diskSpace } from '../../src/checks/database/disk-space.js';
import { invalidIndexes } from '../../src/checks/database/invalid-indexes.js';
import { replicationSlots } from '../../src/checks/database/replication-slots.js';
import { vacuums } from '../../src/checks/database/vacuums.js';
import { runChecks } from '../../src/checks/run-checks.js';
import type { FactOf } from '../../src/instance/facts/needs.js';
import { indexFact, migratorFact, tableFact } from '../support/facts.js';
import {
  inputOf,
  itFinds,
  type MigrationCase,
  pastedFor,
  type Situation,
  upgradeTo,
} from '../support/preflight.js';

const GiB = 1024 ** 3;
const free = (diskFree: number, situation: Situation): Situation => ({ ...situation, diskFree });
const rewrites: MigrationCase[] = [{ name: '20260901000000_x', tables: ['projects'], does: ['rewrites'] }];
const locks: MigrationCase[] = [{ name: '20260901000000_x', tables: ['projects'], does: ['locks'] }];
const opaque: MigrationCase[] = [{ name: '20260901000000_x', does: 'unknown' }];
const large = [tableFact({ name: 'projects', heapBytes: 6 * GiB, toastBytes: GiB, indexBytes: GiB })];
const twoLarge = [
  tableFact({ name: 'projects', heapBytes: 5 * GiB }),
  tableFact({ name: 'spaces', heapBytes: 5 * GiB }),
];
const rewritesBoth: MigrationCase[] = [
  { name: '20260901000000_x', tables: ['projects', 'spaces', 'projects'], does: ['rewrites'] },
];

describe('disk space', () => {
  itFinds(
    diskSpace,
    (situation: Situation) => situation,
    {
      'ok disk-not-needed': { 'is not needed': upgradeTo(locks) },
      'not-checked facts-not-seen': {
        'is not known': upgradeTo(rewrites),
        'is held against a size that is not known': free(
          8 * GiB,
          upgradeTo(rewrites, { tables: [tableFact({ name: 'projects', heapBytes: null })] }),
        ),
        'is held against a size that was seen long ago': free(
          8 * GiB,
          upgradeTo(rewrites, { tables: [tableFact({ name: 'projects', sizedBy: 'statistics' })] }),
        ),
      },
      'ok disk-enough': {
        'is enough': free(8 * GiB, upgradeTo(rewrites, { tables: large })),
        'is enough for them one after the other': free(
          9 * GiB,
          upgradeTo([...rewrites, { name: '20260902000000_y', tables: ['spaces'], does: ['rewrites'] }], {
            tables: twoLarge,
          }),
        ),
        'is not needed for a table that is read alone': free(
          7 * GiB,
          upgradeTo([{ ...locks[0], does: ['scans'] }] as MigrationCase[], { tables: large }),
        ),
        'is what the start check wants': free(5 * GiB, upgradeTo(rewrites)),
      },
      'stop disk-too-small projects': {
        'is less than a table that is rewritten': free(8 * GiB - 1, upgradeTo(rewrites, { tables: large })),
      },
      'stop disk-too-small 20260901000000_x': {
        'is less than the tables that one migration rewrites, which are given back when it ends': free(
          9 * GiB,
          upgradeTo(rewritesBoth, { tables: twoLarge }),
        ),
        'is less than the partitions of a table': free(
          9 * GiB,
          upgradeTo(rewrites, {
            tables: [
              tableFact({ name: 'projects', kind: 'partitioned' }),
              tableFact({ name: 'projects_1', partitionOf: 'projects', heapBytes: 10 * GiB }),
            ],
          }),
        ),
      },
      'stop disk-too-small projects; warn disk-headroom': {
        'is less than a table that is rewritten, and than what the start check wants': free(
          4 * GiB,
          upgradeTo(rewrites, { tables: large }),
        ),
      },
      'stop disk-too-small projects; warn disk-too-small spaces': {
        'is less than one that is rewritten, and than another that may be': free(
          7 * GiB,
          upgradeTo([...rewrites, { name: '20260902000000_y', does: 'unknown' }], {
            tables: [...large, tableFact({ name: 'spaces', heapBytes: 8 * GiB })],
          }),
        ),
      },
      'warn disk-too-small projects': {
        'is less than one that may be rewritten': free(7 * GiB, upgradeTo(opaque, { tables: large })),
      },
      'warn disk-headroom': {
        'is below what the start check wants': free(5 * GiB - 1, upgradeTo(rewrites)),
      },
    },
    [
      ...(['heapBytes', 'toastBytes', 'indexBytes'] as const).map((part): [string, Situation, string[]] => [
        `is held against a size of which the ${part} are not known, beside one that is`,
        free(
          8 * GiB,
          upgradeTo(opaque, {
            tables: [tableFact({ name: 'sessions' }), tableFact({ name: 'projects', [part]: null })],
          }),
        ),
        ['not-checked facts-not-seen'],
      ]),
    ],
  );

  it('is not known, and the answer says what may be needed', () => {
    const two = [{ name: '20260902000000_y', tables: ['spaces'], does: ['rewrites' as const] }];
    const { findings } = runChecks(
      [diskSpace],
      inputOf(upgradeTo([...rewrites, ...two], { tables: twoLarge })),
    );
    const [missing] = findings.flatMap(({ evidence }) => ('missing' in evidence ? evidence.missing : []));
    expect(missing?.detail).toBe(
      'pending migrations may rewrite up to 10 GiB of tables, and write as much WAL or more',
    );
  });

  it('says to try again where a table is locked, and not that a right is missing', () => {
    const tables = [tableFact({ name: 'projects', heapBytes: null, sizedBy: 'statistics' })];
    const { findings } = runChecks([diskSpace], inputOf(free(8 * GiB, upgradeTo(rewrites, { tables }))));
    expect(findings).toEqual([
      expect.objectContaining({
        evidence: {
          kind: 'facts-not-seen',
          missing: [{ need: 'tables', why: 'timeout', detail: 'a table is locked' }],
        },
      }),
    ]);
  });
});

describe('an index', () => {
  const index = indexFact({ name: 'projects_idx', valid: false });
  itFinds(invalidIndexes, (situation: Situation) => situation, {
    'ok indexes-valid': { 'is valid': upgradeTo(locks, { indexes: [{ ...index, valid: true }] }) },
    'warn index-invalid projects_idx': {
      'is not': upgradeTo(locks, { indexes: [index] }),
      'is not, on a table that nothing changes': upgradeTo([], { indexes: [index] }),
    },
  });

  it('that is not is told with its table, and with what may meet it', () => {
    const { findings } = runChecks([invalidIndexes], inputOf(upgradeTo(locks, { indexes: [index] })));
    expect(findings.map(({ evidence }) => evidence)).toEqual([
      {
        kind: 'index-invalid',
        index: 'projects_idx',
        table: 'projects',
        schema: 'public',
        migration: locks[0]?.name,
      },
    ]);
  });
});

it('of what is stored out of line is dropped in its own schema', () => {
  const toast = indexFact({ name: 'pg_toast.pg_toast_16389_index_ccnew', valid: false });
  const [, drop] = pastedFor(invalidIndexes, upgradeTo(locks, { indexes: [toast] }));
  expect(drop).toContain(`'DROP INDEX CONCURRENTLY "pg_toast"."pg_toast_16389_index_ccnew"'`);
});

describe('a vacuum', () => {
  const running = (told: object): FactOf<'vacuums'> => ({
    running: [{ pid: 5, table: 'projects', automatic: true, preventsWraparound: false, ...told }],
    hidden: 0,
  });
  itFinds(vacuums, (situation: Situation) => situation, {
    'ok no-vacuum-in-the-way': {
      'makes way': upgradeTo(locks, { vacuums: running({}) }),
      'is on another table': upgradeTo(locks, { vacuums: running({ automatic: false, table: 'sessions' }) }),
      'is on another table, and makes way late': upgradeTo(locks, {
        vacuums: running({ table: 'sessions' }),
        migrator: { ...migratorFact, deadlockTimeoutMs: 60_000 },
      }),
      'makes way before a migration gives up': upgradeTo(locks, {
        vacuums: running({}),
        migrator: { ...migratorFact, deadlockTimeoutMs: 4999, lockTimeoutMs: 8000 },
      }),
    },
    'warn vacuum-makes-way-late projects': {
      'makes way after a migration has given up': upgradeTo(locks, {
        vacuums: running({}),
        migrator: { ...migratorFact, deadlockTimeoutMs: 5000 },
      }),
      'makes way after the role has given up': upgradeTo(locks, {
        vacuums: running({}),
        migrator: { ...migratorFact, deadlockTimeoutMs: 1000, lockTimeoutMs: 500 },
      }),
    },
    'warn vacuum-in-the-way projects': {
      'prevents wraparound': upgradeTo(locks, { vacuums: running({ preventsWraparound: true }) }),
      'was begun by a person': upgradeTo(locks, { vacuums: running({ automatic: false }) }),
    },
    'warn vacuum-in-the-way sessions': {
      'may be in the way of what tells no tables': upgradeTo(opaque, {
        vacuums: running({ automatic: false, table: 'sessions' }),
      }),
      'may be in the way of one that tells no tables, beside one that does': upgradeTo(
        [...locks, { name: '20260902000000_y', does: 'unknown' }],
        { vacuums: running({ automatic: false, table: 'sessions' }) },
      ),
    },
    'not-checked facts-not-seen': {
      'may not be seen': upgradeTo(locks, { vacuums: { running: [], hidden: 1 } }),
    },
    'not-checked facts-not-seen; warn vacuum-in-the-way projects': {
      'may not be seen, beside one that is in the way': upgradeTo(locks, {
        vacuums: { ...running({ automatic: false }), hidden: 1 },
      }),
    },
  });
});

describe('a replication slot', () => {
  const slots = (told: object): Situation => ({
    facts: {
      replication: {
        slots: [{ name: 's', kind: 'logical', active: true, keptBytes: 0, walStatus: 'reserved', ...told }],
        subscriptions: [],
      },
    },
  });
  itFinds(replicationSlots, (situation: Situation) => situation, {
    'ok slots-follow': {
      'is read': slots({}),
      'is of a server that does not tell': slots({ walStatus: null }),
      'is read by nobody, and keeps next to nothing': slots({ active: false, keptBytes: 16 * 1024 ** 2 }),
      'is read by nobody, and keeps nothing': slots({ active: false, keptBytes: null }),
    },
    'warn slot-inactive s': {
      'is read by nobody': slots({ active: false, keptBytes: 16 * 1024 ** 2 + 1 }),
      'of a standby is read by nobody': slots({ active: false, kind: 'physical', keptBytes: GiB }),
    },
    'warn slot-behind s': {
      'is behind': slots({ walStatus: 'extended' }),
      'is lost': slots({ walStatus: 'lost', keptBytes: null }),
    },
  });
});

describe('the archiver', () => {
  const archiving = (told: object): Situation => ({
    facts: { archiver: { enabled: true, archivedSecondsAgo: 300, failedSecondsAgo: null, ...told } },
  });
  itFinds(archiver, (situation: Situation) => situation, {
    'ok no-archiver': {
      'is off, and failed before': archiving({
        enabled: false,
        archivedSecondsAgo: null,
        failedSecondsAgo: 60,
      }),
    },
    'ok archiver-follows': {
      follows: archiving({}),
      'follows again': archiving({ failedSecondsAgo: 900 }),
      'had nothing to archive yet': archiving({ archivedSecondsAgo: null }),
    },
    'warn archiver-fails': {
      fails: archiving({ failedSecondsAgo: 60 }),
      'has never succeeded': archiving({ archivedSecondsAgo: null, failedSecondsAgo: 60 }),
    },
  });
});
