import type { FactOf, Lacking } from '../facts/needs.js';
import { isOpaque, pendingLocks, tablesOf } from '../instance/ledger.js';
import { countOf } from '../render/phrase.js';
import { describeSeconds } from '../render/words/measures.js';
import { defineCheck, type Found, foundOrOk, warn } from './check.js';

/** From this age on, the start check of releases since 1.125.0 warns of a transaction. */
export const longTransactionSeconds = 300;

interface Kinds {
  'table-locked': {
    table: string;
    mode: string;
    pid: number;
    seconds: number | null;
    migration: string | null;
  };
  'table-locked-for-long': {
    table: string;
    mode: string;
    pid: number;
    seconds: number;
    migration: string | null;
  };
  'migrators-table-locked': { table: string; mode: string; pid: number; seconds: number | null };
  'no-table-locked': { tables: number };
}

/** Tables that every migrator writes, whatever it migrates. */
const migratorsTables: ReadonlySet<string> = new Set([
  'knex_migrations',
  'knex_migrations_lock',
  'migration_lease',
  'migration_run_ledger',
]);

/**
 * Whether a lock may keep a migrator from taking its own lock or recording its work: any lock stronger than a reader's.
 */
export function keepsMigratorsOut({ table, mode }: FactOf<'locks'>[number]): boolean {
  return migratorsTables.has(table) && mode !== 'AccessShareLock';
}

const forWhom = (migration: string | null) =>
  migration === null ? 'a pending migration that does not name its tables' : migration;

/**
 * Whether other sessions hold locks on the tables that pending migrations lock, or on those that every migrator writes.
 * A migration waits for them, and all later queries wait for the migration.
 */
export const tableLocks = defineCheck<Kinds>()({
  id: 'table-locks',
  group: 'database',
  needs: ['ledger', 'locks'],
  needsArtifacts: true,
  judge(given) {
    const pending = pendingLocks(given);
    const named = tablesOf(pending);
    const opaque = pending.find(isOpaque);
    const findings = oldestOfEach(given.facts.locks).flatMap(
      ({ table, mode, pid, transactionSeconds: seconds }): Found<Kinds> => {
        const migration = named.get(table) ?? opaque;
        if (migration === undefined || pid === null) return [];
        const about = { table, mode, pid, migration: named.has(table) ? migration.name : null };
        if (seconds !== null && seconds >= longTransactionSeconds) {
          return [
            {
              status: named.has(table) ? 'stop' : 'warn',
              subject: table,
              evidence: { kind: 'table-locked-for-long', ...about, seconds },
            },
          ];
        }
        const held: Found<Kinds>[number] = warn(table, {
          kind: 'table-locked',
          ...about,
          seconds,
        });
        return seconds === null ? [held, ageHidden] : [held];
      },
    );
    return foundOrOk([...findings, ...judgeMigratorsTables(given.facts.locks)], {
      kind: 'no-table-locked',
      tables: named.size,
    });
  },
  words: {
    label: 'Locks on tables that migrations lock',
    meaning: 'Whether other sessions hold locks that a pending migration will wait for.',
    looksAt:
      'Granted locks of other sessions on the tables that pending migrations may lock, and, except for read locks, on those that every migrator writes: knex_migrations, its lock, migration_lease, migration_run_ledger. A migration waits for them, up to its lock_timeout if it has one, and every later query waits for the migration.',
    finds: {
      'table-locked': {
        meaning:
          'A session holds a lock on a table that a pending migration locks. It may be over in a moment.',
        remedy: 'Check again when the old pods have stopped, or at a quiet time.',
        describe: ({ table, mode, pid, seconds, migration }) =>
          `pid ${pid} holds ${mode} on ${table}${seconds === null ? '' : ` for ${describeSeconds(seconds)}`}, wanted by ${forWhom(migration)}`,
      },
      'table-locked-for-long': {
        meaning:
          'A transaction of five minutes or more holds a lock on a table that a pending migration locks. The migration waits until it ends, or fails.',
        remedy: 'Find out whose it is, and end it if that is acceptable.',
        describe: ({ table, mode, pid, seconds, migration }) =>
          `pid ${pid} has held ${mode} on ${table} for ${describeSeconds(seconds)}, wanted by ${forWhom(migration)}`,
        psql: ({ pid }) => [
          showSession(pid),
          `-- to end it: SELECT pg_catalog.pg_terminate_backend(${pid});`,
        ],
      },
      'migrators-table-locked': {
        meaning:
          'A session holds a lock on a table that every migrator writes, for example after a change by hand that was not committed. Every migrator waits until it ends, and the table may then contain something else than was read here.',
        remedy: 'Find out whose it is, and have it ended: by COMMIT or ROLLBACK, if a person works in it.',
        describe: ({ table, mode, pid, seconds }) =>
          `pid ${pid} holds ${mode} on ${table}${seconds === null ? '' : ` for ${describeSeconds(seconds)}`}, which every migrator has to write`,
        psql: ({ pid }) => [showSession(pid)],
      },
      'no-table-locked': {
        meaning:
          'No other session holds a lock on a table that a pending migration is known to lock, or on one that every migrator writes.',
        describe: ({ tables }) =>
          tables === 0
            ? 'pending migrations are not known to lock any table'
            : `no lock on ${countOf(tables, 'table')} that pending migrations lock`,
      },
    },
  },
});

function judgeMigratorsTables(locks: FactOf<'locks'>): Found<Kinds> {
  return oldestOfEach(locks.filter(keepsMigratorsOut)).flatMap(
    ({ table, mode, pid, transactionSeconds: seconds }): Found<Kinds> => {
      if (pid === null) return [];
      const isLong = seconds !== null && seconds >= longTransactionSeconds;
      const evidence = { kind: 'migrators-table-locked', table, mode, pid, seconds } as const;
      return [
        { status: isLong ? 'stop' : 'warn', subject: table, evidence },
        ...(seconds === null ? [ageHidden] : []),
      ];
    },
  );
}

const ageHidden: Lacking = { lacks: 'locks', why: 'not-permitted' };

/** For each table, the lock that is held longest. */
function oldestOfEach(locks: FactOf<'locks'>): FactOf<'locks'> {
  const oldest = new Map<string, FactOf<'locks'>[number]>();
  for (const lock of locks) {
    if (!lock.granted || lock.pid === null) continue;
    const before = oldest.get(lock.table);
    if (before === undefined || age(lock) > age(before)) oldest.set(lock.table, lock);
  }
  return [...oldest.values()];
}

/** A lock whose age may not be seen may have any age. */
function age({ transactionSeconds }: FactOf<'locks'>[number]): number {
  return transactionSeconds ?? Number.POSITIVE_INFINITY;
}

export function showSession(pid: number): string {
  return `SELECT pid, usename, application_name, client_addr, state, xact_start, query FROM pg_stat_activity WHERE pid = ${pid};`;
}
