import { describe, expect, it } from 'vitest';
import { queue } from '../../../src/checks/database/queue.js';
import { foundBy, healthyFacts } from '../../support/preflight.js';

const jobs = (told: object) => {
  const { queue: atRest } = healthyFacts();
  return typeof atRest === 'string' ? atRest : { ...atRest, jobs: 10, ...told };
};

describe('background jobs', () => {
  it.each([
    [
      'run, and others are locked by a worker that died',
      jobs({ locked: 3, lockedTooLong: 1 }),
      ['warn jobs-running graphile_worker', 'warn jobs-locked-too-long graphile_worker'],
    ],
    ['rest', jobs({}), ['ok queue-at-rest']],
    ['have no schema', 'absent' as const, ['ok no-queue']],
    ['run', jobs({ locked: 2, lockedOnLastAttempt: 1 }), ['warn jobs-running graphile_worker']],
    [
      'are locked by a worker that died',
      jobs({ locked: 2, lockedTooLong: 2 }),
      ['warn jobs-locked-too-long graphile_worker'],
    ],
    [
      'wait for a worker that does not work',
      jobs({ due: 5, oldestDueSeconds: 300 }),
      ['warn jobs-not-worked graphile_worker'],
    ],
    ['wait, and not for long', jobs({ due: 5, oldestDueSeconds: 299 }), ['ok queue-at-rest']],
    ['do not wait', jobs({ due: 0, oldestDueSeconds: 300 }), ['ok queue-at-rest']],
    ['wait since it is not known when', jobs({ due: 5, oldestDueSeconds: null }), ['ok queue-at-rest']],
    [
      'wait, and others run',
      jobs({ due: 5, oldestDueSeconds: 300, locked: 1 }),
      ['warn jobs-running graphile_worker'],
    ],
    [
      'are locked, and their worker is gone',
      jobs({ locked: 2, lockedWithoutWorker: 2, withoutWorkerOnLastAttempt: 1, workers: 0 }),
      ['warn jobs-left-locked graphile_worker'],
    ],
    [
      'run, and are locked by a worker that is gone, and by one that died',
      jobs({
        locked: 4,
        lockedTooLong: 1,
        lockedWithoutWorker: 1,
        lockedOnLastAttempt: 2,
        withoutWorkerOnLastAttempt: 1,
        workers: 1,
      }),
      [
        'warn jobs-running graphile_worker',
        'warn jobs-left-locked graphile_worker',
        'warn jobs-locked-too-long graphile_worker',
      ],
    ],
    [
      'are locked by a worker that is gone, and others wait for one',
      jobs({
        locked: 1,
        lockedWithoutWorker: 1,
        workers: 0,
        lookedSecondsAgo: null,
        due: 5,
        oldestDueSeconds: 300,
      }),
      ['warn jobs-left-locked graphile_worker', 'warn jobs-not-worked graphile_worker'],
    ],
    [
      'are due, and of no task that the workers know',
      jobs({ due: 5, oldestDueSeconds: 90_000, workers: 2, lookedSecondsAgo: 60 }),
      ['ok queue-at-rest'],
    ],
    [
      'are due, and workers are connected that look for none',
      jobs({ due: 5, oldestDueSeconds: 300, workers: 2, lookedSecondsAgo: 61 }),
      ['warn jobs-not-worked graphile_worker'],
    ],
    [
      'are due, and nobody may see the workers',
      jobs({
        due: 5,
        oldestDueSeconds: 300,
        workers: null,
        lookedSecondsAgo: null,
        lockedWithoutWorker: null,
      }),
      ['warn jobs-not-worked graphile_worker'],
    ],
    ['have failed', jobs({ failed: 3 }), ['warn jobs-failed graphile_worker']],
    ['have failed, one lately', jobs({ failed: 3, failedLately: 1 }), ['warn jobs-failed graphile_worker']],
    ['have failed long ago', jobs({ failed: 3, failedLately: 0 }), ['ok queue-at-rest']],
  ])('%s', (_, facts, found) => {
    expect(foundBy(queue, { facts: { queue: facts } })).toEqual(found);
  });
});
