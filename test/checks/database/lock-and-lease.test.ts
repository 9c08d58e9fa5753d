import { describe } from 'vitest';
import { lockAndLease } from '../../../src/checks/database/lock-and-lease.js';
import { migratorFact } from '../../support/facts.js';
import {
  healthyFacts,
  idleLease,
  itFinds,
  ledgerOf,
  lockOf,
  type Situation,
  sessionOf,
} from '../../support/preflight.js';

const held = { rows: 1, lockedRows: 1 };
const holds = { ...idleLease, claimed: true, holderPodName: 'lightdash-migrate-x', appVersion: '2.1.0' };
const parked = {
  ...idleLease,
  parkedAt: '2026-09-06T10:00:00Z',
  parkedAppVersion: '2.1.0',
  parkedMigration: '20260801000000_a',
  parkedErrorClass: 'deterministic',
};
const busy = { sessions: [sessionOf({ role: 'lightdash' })], hiddenSessions: 0 };
const hidden = { sessions: [], hiddenSessions: 3 };

function facing(facts: Situation['facts'], to = '2.1.0'): Situation {
  return { releases: [{ version: '1.100.0' }, { version: to }], facts: { ...healthyFacts(), ...facts } };
}

describe('lock and lease', () => {
  itFinds(lockAndLease, (situation: Situation) => situation, {
    'ok nobody-migrates': {
      'are free': facing({}),
      'are free, and somebody reads the lock': facing({
        locks: [
          lockOf({ table: 'knex_migrations_lock' }),
          lockOf({ table: 'knex_migrations_lock', mode: 'RowExclusiveLock', granted: false }),
        ],
      }),
      'may not be seen by a role that sees the lease': facing({
        ledger: ledgerOf('20260811122500_create_migration_run_ledger'),
        runs: 'not-permitted',
      }),
      'may not be there yet': facing({ lease: 'absent', ledgerLock: 'absent' }),
      'of two rows, which the target makes anew': facing(
        { ledgerLock: { rows: 2, lockedRows: 0 }, lease: 'absent' },
        '1.123.0',
      ),
      'without a row, which Knex writes': facing(
        { ledgerLock: { rows: 0, lockedRows: 0 }, lease: 'absent' },
        '1.122.9',
      ),
    },
    'stop knex-lock-held knex_migrations_lock': {
      'held, of a release without lease': facing({ ledgerLock: held, lease: 'absent' }, '1.122.9'),
      'held beside a session': facing({ ledgerLock: held, lease: 'absent', activity: busy }, '1.122.9'),
    },
    'stop knex-migrating knex_migrations_lock': {
      'free for others while Knex migrates in one transaction': facing({
        locks: [lockOf({ table: 'knex_migrations_lock', mode: 'RowExclusiveLock' })],
      }),
    },
    'stop knex-lock-rows knex_migrations_lock': {
      'of two rows, which Knex cannot take': facing(
        { ledgerLock: { rows: 2, lockedRows: 0 }, lease: 'absent' },
        '1.122.9',
      ),
    },
    'warn knex-lock-freed-by-target knex_migrations_lock': {
      'held, and the target frees it': facing({ ledgerLock: held, lease: 'absent' }, '1.123.0'),
      'held, and a session of the server itself': facing({
        ledgerLock: held,
        activity: { ...busy, sessions: [sessionOf({ role: 'lightdash', backend: 'parallel worker' })] },
      }),
      'held, and a session of another role': facing({
        ledgerLock: held,
        activity: { ...busy, sessions: [sessionOf({ role: 'analyst' })] },
      }),
    },
    'stop knex-lock-freed-by-target knex_migrations_lock': {
      'held, and a session may be the migrator': facing({ ledgerLock: held, activity: busy }),
      'held, and a session of a role that acts as the one that migrates may be the migrator': facing({
        ledgerLock: held,
        activity: { ...busy, sessions: [sessionOf({ role: 'app' })] },
        migrator: { ...migratorFact, actedAsBy: ['app'] },
      }),
      'held, and a session of a role that is not told may be the migrator': facing({
        ledgerLock: held,
        activity: { ...busy, sessions: [sessionOf({ role: null })] },
      }),
      'held, and sessions may not be seen': facing({ ledgerLock: held, activity: hidden }),
    },
    'stop lease-migrating migration_lease': {
      'a lease whose heart beats': facing({ lease: [{ ...holds, heartbeatAgeSeconds: 74 }] }),
      'a lease that names the migration': facing({
        lease: [{ ...holds, heartbeatAgeSeconds: 1, currentMigration: '20260801000000_a' }],
      }),
      'a lease that names nobody': facing({
        lease: [{ ...idleLease, claimed: true, heartbeatAgeSeconds: 1 }],
      }),
      'a migrator that holds both': facing({
        ledgerLock: held,
        lease: [{ ...holds, heartbeatAgeSeconds: 3 }],
      }),
    },
    'warn lease-stale migration_lease': {
      'a lease whose heart has stopped': facing({ lease: [{ ...holds, heartbeatAgeSeconds: 75 }] }),
      'a lease without a heartbeat': facing({ lease: [holds] }),
    },
    'stop lease-stale migration_lease': {
      'a stale lease beside what may be its migrator': facing({ lease: [holds], activity: busy }),
    },
    'stop lease-parked-for-target migration_lease': {
      'parked for the target': facing({ lease: [parked] }),
      'parked by what is not named': facing({ lease: [{ ...parked, parkedMigration: null }] }),
      'parked for a release that is not named': facing({ lease: [{ ...parked, parkedAppVersion: null }] }),
    },
    'warn lease-parked migration_lease': {
      'parked for another release': facing({ lease: [{ ...parked, parkedAppVersion: '2.0.9' }] }),
      'parked for a reason that passes': facing({ lease: [{ ...parked, parkedErrorClass: 'transient' }] }),
    },
    'stop table-gone migration_lease': {
      'without a lease, although the ledger says that it was made': facing({
        ledger: ledgerOf('20260810120000_create_migration_lease'),
        lease: 'absent',
      }),
    },
    'stop table-gone migration_run_ledger': {
      'without the runs of the lease, although the ledger says that they were made': facing({
        ledger: ledgerOf('20260811122500_create_migration_run_ledger'),
        runs: 'absent',
      }),
    },
    'stop lease-rows migration_lease': { 'a lease without its row': facing({ lease: [] }) },
    'not-checked facts-not-seen': {
      'sessions that were not looked at': {
        ...facing({}),
        facts: { ...healthyFacts(), activity: 'not-permitted' },
      },
    },
  });
});
