import { sqlText } from '../../core/text/quoted-words.js';
import { locksWaitedFor } from '../../instance/backfills/pending.js';
import { mayMigrateUnseen } from '../../instance/ledger.js';
import { countOf, describeSeconds } from '../../words/phrase.js';
import { defineCheck, ok, stop, warn } from '../check.js';
import { keepsMigratorsOut } from './table-locks.js';

const decide =
  'Find out whose it is: it contains changes that somebody may still want. Then end it with one of the two commands.';
const endIt = (name: string) => [
  `SELECT gid, prepared, owner FROM pg_prepared_xacts WHERE gid = ${sqlText(name)};`,
  `-- either: COMMIT PREPARED ${sqlText(name)};`,
  `-- or: ROLLBACK PREPARED ${sqlText(name)};`,
];

export const preparedTransactions = defineCheck({
  id: 'prepared-transactions',
  needs: ['ledger', 'locks', 'preparedTransactions'],
  needsArtifacts: true,
  *judge(input) {
    const { locked, isWaitedFor, waiting } = locksWaitedFor(input);
    const { locks, preparedTransactions } = input.facts;
    for (const { name, owner, ageSeconds: seconds } of preparedTransactions) {
      const locksOfTransaction = locks.filter((lock) => lock.granted && lock.preparedTransaction === name);
      const table = locksOfTransaction.find(
        (lock) => locked.has(lock.table) || keepsMigratorsOut(lock),
      )?.table;
      // A migration that no artifact lists may wait for any table.
      const mayBeWaitedFor =
        locksOfTransaction.some(isWaitedFor) ||
        (locksOfTransaction.length > 0 && mayMigrateUnseen(input.line));
      if (table !== undefined)
        yield stop(name, { kind: 'prepared-transaction-locks', name, table, migration: waiting(table) });
      else if (mayBeWaitedFor) yield warn(name, { kind: 'prepared-transaction', name, owner, seconds });
    }
    return ok({ kind: 'no-prepared-transaction', open: preparedTransactions.length });
  },
})({
  label: 'Prepared transactions',
  meaning:
    'Whether a transaction was prepared for a two-phase commit and never ended. What it looks at: ' +
    'pg_prepared_xacts, and the locks held there. No session shows such a transaction, and no restart ends it.',
  finds: {
    'prepared-transaction-locks': {
      meaning: 'A prepared transaction locks what a migrator needs to lock. The migrator then waits forever.',
      remedy: decide,
      describe: ({ name, table, migration }) =>
        `${name} holds a lock on ${table}, which ${migration ?? 'every migrator'} needs`,
      psql: ({ name }) => endIt(name),
    },
    'prepared-transaction': {
      meaning:
        'A prepared transaction locks a table that a pending migration may lock or build an index on. The ' +
        'migration would wait forever.',
      remedy: decide,
      describe: ({ name, owner, seconds }) => `${name} of ${owner} is ${describeSeconds(seconds)} old`,
      psql: ({ name }) => endIt(name),
    },
    'no-prepared-transaction': ({ open }) =>
      open === 0 ? 'there is none' : `no migration waits for ${countOf(open, 'open one')}`,
  },
});
