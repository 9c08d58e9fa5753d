import { locksWaitedFor } from '../../instance/backfills/pending.js';
import type { FactOf } from '../../instance/facts/needs.js';
import { countOf, describeSeconds } from '../../words/phrase.js';
import { defineCheck, lacks, ok, stop, warn } from '../check.js';
import { showSession } from '../commands.js';
import {
  endIfYouMay,
  endUnlessMigrating,
  knexMigrators,
  mayBeAtWork,
  waitForKnex,
} from './migrator-at-work.js';

/** From this age on, the start check of releases since 1.125.0 warns of a transaction. */
export const longTransactionSeconds = 300;

/** Seconds: what has held a lock for less may have given it back a moment later. */
const briefSeconds = 5;

interface Lock {
  readonly table: string;
  readonly mode: string;
  readonly pid: number;
}

/** Tables that every migrator writes, whatever it migrates. */
export const migratorsTables: readonly string[] = [
  'knex_migrations',
  'knex_migrations_lock',
  'migration_lease',
  'migration_run_ledger',
];

const ageHidden = lacks('locks', { why: 'not-permitted' });

/** Any lock stronger than a reader's keeps a migrator from taking its own lock or recording its work. */
export function keepsMigratorsOut({ table, mode }: FactOf<'locks'>[number]): boolean {
  return migratorsTables.includes(table) && mode !== 'AccessShareLock';
}

const describeLock = ({ table, mode, pid }: Lock, seconds: number | null) =>
  seconds === null
    ? `pid ${pid} holds ${mode} on ${table}`
    : `pid ${pid} has held ${mode} on ${table} for ${describeSeconds(seconds)}`;
const wantedBy = (migration: string | null) =>
  `which ${migration ?? 'a pending migration that names no tables'} needs`;

export const tableLocks = defineCheck({
  id: 'table-locks',
  needs: ['ledger', 'locks'],
  mayNeed: ['ledgerLock', 'lease', 'indexes'],
  needsArtifacts: true,
  *judge(input) {
    const migrates = mayBeAtWork(input.facts);
    const migrators = knexMigrators(input.facts.locks);
    for (const pid of migrators) yield stop(`pid ${pid}`, { kind: 'migrator-locks', pid });
    const locks = input.facts.locks.filter(
      ({ pid, transactionSeconds: seconds }) =>
        (pid === null || !migrators.has(pid)) && (seconds === null || seconds >= briefSeconds),
    );
    const { locked, isWaitedFor, waiting, isNamed } = locksWaitedFor(input, input.facts.indexes);
    for (const { seconds, ...lock } of oldestOfEach(locks.filter(isWaitedFor))) {
      const { table } = lock;
      const about = { ...lock, migration: waiting(table) };
      const isBuiltAlone = isNamed(table) && !locked.has(table);
      // The build of an index waits for a short write without keeping anyone else waiting.
      if (isBuiltAlone && seconds !== null && seconds < longTransactionSeconds) continue;
      if (seconds === null && !isBuiltAlone) yield ageHidden;
      if (seconds === null || seconds < longTransactionSeconds)
        yield warn(table, { kind: 'table-locked', ...about, seconds });
      else {
        const judged = locked.has(table) ? stop : warn;
        yield judged(table, { kind: 'table-locked-for-long', ...about, seconds, migrates });
      }
    }
    for (const lock of oldestOfEach(locks.filter(keepsMigratorsOut))) {
      const { table, seconds } = lock;
      if (seconds === null) yield ageHidden;
      const judged = seconds !== null && seconds >= longTransactionSeconds ? stop : warn;
      yield judged(table, { kind: 'migrators-table-locked', ...lock });
    }
    return ok({ kind: 'no-table-locked', tables: locked.size });
  },
})({
  label: 'Locks on tables that migrations lock',
  meaning:
    'Whether other sessions hold locks that a pending migration will wait for. What it looks at: Granted locks ' +
    'of other sessions on the tables that pending migrations may lock; on those where they may build an index, all ' +
    'but read locks (where they may drop one concurrently, read locks too); and on those that every migrator ' +
    'writes: knex_migrations, its lock, migration_lease, migration_run_ledger. A migration waits for these locks, for each table up to its ' +
    'lock_timeout if it has one. Every later query then waits for the migration. A lock of less than 5 s is left out. What it does not look at: a ' +
    'table to which a foreign key leads is locked, too, when that key or its table is dropped.',
  finds: {
    'table-locked': {
      meaning: 'A session locks a table that a pending migration locks. This may pass in a moment.',
      remedy: 'Check again once the old pods have stopped, or at a quiet time.',
      describe: ({ seconds, migration, ...lock }) => `${describeLock(lock, seconds)}, ${wantedBy(migration)}`,
    },
    'table-locked-for-long': {
      meaning: 'A transaction has locked a table that a pending migration locks, for five minutes or more.',
      remedy: endIfYouMay,
      describe: ({ seconds, migration, ...lock }) => `${describeLock(lock, seconds)}, ${wantedBy(migration)}`,
      psql: endUnlessMigrating,
    },
    'migrators-table-locked': {
      meaning: 'A session locks a table that every migrator writes, such as a change without a commit.',
      remedy: 'Find out whose it is, and have it ended: by COMMIT or ROLLBACK if somebody is working in it.',
      describe: ({ seconds, ...lock }) => `${describeLock(lock, seconds)}, which every migrator has to write`,
      psql: ({ pid }) => [showSession(pid)],
    },
    'migrator-locks': {
      meaning:
        'A session has changed knex_migrations_lock without a commit, as Knex does while it migrates: it holds ' +
        'the locks of all its migrations until the last one ends.',
      remedy: waitForKnex,
      describe: ({ pid }) => `pid ${pid} may be a migrator at work, and keeps every other one waiting`,
      psql: ({ pid }) => [showSession(pid)],
    },
    'no-table-locked': ({ tables }) => `no lock on ${countOf(tables, 'table')} that pending migrations name`,
  },
});

/** For each table, the lock of a session that is held longest. One whose age may not be seen may have any age. */
function oldestOfEach(locks: FactOf<'locks'>) {
  const oldest = new Map<string, Lock & { readonly seconds: number | null }>();
  for (const { table, mode, granted, pid, transactionSeconds: seconds } of locks) {
    if (!granted || pid === null) continue;
    const before = oldest.get(table);
    const isOlder = before?.seconds != null && (seconds === null || seconds > before.seconds);
    if (before === undefined || isOlder) oldest.set(table, { table, mode, pid, seconds });
  }
  return [...oldest.values()];
}
