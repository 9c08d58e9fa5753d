import type { LockAndLeaseEvidence } from '../../../preflight/checks/lock-and-lease.js';
import { shellPlaceholder } from '../../shell-word.js';
import { sqlName, sqlText } from '../../sql-word.js';
import { describeSeconds } from '../measures.js';
import { type CheckWords, migrate } from './check-words.js';

const unlock = migrate(`unlock --actor ${shellPlaceholder('ACTOR', 'your name')}`);
const status = migrate('status --json');

export const lockAndLeaseWords: CheckWords<LockAndLeaseEvidence> = {
  label: 'Migration lock and lease',
  meaning: 'Whether the database is being migrated now, or a migrator died while doing so.',
  looksAt:
    'knex_migrations_lock, and from 1.123.0 on migration_lease: who holds it, how old its heartbeat is (stale after 75 s), whether a migration is parked; and the sessions of the role that migrates, and of those that may act as it, because nothing may be unlocked while a migrator is alive.',
  finds: {
    'knex-lock-held': {
      meaning:
        'The migration lock is held. A target before 1.123.0 says that the migration table is already locked, and does not start.',
      remedy:
        'Wait while a migrator runs. If none does, stop every pod and job that could migrate, then free it; the command to paste does so only while there is no other session of the role, or of one that may act as it.',
      describe: ({ to, migrator, pids }) =>
        `the lock is held${describeMigrator(migrator, pids)}; ${to} does not free it`,
      pasteIn: 'psql',
      commands: ({ migrator, schema, role }) =>
        migrator === 'none' ? [freeLock(schema, role)] : [listSessions(role)],
    },
    'knex-lock-rows': {
      meaning:
        'The migration lock has more than one row, as after a restore on top of another. A target before 1.123.0 says that the migration table is already locked, and does not start.',
      remedy:
        'Stop every pod and job that could migrate, then leave one row; the command to paste does so only while there is no other session of the role, or of one that may act as it.',
      describe: ({ to, rows }) =>
        `knex_migrations_lock has ${rows} rows instead of one; ${to} cannot take it`,
      pasteIn: 'psql',
      commands: ({ schema, role }) => [leaveOneRow(schema, role)],
    },
    'knex-lock-freed-by-target': {
      meaning:
        'The migration lock is held and no lease is. From 1.123.0 on the migrator that gets the lease frees the lock itself.',
      remedy:
        'Make sure that no old pod or job migrates any more. Then there is nothing to do: the target frees the lock when it begins.',
      describe: ({ to, migrator, pids }) =>
        `the lock is held${describeMigrator(migrator, pids)}; ${to} frees it when it begins`,
    },
    'lease-migrating': {
      meaning: 'A migrator holds the lease and its heartbeat is current. A migration is running now.',
      remedy: 'Wait until it has ended, and check again. Do not unlock while it is alive.',
      describe: (holder) => `a migration runs: ${describeHolder(holder)}`,
      pasteIn: 'image',
      commands: () => [status],
    },
    'lease-stale': {
      meaning:
        'A migrator holds the lease and its heartbeat has stopped. It has died, or it cannot reach the database; after 75 s another migrator takes the lease over.',
      remedy:
        'Make sure that its pod or job is gone, and check what it has left behind: an index that is not valid, a half-done backfill. The next migrator takes the lease over by itself.',
      describe: ({ migrator, pids, ...holder }) =>
        `the lease is stale: ${describeHolder(holder)}${describeMigrator(migrator, pids)}`,
      pasteIn: 'image',
      commands: () => [status],
    },
    'lease-parked-for-target': {
      meaning: 'A migration is parked for the target itself. The target fails at once until it is unlocked.',
      remedy: 'First fix what the log of the migration names, then unlock.',
      describe: ({ version, migration }) => describeParked(version, migration),
      pasteIn: 'image',
      commands: () => [status, unlock],
    },
    'lease-parked': {
      meaning:
        'A migration is parked for another release, or for a temporary reason. The target may take the lease and tries the migration again.',
      remedy:
        'Find out from the log why it failed, and whether the target fixes it. Otherwise it fails again, and is parked again.',
      describe: ({ version, migration, transient }) =>
        `${describeParked(version, migration)}${transient ? ', for a temporary reason' : ''}`,
      pasteIn: 'image',
      commands: () => [status],
    },
    'lease-rows': {
      meaning:
        'The table migration_lease must have exactly one row. Without it no migrator can get the lease.',
      remedy: 'Do not edit it by hand; ask the publisher, or restore the table from a backup.',
      describe: ({ rows }) => `migration_lease has ${rows} rows instead of one`,
    },
    'nobody-migrates': {
      meaning: 'The lock is free, and so is the lease where there is one.',
      describe: ({ era }) =>
        era === 'lease'
          ? 'lock and lease are free, nothing is parked'
          : 'the lock is free; this database has no lease yet',
    },
  },
};

function describeMigrator(migrator: 'maybe' | 'none' | 'hidden', pids: readonly number[]): string {
  if (migrator === 'none') return ', and no session that could migrate is seen';
  if (migrator === 'hidden') return ', and there is no right to see whether a migrator is alive';
  return `, and what may be its migrator is alive (pid ${pids.slice(0, 5).join(', ')}${pids.length > 5 ? ', ..' : ''})`;
}

function describeParked(version: string | null, migration: string | null): string {
  return `${migration ?? 'a migration that is not named'} is parked for ${version ?? 'a release that is not named'}`;
}

function describeHolder({
  host,
  version,
  migration,
  heartbeatSeconds,
}: {
  readonly host: string | null;
  readonly version: string | null;
  readonly migration: string | null;
  readonly heartbeatSeconds: number | null;
}): string {
  const heartbeat =
    heartbeatSeconds === null ? 'no heartbeat' : `last heartbeat ${describeSeconds(heartbeatSeconds)} ago`;
  return [
    `held by ${host ?? 'a host that is not named'}`,
    ...(version === null ? [] : [`release ${version}`]),
    ...(migration === null ? [] : [`at ${migration}`]),
    heartbeat,
  ].join(', ');
}

/** The login role may be another one that acts as the role that migrates. */
function otherSessions(role: string): string {
  const mayMigrate = `(usename = ${sqlText(role)} OR NOT rolsuper AND pg_catalog.pg_has_role(usename, ${sqlText(role)}, 'MEMBER'))`;
  return `FROM pg_stat_activity JOIN pg_roles ON rolname = usename WHERE datname = pg_catalog.current_database() AND pid <> pg_catalog.pg_backend_pid() AND ${mayMigrate}`;
}

function nobodyElse(role: string): string {
  return `NOT EXISTS (SELECT ${otherSessions(role)})`;
}

function freeLock(schema: string, role: string): string {
  return `UPDATE ${lockTable(schema)} SET is_locked = 0 WHERE is_locked IS DISTINCT FROM 0 AND ${nobodyElse(role)};`;
}

/** Any row may be the one that a migrator has locked. */
function leaveOneRow(schema: string, role: string): string {
  const first = `(SELECT pg_catalog.min(index) FROM ${lockTable(schema)})`;
  return `DELETE FROM ${lockTable(schema)} WHERE index <> ${first} AND ${nobodyElse(role)};`;
}

function lockTable(schema: string): string {
  return `${sqlName(schema)}.knex_migrations_lock`;
}

function listSessions(role: string): string {
  return `SELECT pid, application_name, client_addr, state, xact_start ${otherSessions(role)};`;
}
