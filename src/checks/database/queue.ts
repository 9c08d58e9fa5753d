import { countOf, describeSeconds } from '../../words/phrase.js';
import { defineCheck, ok, warn } from '../check.js';
import { longTransactionSeconds } from './table-locks.js';

/** Seconds: a worker looks for a job every two seconds, or as often as its `pollInterval` says. */
const pollSeconds = 60;

export const queue = defineCheck({
  id: 'queue',
  canStop: false,
  needs: [],
  needsOrAbsent: ['queue'],
  *judge({ facts: { queue: jobs } }) {
    if (jobs === null) return ok({ kind: 'no-queue' });
    const { locked, lockedTooLong, due, failed, failedLately = failed } = jobs;
    // findings/graphile-worker-stop-leaves-job-locked.sh
    const left = jobs.lockedWithoutWorker ?? 0;
    const running = locked - lockedTooLong - left;
    const onLastAttempt = jobs.lockedOnLastAttempt - (jobs.withoutWorkerOnLastAttempt ?? 0);
    // A worker takes every due job, except those of a task that it does not know.
    const isWorked = (jobs.workers ?? 0) > 0 && (jobs.lookedSecondsAgo ?? Infinity) <= pollSeconds;
    const seconds = jobs.oldestDueSeconds ?? 0;
    const subject = 'graphile_worker';
    if (running > 0) yield warn(subject, { kind: 'jobs-running', locked: running, onLastAttempt });
    if (left > 0) yield warn(subject, { kind: 'jobs-left-locked', jobs: left, workers: jobs.workers ?? 0 });
    if (lockedTooLong > 0) yield warn(subject, { kind: 'jobs-locked-too-long', jobs: lockedTooLong });
    if (!isWorked && running === 0 && lockedTooLong === 0 && due > 0 && seconds >= longTransactionSeconds)
      yield warn(subject, { kind: 'jobs-not-worked', due, seconds });
    if (failedLately > 0) yield warn(subject, { kind: 'jobs-failed', jobs: failed, lately: failedLately });
    return ok({ kind: 'queue-at-rest', jobs: jobs.jobs, due: isWorked ? due : 0, failed });
  },
})({
  label: 'Background jobs',
  meaning:
    'Whether background jobs would suffer from the restart, or already do. What it looks at: The jobs of ' +
    'graphile_worker (running, locked, due and failed), and the sessions of its workers, which listen for ' +
    'jobs. A job whose task no worker knows stays due for ever; it is left out while workers look for jobs.',
  traitsOf: {
    'jobs-locked-too-long': { afterUpgrade: 'stop', transient: true },
    'jobs-not-worked': { afterUpgrade: 'stop', transient: true },
    'jobs-running': { afterUpgrade: 'ok' },
  },
  finds: {
    'jobs-running': {
      meaning: 'Jobs are running. Those on their last attempt are lost; the others are tried again.',
      remedy: 'Upgrade when none is running: let the schedulers finish first.',
      describe: ({ locked, onLastAttempt }) =>
        `${countOf(locked, 'job is running', 'jobs are running')}, ${onLastAttempt} on the last attempt`,
    },
    'jobs-left-locked': {
      meaning:
        'Jobs were locked before any connected worker started, so nobody works on them. From 0.17 on, ' +
        'graphile-worker leaves a job locked if it ended while its worker shut down, and runs it once more ' +
        'four hours later.',
      remedy:
        'Wait until pods that are shutting down are gone. A job that is still locked then has ended or was cut ' +
        'off: check by its task whether it may run twice.',
      describe: ({ jobs, workers }) =>
        `${countOf(jobs, 'job is', 'jobs are')} locked, and ` +
        `${workers === 0 ? 'no worker is connected' : 'not by a connected worker'}`,
      psql: () => [
        'SELECT id, task_identifier, attempts, max_attempts, locked_at, locked_by FROM graphile_worker.jobs ' +
          'WHERE locked_at IS NOT NULL ORDER BY locked_at;',
      ],
    },
    'jobs-locked-too-long': {
      meaning: 'Jobs have been locked for more than four hours. Their worker has probably died.',
      remedy: 'Check whether the scheduler runs: a worker takes over such a job.',
      describe: ({ jobs }) => `${countOf(jobs, 'job has', 'jobs have')} been locked for more than four hours`,
    },
    'jobs-not-worked': {
      meaning: 'Jobs are due, but no worker works on any: the scheduler may be dead.',
      remedy: 'Check whether the scheduler runs now: after the upgrade, it is harder to see why not.',
      describe: ({ due, seconds }) =>
        `${countOf(due, 'job')} due for up to ${describeSeconds(seconds)}, none in progress`,
    },
    'jobs-failed': {
      meaning:
        'Jobs have failed for good in the last day. This upgrade did not cause that, but afterwards it will be ' +
        'hard to tell.',
      remedy:
        'Look at their last_error before the upgrade. It is NULL for a job that was lost with its worker on ' +
        'the last attempt.',
      describe: ({ jobs, lately }) =>
        `${countOf(jobs, 'job has', 'jobs have')} failed for good${lately === jobs ? '' : `, ${lately} of them in the last day`}`,
    },
    'queue-at-rest': ({ jobs, due, failed }) =>
      `${countOf(jobs, 'job')}, none ` +
      `running${due === 0 ? '' : `; due, and not taken by workers that look for jobs: ${due}`}` +
      (failed === 0 ? '' : `; failed for good before the last day: ${failed}`),
    'no-queue': 'The database has no schema graphile_worker.',
  },
});
