import { describeSeconds } from '../words/measures.js';
import { countOf, number } from '../words/phrase.js';
import { defineCheck, type EvidenceOf, foundOrOk, ok, warn } from './check.js';
import { longTransactionSeconds } from './table-locks.js';

/** If a job has been due for this long, no worker is working on the queue. */
const waitedSeconds = longTransactionSeconds;

interface Kinds {
  'jobs-running': { locked: number; onLastAttempt: number };
  'jobs-locked-too-long': { jobs: number };
  'jobs-not-worked': { due: number; seconds: number };
  'jobs-failed': { jobs: number };
  'queue-at-rest': { jobs: number };
  'no-queue': null;
}

export const queue = defineCheck<Kinds>()({
  id: 'queue',
  group: 'database',
  canStop: false,
  needs: [],
  needsOrAbsent: ['queue'],
  judge({ facts: { queue: jobs } }) {
    if (jobs === null) return [ok({ kind: 'no-queue' })];
    const { locked, lockedTooLong, lockedOnLastAttempt: onLastAttempt, due, oldestDueSeconds, failed } = jobs;
    const evidence: EvidenceOf<Kinds>[] = [];
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
  label: 'Background jobs',
  meaning: 'Whether background jobs would suffer from the restart, or already do.',
  looksAt: 'The jobs of graphile_worker: running, locked, due and failed.',
  finds: {
    'jobs-running': {
      meaning:
        'Jobs are running. Those with an attempt left are tried again after a restart; the others are lost with their worker.',
      remedy: 'Upgrade when none runs: let the schedulers finish first.',
      describe: ({ locked, onLastAttempt }) =>
        locked === 1
          ? `1 job runs, ${onLastAttempt === 0 ? 'not on its' : 'on its'} last attempt`
          : `${number(locked)} jobs run, ${onLastAttempt === 0 ? 'none' : onLastAttempt} of them on the last attempt`,
    },
    'jobs-locked-too-long': {
      meaning: 'Jobs have been locked for more than four hours. Their worker has probably died.',
      remedy: 'Check whether the scheduler runs; a worker takes over such a job.',
      describe: ({ jobs }) => `${countOf(jobs, 'job has', 'jobs have')} been locked for more than four hours`,
    },
    'jobs-not-worked': {
      meaning:
        'Jobs are due, and no worker works on any. The scheduler may be dead while the instance looks healthy.',
      remedy: 'Check whether the scheduler runs, before the upgrade hides why it does not.',
      describe: ({ due, seconds }) =>
        `${countOf(due, 'job is due,', 'jobs are due, the oldest')} for ${describeSeconds(seconds)}, and none is worked on`,
    },
    'jobs-failed': {
      meaning: 'Jobs have failed for good. This upgrade did not cause it, which is harder to see afterwards.',
      remedy: 'Look at their last_error before the upgrade.',
      describe: ({ jobs }) => `${countOf(jobs, 'job has', 'jobs have')} failed for good`,
    },
    'queue-at-rest': ({ jobs }) =>
      jobs === 0 ? 'no job' : `${countOf(jobs, 'job, not running', 'jobs, none of them running')}`,
    'no-queue': 'The database has no schema graphile_worker.',
  },
});
