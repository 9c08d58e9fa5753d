import { describe } from 'vitest';
import { preparedTransactions } from '../../../src/checks/database/prepared-transactions.js';
import {
  itFinds,
  lockOf,
  type MigrationCase,
  ranRelease,
  type Situation,
  upgradeTo,
} from '../../support/preflight.js';

const locking: MigrationCase[] = [{ name: '20260901000000_x', tables: ['projects'], does: ['locks'] }];
const building: MigrationCase[] = [{ name: '20260901000000_x', tables: ['projects'], does: ['scans'] }];
const prepared = [{ name: 'transfer', owner: 'app', ageSeconds: 86_400 }];
const lock = lockOf({ pid: null, preparedTransaction: 'transfer' });

describe('a prepared transaction', () => {
  itFinds(preparedTransactions, (situation: Situation) => situation, {
    'ok no-prepared-transaction': {
      'is not there': upgradeTo(locking),
      'has read a table of which an index is built': upgradeTo(building, {
        preparedTransactions: prepared,
        locks: [lock],
      }),
      'locks nothing': upgradeTo(locking, { preparedTransactions: prepared }),
      'locks nothing that matters': upgradeTo(locking, {
        preparedTransactions: prepared,
        locks: [{ ...lock, table: 'sessions' }],
      }),
      'waits for a lock that another has': upgradeTo(locking, {
        preparedTransactions: prepared,
        locks: [
          { ...lock, granted: false },
          { ...lock, preparedTransaction: 'other' },
        ],
      }),
      'has read what every migrator writes': upgradeTo([], {
        preparedTransactions: prepared,
        locks: [{ ...lock, table: 'knex_migrations_lock', mode: 'AccessShareLock' }],
      }),
    },
    'warn prepared-transaction transfer': {
      'has written a table of which an index is built': upgradeTo(building, {
        preparedTransactions: prepared,
        locks: [{ ...lock, mode: 'RowExclusiveLock' }],
      }),
      'may lock a table of one that tells none, and is warned of': upgradeTo(
        [{ name: '20260901000000_x', does: 'unknown' }],
        { preparedTransactions: prepared, locks: [lock] },
      ),
    },
    'not-checked artifacts-not-seen; warn prepared-transaction transfer': {
      'locks a table, and the artifact of a release was not read': {
        ...upgradeTo([], { preparedTransactions: prepared, locks: [{ ...lock, table: 'sessions' }] }),
        releases: [ranRelease, { version: '2.1.0', artifact: 'missing' }],
      },
    },
    'stop prepared-transaction-locks transfer': {
      'locks a table that a migration locks': upgradeTo(locking, {
        preparedTransactions: prepared,
        locks: [lock],
      }),
      'locks what every migrator writes': upgradeTo([], {
        preparedTransactions: prepared,
        locks: [{ ...lock, table: 'knex_migrations_lock', mode: 'RowExclusiveLock' }],
      }),
    },
  });
});
