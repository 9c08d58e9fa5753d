import { shellPlaceholder, sqlName, sqlText } from '../../core/text/quoted-words.js';
import { isOlder } from '../../core/version.js';
import { withoutExtension } from '../../instance/facts/known-facts.js';
import type { FactOf } from '../../instance/facts/needs.js';
import { firstWith } from '../../instance/first-versions.js';
import { describeSeconds, listNames } from '../../words/phrase.js';
import { defineCheck, ok, stop, warn } from '../check.js';
import { migrate, showSession } from '../commands.js';
import { waitUntilItEnds } from '../phrases.js';
import { isStale, knexMigrators, waitForKnex } from './migrator-at-work.js';

interface ParkedMigrator {
  readonly version: string | null;
  readonly migration: string | null;
}

const lockTable = 'knex_migrations_lock';
const leaseTable = 'migration_lease';
/** The migrations that make the tables of the lease and of its runs. */
const makers = [
  ['lease', 'migration_lease', '20260810120000_create_migration_lease'],
  ['runs', 'migration_run_ledger', '20260811122500_create_migration_run_ledger'],
] as const;
const unlock = migrate(`unlock --actor ${shellPlaceholder('ACTOR', 'your name')}`);
const status = migrate('status --json');
const whileAlone =
  'the command to paste does so only if no other session of the role, or of one that may act as it, exists.';

export const lockAndLease = defineCheck({
  id: 'lock-and-lease',
  needs: ['activity', 'locks', 'migrator'],
  needsOrAbsent: ['ledgerLock', 'lease'],
  mayNeed: ['ledger', 'runs'],
  *judge({ to, facts: { activity, locks, migrator, ledgerLock, lease, ledger, runs } }) {
    const sessions = migratingSessions(activity, [migrator.name, ...migrator.actedAsBy]);
    const { schema, name: role } = migrator;
    const { lockedRows = 0, rows = 0 } = ledgerLock ?? {};
    const [row] = lease ?? [];
    const isBeforeLease = isOlder(to, firstWith.lease);
    const unlessAlone = sessions.migrator === 'none' ? warn : stop;
    for (const pid of knexMigrators(locks)) yield stop(lockTable, { kind: 'knex-migrating', pid });
    if (lockedRows > 0 && row?.claimed !== true) {
      if (isBeforeLease) yield stop(lockTable, { kind: 'knex-lock-held', to, schema, role, ...sessions });
      else yield unlessAlone(lockTable, { kind: 'knex-lock-freed-by-target', to, ...sessions });
    }
    // Knex takes the lock if it changes exactly one row. From the lease on, the lock table is recreated first.
    if (rows > 1 && isBeforeLease) yield stop(lockTable, { kind: 'knex-lock-rows', to, schema, role, rows });
    const made = new Set(ledger?.map(({ name }) => withoutExtension(name)));
    for (const [fact, gone, migration] of makers) {
      const isAbsent = (fact === 'lease' ? lease : runs) === null;
      if (isAbsent && made.has(migration)) yield stop(gone, { kind: 'table-gone', table: gone, migration });
    }
    if (lease !== null && lease.length !== 1)
      yield stop(leaseTable, { kind: 'lease-rows', rows: lease.length });
    if (row?.claimed === true) {
      const { holderPodName, holderHostname, appVersion: version, currentMigration: migration } = row;
      const { heartbeatAgeSeconds: heartbeatSeconds } = row;
      const holder = { host: holderPodName ?? holderHostname, version, migration, heartbeatSeconds };
      if (isStale(row)) yield unlessAlone(leaseTable, { kind: 'lease-stale', ...holder, ...sessions });
      else yield stop(leaseTable, { kind: 'lease-migrating', ...holder });
    } else if (row !== undefined && row.parkedAt !== null) {
      const { parkedAppVersion: version, parkedMigration: migration } = row;
      const transient = row.parkedErrorClass === 'transient';
      // A park names a release; another release may claim the lease. A park without a name may be of any release.
      if (!transient && (version === null || version === to))
        yield stop(leaseTable, { kind: 'lease-parked-for-target', version, migration });
      else yield warn(leaseTable, { kind: 'lease-parked', version, migration, transient });
    }
    return ok({ kind: 'nobody-migrates', era: lease === null ? 'lock' : 'lease' });
  },
})({
  label: 'Migration lock and lease',
  meaning:
    'Whether a migration is running now, or a migrator died during one. What it looks at: knex_migrations_lock, ' +
    'also who changes it without a commit yet, and, from 1.123.0 on, migration_lease: who holds it, how old its ' +
    'heartbeat is (stale after 75 s), whether a migration is parked. Also the sessions of the role that migrates ' +
    'and of roles that may act as it: unlock nothing while a migrator is alive.',
  traitsOf: {
    'knex-lock-freed-by-target': { afterUpgrade: 'stop', transient: true },
    'knex-migrating': { transient: true },
    'lease-migrating': { transient: true },
    'lease-stale': { afterUpgrade: 'stop', transient: true },
    'lease-parked': { afterUpgrade: 'stop' },
  },
  finds: {
    'knex-lock-held': {
      meaning: 'The migration lock is held. A target before 1.123.0 does not free it, and does not start.',
      remedy:
        'Wait while a migrator runs. If none does, stop every pod and job that could migrate, then free it; ' +
        `${whileAlone}`,
      describe: ({ to, ...sessions }) =>
        `the lock is held${describeMigrator(sessions)}; ${to} does not free it`,
      psql({ migrator, schema, role }) {
        const others = otherSessions(role);
        if (migrator !== 'none')
          return [`SELECT pid, application_name, client_addr, state, xact_start ${others};`];
        const isLocked = 'is_locked IS DISTINCT FROM 0';
        return [
          `UPDATE ${sqlName(schema)}.${lockTable} SET is_locked = 0 WHERE ${isLocked} AND NOT EXISTS (SELECT ` +
            `${others});`,
        ];
      },
    },
    'knex-migrating': {
      meaning:
        'A session has changed the migration lock without a commit, as Knex does while it migrates in one ' +
        'transaction: for others the lock is free until that ends.',
      remedy: waitForKnex,
      describe: ({ pid }) => `pid ${pid} has taken the lock, in a transaction that is still open`,
      psql: ({ pid }) => [showSession(pid)],
    },
    'knex-lock-rows': {
      meaning:
        'The lock has several rows, as after a second restore. A target before 1.123.0 does not start.',
      remedy: `Stop every pod and job that could migrate, then leave one row; ${whileAlone}`,
      describe: ({ to, rows }) =>
        `knex_migrations_lock has ${rows} rows instead of one; ${to} cannot take it`,
      psql({ schema, role }) {
        const table = `${sqlName(schema)}.${lockTable}`;
        // Any row may be the one that a migrator has locked.
        const oneRow = `index <> (SELECT pg_catalog.min(index) FROM ${table})`;
        return [`DELETE FROM ${table} WHERE ${oneRow} AND NOT EXISTS (SELECT ${otherSessions(role)});`];
      },
    },
    'knex-lock-freed-by-target': {
      meaning: 'The migration lock is held, but no lease. From 1.123.0 on, the next migrator frees it.',
      remedy: 'Make sure that no old pod or job still migrates: the target frees the lock when it starts.',
      describe: ({ to, ...sessions }) =>
        `the lock is held${describeMigrator(sessions)}; ${to} frees it when it starts`,
    },
    'lease-migrating': {
      meaning: 'A migrator holds the lease, and its heartbeat is current: a migration is running now.',
      remedy: `${waitUntilItEnds}. Do not unlock while it is alive.`,
      describe: (holder) => `a migration is running: ${describeHolder(holder)}`,
      image: () => [status],
    },
    'lease-stale': {
      meaning: 'The heartbeat of the lease has stopped: its holder died, or cannot reach the database.',
      remedy:
        'Make sure that its pod or job is gone, and check what it left behind: an invalid index, a half-done ' +
        'backfill. The next migrator takes over the lease by itself.',
      describe: ({ migrator, pids, ...holder }) =>
        `the lease is stale: ${describeHolder(holder)}${describeMigrator({ migrator, pids })}`,
      image: () => [status],
    },
    'lease-parked-for-target': {
      meaning: 'A migration is parked for the target itself. The target fails at once until it is unlocked.',
      remedy: 'Fix what the migration log names, then unlock.',
      describe: describeParked,
      image: () => [status, unlock],
    },
    'lease-parked': {
      meaning: 'A migration is parked for another release, or for a while: the target tries it again.',
      remedy:
        'Find out from the log why it failed and whether the target fixes it; otherwise it parks again.',
      describe: ({ transient, ...parked }) =>
        `${describeParked(parked)}${transient ? ', for a temporary reason' : ''}`,
      image: () => [status],
    },
    'lease-rows': {
      meaning: 'The table migration_lease must have exactly one row, or no migrator can get the lease.',
      remedy: 'Do not edit it by hand: ask the publisher, or restore the table from a backup.',
      describe: ({ rows }) => `migration_lease has ${rows} rows instead of one`,
    },
    'table-gone': {
      meaning:
        'The ledger says that a table of the migrator was created, but it is missing. It could have shown whether ' +
        'somebody migrates or a migration is parked, and no migration adds its later columns again.',
      remedy:
        'Find out who dropped it, and whether the address leads to the right schema. Restore the table from a ' +
        'backup, or ask the publisher.',
      describe: ({ table, migration }) => `there is no ${table}, although ${migration} has run`,
    },
    'nobody-migrates': ({ era }) =>
      era === 'lease'
        ? 'lock and lease are free, nothing is parked'
        : 'the lock is free; this database has no lease yet',
  },
});

/**
 * Sessions of roles that may migrate, if they are not idle: any of them may be a migrator. `hidden`: this role may not
 * see what sessions do.
 */
function migratingSessions({ sessions, hiddenSessions }: FactOf<'activity'>, roles: readonly string[]) {
  const pids = sessions
    .filter(({ role: of, backend }) => backend === 'client backend' && (of === null || roles.includes(of)))
    .map(({ pid }) => pid);
  const others = hiddenSessions > 0 ? 'hidden' : 'none';
  return { migrator: pids.length > 0 ? 'maybe' : others, pids } as const;
}

function describeMigrator({ migrator, pids }: ReturnType<typeof migratingSessions>): string {
  if (migrator === 'none') return ', and no session is visible that could migrate';
  if (migrator === 'hidden') return ', and the role cannot see whether a migrator is alive';
  return `, and its migrator may be alive (pid ${listNames(pids.map(String), 5)})`;
}

function describeParked({ version, migration }: ParkedMigrator): string {
  return `${migration ?? 'an unnamed migration'} is parked for ${version ?? 'an unnamed release'}`;
}

interface Holder extends ParkedMigrator {
  readonly host: string | null;
  readonly heartbeatSeconds: number | null;
}

function describeHolder({ host, version, migration, heartbeatSeconds }: Holder): string {
  return [
    `held by ${host ?? 'an unnamed host'}`,
    ...(version === null ? [] : [`release ${version}`]),
    ...(migration === null ? [] : [`at ${migration}`]),
    heartbeatSeconds === null ? 'no heartbeat' : `last heartbeat ${describeSeconds(heartbeatSeconds)} ago`,
  ].join(', ');
}

/** The login role may be another one that acts as the role that migrates. */
function otherSessions(role: string): string {
  const mayMigrate =
    `(usename = ${sqlText(role)} OR NOT rolsuper AND CASE WHEN pg_catalog.current_setting('server_version_num')` +
    `::int < 160000 THEN pg_catalog.pg_has_role(usename, ${sqlText(role)}, 'MEMBER') ELSE ` +
    `pg_catalog.pg_has_role(usename, ${sqlText(role)}, 'SET') OR pg_catalog.pg_has_role(usename, ` +
    `${sqlText(role)}, 'USAGE') END)`;
  return (
    'FROM pg_stat_activity JOIN pg_roles ON rolname = usename WHERE datname = pg_catalog.current_database() ' +
    `AND pid <> pg_catalog.pg_backend_pid() AND ${mayMigrate}`
  );
}
