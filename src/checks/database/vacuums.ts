import { pendingLocks } from '../../instance/backfills/pending.js';
import { isOpaque, tablesOf } from '../../instance/ledger.js';
import { describeMilliseconds } from '../../words/phrase.js';
import { defineCheck, lacks, ok, warn } from '../check.js';
import { waitUntilItEnds } from '../phrases.js';

/** Milliseconds for which migrations of the publisher since May 2026 wait for a lock, by their own setting. */
const ownLockTimeout = 5000;

export const vacuums = defineCheck({
  id: 'vacuums',
  canStop: false,
  needs: ['ledger', 'vacuums'],
  mayNeed: ['migrator'],
  needsArtifacts: true,
  *judge(input) {
    const pending = pendingLocks(input);
    const named = tablesOf(pending);
    const anyTable = pending.some(isOpaque);
    const { running, hidden } = input.facts.vacuums;
    const { deadlockTimeoutMs, lockTimeoutMs } = input.facts.migrator ?? {};
    const lockTimeout = Math.min(ownLockTimeout, lockTimeoutMs || Infinity);
    for (const { table, pid, preventsWraparound, automatic } of running) {
      if (!anyTable && !named.has(table)) continue;
      // An ordinary automatic vacuum ends when a lock was requested for deadlock_timeout:
      // findings/postgres-autovacuum-makes-way-late.sh
      if (!automatic || preventsWraparound)
        yield warn(table, { kind: 'vacuum-in-the-way', table, pid, preventsWraparound, automatic });
      else if (deadlockTimeoutMs != null && deadlockTimeoutMs >= lockTimeout)
        yield warn(table, { kind: 'vacuum-makes-way-late', table, pid, ms: deadlockTimeoutMs, lockTimeout });
    }
    if (hidden > 0) yield lacks('vacuums', { why: 'not-permitted' });
    return ok({ kind: 'no-vacuum-in-the-way' });
  },
})({
  label: 'Vacuums',
  meaning:
    'Whether a vacuum holds a table that a pending migration locks, and does not yield. What it looks at: ' +
    'pg_stat_progress_vacuum. An ordinary autovacuum ends once another session has waited for its lock for ' +
    'deadlock_timeout: with 5 s or more, migrations that wait 5 s fail first. One that prevents wraparound, or ' +
    'that a person started, does not end.',
  finds: {
    'vacuum-in-the-way': {
      meaning: 'A vacuum that does not yield holds a table that a pending migration locks.',
      remedy: `${waitUntilItEnds}.`,
      describe: ({ table, pid, preventsWraparound }) =>
        `pid ${pid} vacuums ${table}${preventsWraparound ? ' to prevent wraparound' : ''}, and does not yield`,
    },
    'vacuum-makes-way-late': {
      meaning:
        'An autovacuum holds a table that a pending migration locks. It makes way only after deadlock_timeout, ' +
        'and by then a migration with a lock_timeout has failed.',
      remedy: `${waitUntilItEnds}; or set deadlock_timeout back to 1 s for the upgrade.`,
      describe: ({ table, pid, ms, lockTimeout }) =>
        `pid ${pid} vacuums ${table}, and makes way after ${describeMilliseconds(ms)} (deadlock_timeout); a ` +
        `migration waits ${describeMilliseconds(lockTimeout)}`,
    },
    'no-vacuum-in-the-way': 'No vacuum is in the way.',
  },
});
