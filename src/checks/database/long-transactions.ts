import { describeSeconds } from '../../core/text/measures.js';
import { defineCheck, lacks, ok, warn } from '../check.js';
import { endSession } from '../commands.js';
import { longTransactionSeconds } from './table-locks.js';

/** No index build waits for an automatic vacuum, and a parallel worker ends with its leader. */
const notWaitedFor: ReadonlySet<string> = new Set(['autovacuum worker', 'parallel worker']);

export const longTransactions = defineCheck({
  id: 'long-transactions',
  canStop: false,
  needs: ['activity'],
  *judge({ facts: { activity } }) {
    for (const { pid, role, state, transactionSeconds: seconds, backend, snapshot } of activity.sessions) {
      if (notWaitedFor.has(backend)) continue;
      if (seconds !== null && seconds >= longTransactionSeconds)
        yield warn(`pid ${pid}`, { kind: 'long-transaction', pid, role, state, seconds });
      if (seconds === null && snapshot && backend !== 'client backend') {
        const detail = `since when pid ${pid} (${backend}) holds a snapshot is not told`;
        yield lacks('activity', { why: 'failed', detail });
      }
    }
    if (activity.hiddenSessions > 0) yield lacks('activity', { why: 'not-permitted' });
    return ok({ kind: 'no-long-transaction', seconds: longTransactionSeconds });
  },
})({
  label: 'Long transactions',
  meaning:
    'Whether a transaction has been open for five minutes or more. What it looks at: The transactions of other sessions. A concurrent index build waits for every one that is older, on any table, and its index is not valid meanwhile.',
  finds: {
    'long-transaction': {
      meaning: 'A transaction has been open for five minutes or more.',
      remedy: 'Find out whose it is, and end it if that is acceptable.',
      describe: ({ pid, role, state, seconds }) =>
        `pid ${pid}${role === null ? '' : ` of ${role}`}${state === null ? '' : ` (${state})`} has a transaction open for ${describeSeconds(seconds)}`,
      psql: ({ pid }) => endSession(pid),
    },
    'no-long-transaction': ({ seconds }) => `none is older than ${describeSeconds(seconds)}`,
  },
});
