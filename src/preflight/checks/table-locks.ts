import {
  type Answers,
  defineCheck,
  type FactOf,
  foundOrOk,
  type Judgement,
  type Lacking,
  warn,
} from '../check.js';
import { isOpaque, pendingLocks, tablesOf } from '../pending.js';

/** From this age on, the start check of releases since 1.125.0 warns of a transaction. */
export const longTransactionSeconds = 300;

export type TableLocksEvidence =
  | {
      readonly kind: 'table-locked';
      readonly table: string;
      readonly mode: string;
      readonly pid: number;
      readonly seconds: number | null;
      readonly migration: string | null;
    }
  | {
      readonly kind: 'table-locked-for-long';
      readonly table: string;
      readonly mode: string;
      readonly pid: number;
      readonly seconds: number;
      readonly migration: string | null;
    }
  | {
      readonly kind: 'migrators-table-locked';
      readonly table: string;
      readonly mode: string;
      readonly pid: number;
      readonly seconds: number | null;
    }
  | { readonly kind: 'no-table-locked'; readonly tables: number };

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

/**
 * Whether other sessions hold locks on the tables that pending migrations lock, or on those that every migrator writes.
 * A migration waits for them, and all later queries wait for the migration.
 */
export const tableLocks = defineCheck({
  id: 'table-locks',
  group: 'database',
  canStop: true,
  needs: ['ledger', 'locks'],
  needsArtifacts: true,
  judge(given): Answers<TableLocksEvidence> {
    const pending = pendingLocks(given);
    const named = tablesOf(pending);
    const opaque = pending.find(isOpaque);
    const findings = oldestOfEach(given.facts.locks).flatMap(
      ({ table, mode, pid, transactionSeconds: seconds }): Answers<TableLocksEvidence> => {
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
        const held: Judgement<TableLocksEvidence> = warn(table, { kind: 'table-locked', ...about, seconds });
        return seconds === null ? [held, ageHidden] : [held];
      },
    );
    return foundOrOk([...findings, ...judgeMigratorsTables(given.facts.locks)], {
      kind: 'no-table-locked',
      tables: named.size,
    });
  },
});

function judgeMigratorsTables(locks: FactOf<'locks'>): Answers<TableLocksEvidence> {
  return oldestOfEach(locks.filter(keepsMigratorsOut)).flatMap(
    ({ table, mode, pid, transactionSeconds: seconds }): Answers<TableLocksEvidence> => {
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
