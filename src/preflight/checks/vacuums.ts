import { type Answers, defineCheck, foundOrOk, type Judgement, warn } from '../check.js';
import { isOpaque, pendingLocks, tablesOf } from '../pending.js';

export type VacuumsEvidence =
  | {
      readonly kind: 'vacuum-in-the-way';
      readonly table: string;
      readonly pid: number;
      readonly preventsWraparound: boolean;
      readonly automatic: boolean;
    }
  | { readonly kind: 'no-vacuum-in-the-way' };

/** Whether a vacuum holds a table that a pending migration locks, and will not make way for it. */
export const vacuums = defineCheck({
  id: 'vacuums',
  group: 'database',
  canStop: false,
  needs: ['ledger', 'vacuums'],
  needsArtifacts: true,
  judge(given): Answers<VacuumsEvidence> {
    const pending = pendingLocks(given);
    const named = tablesOf(pending);
    const anyTable = pending.some(isOpaque);
    const { running, hidden } = given.facts.vacuums;
    const findings = running
      .filter(({ table }) => named.has(table) || anyTable)
      // An ordinary automatic vacuum ends when a lock is requested.
      .filter(({ automatic, preventsWraparound }) => !automatic || preventsWraparound)
      .map(
        ({ table, pid, preventsWraparound, automatic }): Judgement<VacuumsEvidence> =>
          warn(table, { kind: 'vacuum-in-the-way', table, pid, preventsWraparound, automatic }),
      );
    if (hidden > 0) return [...findings, { lacks: 'vacuums', why: 'not-permitted' }];
    return foundOrOk(findings, { kind: 'no-vacuum-in-the-way' });
  },
});
