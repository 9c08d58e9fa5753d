import { pendingBuilds } from '../../instance/backfills/pending.js';
import { mayMigrateUnseen } from '../../instance/ledger.js';
import { countOf, describeSeconds } from '../../words/phrase.js';
import { defineCheck, lacks, ok, warn } from '../check.js';
import { endIfYouMay, endUnlessMigrating, knexMigrators, mayBeAtWork } from './migrator-at-work.js';
import { longTransactionSeconds } from './table-locks.js';

/** A role without the right to see what others do sees their snapshots nevertheless. */
function hiddenSnapshotDetail(
  snapshots: number | undefined,
  oldest: number | null | undefined,
): { detail?: string } {
  if (snapshots === undefined) return {};
  const age = oldest == null ? '' : `, the oldest from ${countOf(oldest, 'transaction')} ago`;
  return {
    detail:
      `${countOf(snapshots, 'hidden session holds', 'hidden sessions hold')} a snapshot${age}; since when is ` +
      'not visible',
  };
}

/** No index build waits for an automatic vacuum, and a parallel worker ends with its leader. */
const notWaitedFor: ReadonlySet<string> = new Set(['autovacuum worker', 'parallel worker']);

export const longTransactions = defineCheck({
  id: 'long-transactions',
  canStop: false,
  needs: ['activity'],
  mayNeed: ['ledger', 'locks', 'ledgerLock', 'lease'],
  *judge({ facts: { activity, ledger, locks, ...migratorFacts }, ...input }) {
    const migrators = knexMigrators(locks ?? []);
    const isAtWork = mayBeAtWork(migratorFacts);
    const isBuilt =
      ledger == null ||
      mayMigrateUnseen(input.line) ||
      pendingBuilds({ ...input, facts: { ledger } }).length > 0;
    if (!isBuilt) return ok({ kind: 'no-index-built' });
    for (const { pid, role, state, transactionSeconds: seconds, backend, snapshot } of activity.sessions) {
      if (notWaitedFor.has(backend)) continue;
      // Without a snapshot, such as one that is idle after a read, it is waited for only by who wants its locks:
      // findings/concurrent-index-waits-for-snapshots.sh
      if (snapshot && seconds !== null && seconds >= longTransactionSeconds)
        yield warn(`pid ${pid}`, {
          kind: 'long-transaction',
          ...{ pid, role, state, seconds, migrates: isAtWork || migrators.has(pid) },
        });
      if (seconds === null && snapshot && backend !== 'client backend') {
        const detail = `pid ${pid} (${backend}) holds a snapshot; since when is not known`;
        yield lacks('activity', { why: 'failed', detail });
      }
    }
    const { hiddenSessions: sessions, hiddenSnapshots: snapshots, oldestHiddenSnapshot: oldest } = activity;
    if (sessions > 0 && snapshots !== 0)
      yield lacks('activity', { why: 'not-permitted', ...hiddenSnapshotDetail(snapshots, oldest) });
    return ok({ kind: 'no-long-transaction', seconds: longTransactionSeconds });
  },
})({
  label: 'Long transactions',
  meaning:
    'Whether an index build would wait for a transaction of five minutes or more. What it looks at: If a ' +
    'pending migration may build an index, the transactions of other sessions in this database that hold a ' +
    'snapshot. A concurrent build waits for every older snapshot, whatever its table, and some migrations set ' +
    'no limit; until then its index is invalid. A transaction that is idle after a read holds no snapshot, ' +
    'unless it is REPEATABLE READ or has a cursor.',
  finds: {
    'long-transaction': {
      meaning:
        'A transaction has held a snapshot for five minutes or more. An index build waits until it ends.',
      remedy: endIfYouMay,
      describe: ({ pid, role, state, seconds }) =>
        `pid ${pid}${role === null ? '' : ` of ${role}`}${state === null ? '' : ` (${state})`} has a ` +
        `transaction open for ${describeSeconds(seconds)}`,
      psql: endUnlessMigrating,
    },
    'no-index-built': 'No pending migration builds an index, so none waits for a snapshot.',
    'no-long-transaction': ({ seconds }) => `none is older than ${describeSeconds(seconds)}`,
  },
});
