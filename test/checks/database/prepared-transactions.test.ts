import { describe } from 'vitest';
import { preparedTransactions } from '../../../src/checks/database/prepared-transactions.js';
import { itFinds, lockOf, type MigrationCase, type Situation, upgradeTo } from '../../support/preflight.js';

const locking: MigrationCase[] = [{ name: '20260901000000_x', tables: ['projects'], does: ['locks'] }];
const prepared = [{ name: 'transfer', owner: 'app', ageSeconds: 86_400 }];
const lock = lockOf({ pid: null, preparedTransaction: 'transfer' });

describe('a prepared transaction', () => {
  itFinds(preparedTransactions, (situation: Situation) => situation, {
    'ok no-prepared-transaction': { 'is not there': upgradeTo(locking) },
    'warn prepared-transaction transfer': {
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
      'may lock a table of one that tells none, and is warned of': upgradeTo(
        [{ name: '20260901000000_x', does: 'unknown' }],
        { preparedTransactions: prepared, locks: [lock] },
      ),
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
