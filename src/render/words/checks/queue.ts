import type { QueueEvidence } from '../../../preflight/checks/queue.js';
import { countOf, number } from '../../phrase.js';
import { describeSeconds } from '../measures.js';
import type { CheckWords } from './check-words.js';

export const queueWords: CheckWords<QueueEvidence> = {
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
    'queue-at-rest': {
      meaning: 'No job runs, none waits for long, none has failed for good.',
      describe: ({ jobs }) =>
        jobs === 0 ? 'no job' : `${countOf(jobs, 'job, not running', 'jobs, none of them running')}`,
    },
    'no-queue': {
      meaning: 'The database has no schema graphile_worker.',
      describe: () => 'there is no schema graphile_worker',
    },
  },
};
