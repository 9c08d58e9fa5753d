import { pendingLocks, tablesOf } from '../instance/ledger.js';
import { describeSeconds } from '../words/measures.js';
import { sqlText } from '../words/quoted-words.js';
import { defineCheck, type Found, foundOrOk, stop, warn } from './check.js';
import { keepsMigratorsOut } from './table-locks.js';

interface Kinds {
  'prepared-transaction-locks': {
    name: string;
    table: string;
    /** Null for a table that every migrator writes. */
    migration: string | null;
  };
  'prepared-transaction': { name: string; owner: string; seconds: number };
  'no-prepared-transaction': null;
}

const decide =
  'Ask whose it is, because it contains changes that somebody may still want. Then end it with one of the two commands.';
const endIt = (name: string) => [
  `SELECT gid, prepared, owner FROM pg_prepared_xacts WHERE gid = ${sqlText(name)};`,
  `-- either: COMMIT PREPARED ${sqlText(name)};`,
  `-- or: ROLLBACK PREPARED ${sqlText(name)};`,
];

/** Whether a transaction was prepared and never ended: no session holds its locks, so none will release them. */
export const preparedTransactions = defineCheck<Kinds>()({
  id: 'prepared-transactions',
  group: 'database',
  needs: ['ledger', 'locks', 'preparedTransactions'],
  needsArtifacts: true,
  judge(given) {
    const pending = pendingLocks(given);
    const named = tablesOf(pending);
    const { locks, preparedTransactions: prepared } = given.facts;
    const findings = prepared.map(({ name, owner, ageSeconds }): Found<Kinds>[number] => {
      for (const lock of locks) {
        const { table, preparedTransaction, granted } = lock;
        const migration = named.get(table)?.name ?? null;
        if (!granted || preparedTransaction !== name) continue;
        if (migration === null && !keepsMigratorsOut(lock)) continue;
        return stop(name, { kind: 'prepared-transaction-locks', name, table, migration });
      }
      return warn(name, { kind: 'prepared-transaction', name, owner, seconds: ageSeconds });
    });
    return foundOrOk(findings, { kind: 'no-prepared-transaction' });
  },
  label: 'Prepared transactions',
  meaning: 'Whether a transaction was prepared for a two-phase commit and never ended.',
  looksAt:
    'pg_prepared_xacts, and the locks that such a transaction holds. No session shows such a transaction, and no restart ends it.',
  finds: {
    'prepared-transaction-locks': {
      meaning:
        'A prepared transaction holds a lock on a table that a pending migration locks, or that every migrator writes. It waits forever.',
      remedy: decide,
      describe: ({ name, table, migration }) =>
        `${name} holds a lock on ${table}, wanted by ${migration ?? 'every migrator'}`,
      psql: ({ name }) => endIt(name),
    },
    'prepared-transaction': {
      meaning:
        'A prepared transaction is open. A concurrent index build waits for it, and no vacuum removes rows that died since.',
      remedy: decide,
      describe: ({ name, owner, seconds }) => `${name} of ${owner} is ${describeSeconds(seconds)} old`,
      psql: ({ name }) => endIt(name),
    },
    'no-prepared-transaction': 'There is none.',
  },
});
