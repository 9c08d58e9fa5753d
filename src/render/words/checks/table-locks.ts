import type { TableLocksEvidence } from '../../../preflight/checks/table-locks.js';
import { countOf } from '../../phrase.js';
import { describeSeconds } from '../measures.js';
import type { CheckWords } from './check-words.js';

const forWhom = (migration: string | null) =>
  migration === null ? 'a pending migration that does not name its tables' : migration;

export const tableLocksWords: CheckWords<TableLocksEvidence> = {
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
      pasteIn: 'psql',
      commands: ({ pid }) => [
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
      pasteIn: 'psql',
      commands: ({ pid }) => [showSession(pid)],
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
};

export function showSession(pid: number): string {
  return `SELECT pid, usename, application_name, client_addr, state, xact_start, query FROM pg_stat_activity WHERE pid = ${pid};`;
}
