import { isOpaque, pendingLocks, tablesOf } from '../instance/ledger.js';
import { defineCheck, foundOrOk, warn } from './check.js';

interface Kinds {
  'vacuum-in-the-way': { table: string; pid: number; preventsWraparound: boolean; automatic: boolean };
  'no-vacuum-in-the-way': null;
}

export const vacuums = defineCheck<Kinds>()({
  id: 'vacuums',
  canStop: false,
  needs: ['ledger', 'vacuums'],
  needsArtifacts: true,
  judge(given) {
    const pending = pendingLocks(given);
    const named = tablesOf(pending);
    const anyTable = pending.some(isOpaque);
    const { running, hidden } = given.facts.vacuums;
    const findings = running
      .filter(({ table }) => named.has(table) || anyTable)
      // An ordinary automatic vacuum ends when a lock is requested.
      .filter(({ automatic, preventsWraparound }) => !automatic || preventsWraparound)
      .map(({ table, pid, preventsWraparound, automatic }) =>
        warn(table, { kind: 'vacuum-in-the-way', table, pid, preventsWraparound, automatic }),
      );
    if (hidden > 0) return [...findings, { lacks: 'vacuums', why: 'not-permitted' }];
    return foundOrOk(findings, { kind: 'no-vacuum-in-the-way' });
  },
  label: 'Vacuums',
  meaning: 'Whether a vacuum holds a table that a pending migration locks, and does not make way.',
  looksAt:
    'pg_stat_progress_vacuum. An ordinary autovacuum ends when another session requests the lock; one that prevents wraparound, or that a person began, does not.',
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
