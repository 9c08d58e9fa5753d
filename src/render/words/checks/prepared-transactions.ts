import type { PreparedTransactionsEvidence } from '../../../preflight/checks/prepared-transactions.js';
import { sqlText } from '../../sql-word.js';
import { describeSeconds } from '../measures.js';
import type { CheckWords } from './check-words.js';

const decide =
  'Ask whose it is, because it contains changes that somebody may still want. Then end it with one of the two commands.';
const endIt = (name: string) => [
  `SELECT gid, prepared, owner FROM pg_prepared_xacts WHERE gid = ${sqlText(name)};`,
  `-- either: COMMIT PREPARED ${sqlText(name)};`,
  `-- or: ROLLBACK PREPARED ${sqlText(name)};`,
];

export const preparedTransactionsWords: CheckWords<PreparedTransactionsEvidence> = {
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
      pasteIn: 'psql',
      commands: ({ name }) => endIt(name),
    },
    'prepared-transaction': {
      meaning:
        'A prepared transaction is open. A concurrent index build waits for it, and no vacuum removes rows that died since.',
      remedy: decide,
      describe: ({ name, owner, seconds }) => `${name} of ${owner} is ${describeSeconds(seconds)} old`,
      pasteIn: 'psql',
      commands: ({ name }) => endIt(name),
    },
    'no-prepared-transaction': {
      meaning: 'There is no prepared transaction.',
      describe: () => 'there is none',
    },
  },
};
