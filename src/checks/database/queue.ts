import { describeSeconds } from '../../core/text/measures.js';
import { countOf } from '../../core/text/phrase.js';
import { defineCheck, ok, warn } from '../check.js';
import { longTransactionSeconds } from './table-locks.js';

export const queue = defineCheck({
  id: 'queue',
  canStop: false,
  needs: [],
  needsOrAbsent: ['queue'],
  *judge({ facts: { queue: jobs } }) {
    if (jobs === null) return ok({ kind: 'no-queue' });
    const { locked, lockedTooLong, lockedOnLastAttempt: onLastAttempt, due, failed } = jobs;
    const running = locked - lockedTooLong;
    const seconds = jobs.oldestDueSeconds ?? 0;
    const subject = 'graphile_worker';
    if (running > 0) yield warn(subject, { kind: 'jobs-running', locked: running, onLastAttempt });
    if (lockedTooLong > 0) yield warn(subject, { kind: 'jobs-locked-too-long', jobs: lockedTooLong });
    if (locked === 0 && due > 0 && seconds >= longTransactionSeconds)
      yield warn(subject, { kind: 'jobs-not-worked', due, seconds });
    if (failed > 0) yield warn(subject, { kind: 'jobs-failed', jobs: failed });
    return ok({ kind: 'queue-at-rest', jobs: jobs.jobs });
  },
})({
  label: 'Background jobs',
  meaning:
    'Whether background jobs would suffer from the restart, or already do. What it looks at: The jobs of graphile_worker: running, locked, due and failed.',
  traitsOf: {
    'jobs-locked-too-long': { afterUpgrade: 'stop' },
    'jobs-not-worked': { afterUpgrade: 'stop' },
    'jobs-running': { afterUpgrade: 'ok' },
  },
  finds: {
    'jobs-running': {
      meaning: 'Jobs are running: those on their last attempt are lost, the others are tried again.',
      remedy: 'Upgrade when none runs: let the schedulers finish first.',
      describe: ({ locked, onLastAttempt }) =>
        `${countOf(locked, 'job runs', 'jobs run')}, on the last attempt: ${onLastAttempt}`,
    },
    'jobs-locked-too-long': {
      meaning: 'Jobs have been locked for more than four hours. Their worker has probably died.',
      remedy: 'Check whether the scheduler runs; a worker takes over such a job.',
      describe: ({ jobs }) => `${countOf(jobs, 'job has', 'jobs have')} been locked for more than four hours`,
    },
    'jobs-not-worked': {
      meaning: 'Jobs are due, and no worker works on any: the scheduler may be dead.',
      remedy: 'Check whether the scheduler runs, before the upgrade hides why it does not.',
      describe: ({ due, seconds }) =>
        `${countOf(due, 'job')} due for up to ${describeSeconds(seconds)}, and none is worked on`,
    },
    'jobs-failed': {
      meaning: 'Jobs have failed for good. This upgrade did not cause it, which is harder to see afterwards.',
      remedy: 'Look at their last_error before the upgrade.',
      describe: ({ jobs }) => `${countOf(jobs, 'job has', 'jobs have')} failed for good`,
    },
    'queue-at-rest': ({ jobs }) => `${countOf(jobs, 'job')}, none running`,
    'no-queue': 'The database has no schema graphile_worker.',
  },
});
