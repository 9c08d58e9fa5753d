import { type Answers, defineCheck, foundOrOk, ok, warn } from '../check.js';
import { longTransactionSeconds } from './table-locks.js';

/** If a job has been due for this long, no worker is working on the queue. */
const waitedSeconds = longTransactionSeconds;

export type QueueEvidence =
  | { readonly kind: 'jobs-running'; readonly locked: number; readonly onLastAttempt: number }
  | { readonly kind: 'jobs-locked-too-long'; readonly jobs: number }
  | { readonly kind: 'jobs-not-worked'; readonly due: number; readonly seconds: number }
  | { readonly kind: 'jobs-failed'; readonly jobs: number }
  | { readonly kind: 'queue-at-rest'; readonly jobs: number }
  | { readonly kind: 'no-queue' };

/** Whether background jobs would suffer from a restart, or suffer already. */
export const queue = defineCheck({
  id: 'queue',
  group: 'database',
  canStop: false,
  needs: [],
  needsOrAbsent: ['queue'],
  needsArtifacts: false,
  judge({ facts: { queue: jobs } }): Answers<QueueEvidence> {
    if (jobs === null) return [ok({ kind: 'no-queue' })];
    const { locked, lockedTooLong, lockedOnLastAttempt: onLastAttempt, due, oldestDueSeconds, failed } = jobs;
    const evidence: QueueEvidence[] = [];
    if (locked > lockedTooLong)
      evidence.push({ kind: 'jobs-running', locked: locked - lockedTooLong, onLastAttempt });
    if (lockedTooLong > 0) evidence.push({ kind: 'jobs-locked-too-long', jobs: lockedTooLong });
    if (locked === 0 && due > 0 && oldestDueSeconds !== null && oldestDueSeconds >= waitedSeconds) {
      evidence.push({ kind: 'jobs-not-worked', due, seconds: oldestDueSeconds });
    }
    if (failed > 0) evidence.push({ kind: 'jobs-failed', jobs: failed });
    return foundOrOk(
      evidence.map((one) => warn('graphile_worker', one)),
      { kind: 'queue-at-rest', jobs: jobs.jobs },
    );
  },
});
