import { describe } from 'vitest';
import { longTransactions } from '../../../src/checks/database/long-transactions.js';
import type { FactOf } from '../../../src/instance/facts/needs.js';
import {
  itFinds,
  lockOf,
  ranRelease,
  type Situation,
  sessionOf,
  upgradeTo,
} from '../../support/preflight.js';

const building = [{ name: '20260901000000_x', tables: ['projects'], does: ['scans' as const] }];
const locking = [{ name: '20260901000000_x', tables: ['projects'], does: ['locks' as const] }];

const seen = (told: Partial<FactOf<'activity'>>, migrations = building as typeof building | typeof locking) =>
  upgradeTo(migrations, { activity: { sessions: [], hiddenSessions: 0, ...told } });
/** A snapshot that has been held for as long as a migration would mind. */
const long = (told: Parameters<typeof sessionOf>[0] = {}) =>
  sessionOf({ pid: 7, snapshot: true, transactionSeconds: 900, ...told });

describe('long transactions', () => {
  itFinds(longTransactions, (situation: Situation) => situation, {
    'ok no-long-transaction': {
      none: seen({}),
      'a short one': seen({ sessions: [long({ transactionSeconds: 299 })] }),
      'one that is idle after a read, and holds no snapshot': seen({
        sessions: [long({ state: 'idle in transaction', snapshot: false })],
      }),
      'a session that does not tell its age': seen({ sessions: [long({ transactionSeconds: null })] }),
      'a short one of a background worker': seen({
        sessions: [sessionOf({ backend: 'pg_cron', snapshot: true })],
      }),
      'a vacuum': seen({ sessions: [long({ backend: 'autovacuum worker' })] }),
      'a replica that follows': seen({
        sessions: [sessionOf({ backend: 'walsender', transactionSeconds: null, snapshot: false })],
      }),
      'a part of a query, which its leader stands for': seen({
        sessions: [long({ backend: 'parallel worker' })],
      }),
      'none that may be seen, and none of them holds a snapshot': seen({
        hiddenSessions: 3,
        hiddenSnapshots: 0,
        oldestHiddenSnapshot: null,
      }),
    },
    'ok no-index-built': {
      'a long one, and only locks are wanted': seen({ sessions: [long()], hiddenSessions: 1 }, locking),
      'a long one, and nothing is pending': seen({ sessions: [long()] }, []),
    },
    'warn long-transaction pid 7': {
      'a long one': seen({ sessions: [long({ transactionSeconds: 300 })] }),
      'one of which nothing else is told': seen({ sessions: [long({ role: null, state: null })] }),
      'that of Knex, which is not to be ended': upgradeTo(building, {
        activity: { sessions: [long()], hiddenSessions: 0 },
        locks: [lockOf({ table: 'knex_migrations_lock', mode: 'RowExclusiveLock' })],
      }),
      'that of a background worker': seen({ sessions: [long({ backend: 'pg_cron' })] }),
      'a long one, and the ledger was not seen': {
        ...upgradeTo([], { activity: { sessions: [long()], hiddenSessions: 0 }, ledger: 'not-permitted' }),
      },
      'a long one, and no artifact lists the migrations of a release': {
        ...seen({ sessions: [long()] }, []),
        releases: [ranRelease, { version: '2.1.0', artifact: 'missing' }],
      },
    },
    'not-checked facts-not-seen; warn long-transaction pid 7': {
      'a long one, and others that may not be seen': seen({ sessions: [long()], hiddenSessions: 1 }),
    },
    'not-checked facts-not-seen': {
      'none that may be seen': seen({ hiddenSessions: 1 }),
      'none that may be seen, and some hold a snapshot': seen({
        hiddenSessions: 3,
        hiddenSnapshots: 2,
        oldestHiddenSnapshot: 41,
      }),
      'the copy that a subscriber begins with, which does not tell its age': seen({
        sessions: [sessionOf({ backend: 'walsender', transactionSeconds: null, snapshot: true })],
      }),
    },
  });
});
