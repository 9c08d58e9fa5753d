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
    'Whether a vacuum holds a table that a pending migration locks, and does not yield. What it looks at: ' +
    'pg_stat_progress_vacuum. An ordinary autovacuum ends when another session requests the lock. One that ' +
    'prevents wraparound, or that a person started, does not.',
  finds: {
    'vacuum-in-the-way': {
      meaning: 'A vacuum that does not yield holds a table that a pending migration locks.',
      remedy: 'Wait until it ends, then check again.',
      describe: ({ table, pid, preventsWraparound }) =>
        `pid ${pid} vacuums ${table}${preventsWraparound ? ' to prevent wraparound' : ''}, and does not yield`,
    },
    'no-vacuum-in-the-way': 'None is in the way.',
  },
});
