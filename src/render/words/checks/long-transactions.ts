import type { LongTransactionsEvidence } from '../../../preflight/checks/long-transactions.js';
import { describeSeconds } from '../measures.js';
import type { CheckWords } from './check-words.js';
import { showSession } from './table-locks.js';

export const longTransactionsWords: CheckWords<LongTransactionsEvidence> = {
  label: 'Long transactions',
  meaning: 'Whether a transaction has been open for five minutes or more.',
  looksAt:
    'The transactions of other sessions. A concurrent index build waits for every one that is older, on any table, and its index is not valid meanwhile.',
  finds: {
    'long-transaction': {
      meaning: 'A transaction has been open for five minutes or more.',
      remedy: 'Find out whose it is, and end it if that is acceptable.',
      describe: ({ pid, role, state, seconds }) =>
        `pid ${pid}${role === null ? '' : ` of ${role}`}${state === null ? '' : ` (${state})`} has a transaction open for ${describeSeconds(seconds)}`,
      pasteIn: 'psql',
      commands: ({ pid }) => [
        showSession(pid),
        `-- to end it: SELECT pg_catalog.pg_terminate_backend(${pid});`,
      ],
    },
    'no-long-transaction': {
      meaning: 'No transaction has been open for five minutes.',
      describe: ({ seconds }) => `none is older than ${describeSeconds(seconds)}`,
    },
  },
};
