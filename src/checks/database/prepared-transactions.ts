import { describeSeconds } from '../../core/text/measures.js';
import { sqlText } from '../../core/text/quoted-words.js';
import { pendingLocks, tablesOf } from '../../instance/ledger.js';
import { defineCheck, ok, stop, warn } from '../check.js';
import { keepsMigratorsOut } from './table-locks.js';

const decide =
  'Ask whose it is, because it contains changes that somebody may still want. Then end it with one of the two commands.';
const endIt = (name: string) => [
  `SELECT gid, prepared, owner FROM pg_prepared_xacts WHERE gid = ${sqlText(name)};`,
  `-- either: COMMIT PREPARED ${sqlText(name)};`,
  `-- or: ROLLBACK PREPARED ${sqlText(name)};`,
];

export const preparedTransactions = defineCheck({
  id: 'prepared-transactions',
  needs: ['ledger', 'locks', 'preparedTransactions'],
  needsArtifacts: true,
  *judge(given) {
    const named = tablesOf(pendingLocks(given));
    const { locks, preparedTransactions } = given.facts;
    const wanted = locks.filter((one) => one.granted && (named.has(one.table) || keepsMigratorsOut(one)));
    for (const { name, owner, ageSeconds: seconds } of preparedTransactions) {
      const table = wanted.find(({ preparedTransaction }) => preparedTransaction === name)?.table;
      if (table === undefined) yield warn(name, { kind: 'prepared-transaction', name, owner, seconds });
      else {
        const migration = named.get(table)?.name ?? null;
        yield stop(name, { kind: 'prepared-transaction-locks', name, table, migration });
      }
    }
    return ok({ kind: 'no-prepared-transaction' });
  },
})({
  label: 'Prepared transactions',
  meaning:
    'Whether a transaction was prepared for a two-phase commit and never ended. What it looks at: pg_prepared_xacts, and the locks that such a transaction holds. No session shows such a transaction, and no restart ends it.',
  finds: {
    'prepared-transaction-locks': {
      meaning: 'A prepared transaction locks what a migrator needs to lock, which then waits forever.',
      remedy: decide,
      describe: ({ name, table, migration }) =>
        `${name} holds a lock on ${table}, wanted by ${migration ?? 'every migrator'}`,
      psql: ({ name }) => endIt(name),
    },
    'prepared-transaction': {
      meaning: 'A prepared transaction is open: index builds wait for it, and vacuums keep dead rows.',
      remedy: decide,
      describe: ({ name, owner, seconds }) => `${name} of ${owner} is ${describeSeconds(seconds)} old`,
      psql: ({ name }) => endIt(name),
    },
    'no-prepared-transaction': 'There is none.',
  },
});
