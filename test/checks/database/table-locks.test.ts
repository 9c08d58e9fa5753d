import { describe, expect, it } from 'vitest';
import { longTransactions } from '../../../src/checks/database/long-transactions.js';
import { tableLocks } from '../../../src/checks/database/table-locks.js';
import { indexFact } from '../../support/facts.js';
import {
  idleLease,
  itFinds,
  lockOf,
  type MigrationCase,
  pastedFor,
  type Situation,
  sessionOf,
  upgradeTo,
} from '../../support/preflight.js';

const locking: MigrationCase[] = [{ name: '20260901000000_x', tables: ['projects'], does: ['locks'] }];
const building: MigrationCase[] = [{ name: '20260901000000_x', tables: ['projects'], does: ['scans'] }];
const dropping: MigrationCase[] = [{ name: '20260901000000_x', tables: ['projects'] }];
const opaque: MigrationCase[] = [{ name: '20260901000000_x', does: 'unknown' }];

describe('a lock', () => {
  itFinds(tableLocks, (situation: Situation) => situation, {
    'ok no-table-locked': {
      'is not there': upgradeTo(locking),
      'is on another table': upgradeTo(locking, { locks: [lockOf({ table: 'sessions' })] }),
      'is on a table that is only read': upgradeTo(
        [{ name: '20260901000000_x', tables: ['projects'], does: ['scans'] }],
        { locks: [lockOf({})] },
      ),
      'writes a table of which an index is built, for a moment': upgradeTo(building, {
        locks: [lockOf({ mode: 'RowExclusiveLock', transactionSeconds: 299 })],
      }),
      'only reads a table of which an index is built': upgradeTo(building, {
        locks: [
          lockOf({ transactionSeconds: 900 }),
          lockOf({ pid: 8, mode: 'RowShareLock', transactionSeconds: 900 }),
        ],
      }),
      'is held for a moment': upgradeTo(locking, { locks: [lockOf({ transactionSeconds: 4 })] }),
      'is on what every migrator writes, for a moment': upgradeTo(locking, {
        locks: [lockOf({ table: 'migration_lease', mode: 'RowExclusiveLock', transactionSeconds: 4 })],
      }),
      'reads a table of which an index may be dropped, and not for long': upgradeTo(dropping, {
        locks: [lockOf({ transactionSeconds: 299 })],
      }),
      'is waited for, and not held': upgradeTo(locking, { locks: [lockOf({ granted: false })] }),
      'is that of a prepared transaction': upgradeTo(locking, {
        locks: [lockOf({ pid: null, preparedTransaction: 'p' })],
      }),
      'is on what every migrator writes, and keeps nobody from that': upgradeTo(locking, {
        locks: [
          lockOf({ table: 'migration_lease', mode: 'AccessShareLock', transactionSeconds: 900 }),
          lockOf({ table: 'migration_run_ledger', pid: null, preparedTransaction: 'p' }),
          lockOf({ table: 'knex_migrations', granted: false }),
        ],
      }),
    },
    'warn table-locked projects': {
      'writes a table of which an index is built, since nobody knows when': upgradeTo(building, {
        locks: [lockOf({ mode: 'RowExclusiveLock', transactionSeconds: null })],
      }),
      'is held on a table that will be locked': upgradeTo(locking, {
        locks: [lockOf({ transactionSeconds: 299 })],
      }),
    },
    'stop table-locked-for-long projects': {
      'is held for five minutes': upgradeTo(locking, { locks: [lockOf({ transactionSeconds: 300 })] }),
      'is told by its oldest holder': upgradeTo(locking, {
        locks: [lockOf({}), lockOf({ pid: 8, transactionSeconds: 900 })],
      }),
      'is told by its oldest holder, in whatever order they come': upgradeTo(locking, {
        locks: [lockOf({ transactionSeconds: 900 }), lockOf({ pid: 8 })],
      }),
      'is on a table that may be locked': upgradeTo(
        [{ name: '20260901000000_x', tables: ['projects'], does: 'unknown' }],
        { locks: [lockOf({ transactionSeconds: 300 })] },
      ),
    },
    'not-checked facts-not-seen; warn table-locked projects': {
      'is held since nobody knows when': upgradeTo(locking, {
        locks: [lockOf({ transactionSeconds: null })],
      }),
      'is held since nobody knows when, beside one that is young': upgradeTo(locking, {
        locks: [lockOf({}), lockOf({ pid: 8, transactionSeconds: null })],
      }),
    },
    'warn table-locked-for-long projects': {
      'reads a table of which an index may be dropped, for five minutes': upgradeTo(dropping, {
        locks: [lockOf({ transactionSeconds: 300 })],
      }),
      'reads a table of which an index is built, and one that is not valid is dropped before': upgradeTo(
        building,
        { locks: [lockOf({ transactionSeconds: 300 })], indexes: [indexFact({ name: 'i', valid: false })] },
      ),
      'writes a table of which an index is built, for five minutes': upgradeTo(building, {
        locks: [lockOf({ mode: 'RowExclusiveLock', transactionSeconds: 900 })],
      }),
      'may be in the way of what tells no tables': upgradeTo(opaque, {
        locks: [lockOf({ transactionSeconds: 900 })],
      }),
    },
    'stop migrator-locks pid 7': {
      'is that of Knex, which migrates in one transaction': upgradeTo(locking, {
        locks: [
          lockOf({ table: 'knex_migrations_lock', mode: 'RowExclusiveLock' }),
          lockOf({ table: 'knex_migrations', mode: 'RowExclusiveLock', transactionSeconds: 900 }),
          lockOf({ mode: 'AccessExclusiveLock', transactionSeconds: 900 }),
        ],
      }),
    },
    'stop migrator-locks pid 7; stop table-locked-for-long projects': {
      'is that of another session beside a migrator': upgradeTo(locking, {
        locks: [
          lockOf({ table: 'knex_migrations_lock', mode: 'RowExclusiveLock' }),
          lockOf({ pid: 8, transactionSeconds: 900 }),
        ],
      }),
    },
    'stop migrators-table-locked migration_lease; warn migrators-table-locked knex_migrations_lock': {
      'is on what every migrator writes, of a session that was left open': upgradeTo(locking, {
        locks: [
          lockOf({ table: 'migration_lease', mode: 'RowShareLock', transactionSeconds: 300 }),
          lockOf({ table: 'knex_migrations_lock', mode: 'RowShareLock', transactionSeconds: 9 }),
        ],
      }),
    },
    'stop migrators-table-locked migration_lease': {
      'is on what every migrator writes, and told by its oldest holder': upgradeTo(locking, {
        locks: [
          lockOf({ table: 'migration_lease', mode: 'RowShareLock', transactionSeconds: 9 }),
          lockOf({ table: 'migration_lease', mode: 'RowShareLock', pid: 8, transactionSeconds: 300 }),
        ],
      }),
    },
    'not-checked facts-not-seen; warn migrators-table-locked knex_migrations': {
      'is on what every migrator writes, since nobody knows when': upgradeTo([], {
        locks: [lockOf({ table: 'knex_migrations', mode: 'ShareLock', transactionSeconds: null })],
      }),
    },
    'stop table-locked-for-long migration_lease; warn migrators-table-locked migration_lease': {
      'is on what every migrator writes, and on what a migration of its own alters': upgradeTo(
        [{ name: '20260901000000_x', tables: ['migration_lease'], does: ['locks'] }],
        {
          locks: [
            lockOf({ table: 'migration_lease', mode: 'AccessShareLock', transactionSeconds: 900 }),
            lockOf({ table: 'migration_lease', mode: 'RowShareLock', pid: 8, transactionSeconds: 5 }),
          ],
        },
      ),
    },
  });
});

describe('the session of a lock that has been held for long, or of an old snapshot', () => {
  const claimed = { ...idleLease, claimed: true };
  const held = { locks: [lockOf({ pid: 8, transactionSeconds: 900 })] };
  const old = {
    activity: {
      sessions: [sessionOf({ pid: 8, snapshot: true, transactionSeconds: 900 })],
      hiddenSessions: 0,
    },
  };
  const showsHow = (pasted: readonly string[]) =>
    pasted.some((line) => line.includes('pg_terminate_backend'));

  it.each<[string, Situation['facts'], mayEnd: boolean]>([
    ['nobody migrates', {}, true],
    ['the lease is stale', { lease: [{ ...claimed, heartbeatAgeSeconds: 75 }] }, true],
    ['the database has neither lock nor lease', { ledgerLock: 'absent', lease: 'absent' }, true],
    ['the lease is live', { lease: [{ ...claimed, heartbeatAgeSeconds: 74 }] }, false],
    ['Knex holds its lock', { ledgerLock: { rows: 1, lockedRows: 1 }, lease: 'absent' }, false],
    ['nobody may see the lease', { lease: 'not-permitted' }, false],
    ['nobody may see the lock', { ledgerLock: 'not-permitted' }, false],
  ])('is ended, or only shown, where %s', (_, facts, mayEnd) => {
    const pasted = [
      pastedFor(tableLocks, upgradeTo(locking, { ...held, ...facts })),
      pastedFor(longTransactions, upgradeTo(building, { ...old, ...facts })),
    ];
    expect(pasted.map(showsHow)).toEqual([mayEnd, mayEnd]);
    for (const lines of pasted) expect(lines[1]).toContain('FROM pg_stat_activity WHERE pid = 8');
  });
});
