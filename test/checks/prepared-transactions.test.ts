import { describe } from 'vitest';
import { preparedTransactions } from '../../src/checks/prepared-transactions.js';
import { itFinds, lockOf, type MigrationCase, type Situation, upgradeTo } from '../support/preflight.js';

const locking: MigrationCase[] = [{ name: '20260901000000_x', tables: ['projects'], does: ['locks'] }];
const prepared = [{ name: 'transfer', owner: 'app', ageSeconds: 86_400 }];
const lock = lockOf({ pid: null, preparedTransaction: 'transfer' });

describe('a prepared transaction', () => {
  itFinds(preparedTransactions, (situation: Situation) => situation, {
    'is not there': [upgradeTo(locking), 'ok no-prepared-transaction'],
    'locks nothing that matters': [
      upgradeTo(locking, { preparedTransactions: prepared, locks: [{ ...lock, table: 'sessions' }] }),
      'warn prepared-transaction transfer',
    ],
    'waits for a lock that another has': [
      upgradeTo(locking, {
        preparedTransactions: prepared,
        locks: [
          { ...lock, granted: false },
          { ...lock, preparedTransaction: 'other' },
        ],
      }),
      'warn prepared-transaction transfer',
    ],
    'locks a table that a migration locks': [
      upgradeTo(locking, { preparedTransactions: prepared, locks: [lock] }),
      'stop prepared-transaction-locks transfer',
    ],
    'locks what every migrator writes': [
      upgradeTo([], {
        preparedTransactions: prepared,
        locks: [{ ...lock, table: 'knex_migrations_lock', mode: 'RowExclusiveLock' }],
      }),
      'stop prepared-transaction-locks transfer',
    ],
    'has read what every migrator writes': [
      upgradeTo([], {
        preparedTransactions: prepared,
        locks: [{ ...lock, table: 'knex_migrations_lock', mode: 'AccessShareLock' }],
      }),
      'warn prepared-transaction transfer',
    ],
    'may lock a table of one that tells none, and is warned of': [
      upgradeTo([{ name: '20260901000000_x', does: 'unknown' }], {
        preparedTransactions: prepared,
        locks: [lock],
      }),
      'warn prepared-transaction transfer',
    ],
  });
});
