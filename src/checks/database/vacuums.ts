import { pendingLocks } from '../../instance/backfills/pending.js';
import { isOpaque, tablesOf } from '../../instance/ledger.js';
import { defineCheck, lacks, ok, warn } from '../check.js';

export const vacuums = defineCheck({
  id: 'vacuums',
  canStop: false,
  needs: ['ledger', 'vacuums'],
  needsArtifacts: true,
  *judge(given) {
    const pending = pendingLocks(given);
    const named = tablesOf(pending);
    const anyTable = pending.some(isOpaque);
    const { running, hidden } = given.facts.vacuums;
    for (const { table, pid, preventsWraparound, automatic } of running) {
      // An ordinary automatic vacuum ends when a lock is requested.
      const makesWay = automatic && !preventsWraparound;
      if (!makesWay && (anyTable || named.has(table)))
        yield warn(table, { kind: 'vacuum-in-the-way', table, pid, preventsWraparound, automatic });
    }
    if (hidden > 0) yield lacks('vacuums', { why: 'not-permitted' });
    return ok({ kind: 'no-vacuum-in-the-way' });
  },
})({
  label: 'Vacuums',
  meaning:
    'Whether a vacuum holds a table that a pending migration locks, and does not make way. What it looks at: pg_stat_progress_vacuum. An ordinary autovacuum ends when another session requests the lock; one that prevents wraparound, or that a person began, does not.',
  finds: {
    'vacuum-in-the-way': {
      meaning: 'A vacuum that does not make way holds a table that a pending migration locks.',
      remedy: 'Wait until it has ended, and check again.',
      describe: ({ table, pid, preventsWraparound }) =>
        `pid ${pid} vacuums ${table}${preventsWraparound ? ' to prevent wraparound' : ''}, and does not make way`,
    },
    'no-vacuum-in-the-way': 'None is in the way.',
  },
});
