import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { fetchPackage } from '../../scripts/fetch-package.js';
import { queue } from '../../src/checks/database/queue.js';
import { runChecks } from '../../src/checks/run-checks.js';
import { collect, factIn } from '../support/facts-of-database.js';
import { type Cluster, startPostgres } from '../support/postgres.js';
import { inputOf } from '../support/preflight.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startPostgres();
});

/** A worker that knows one task, which ends once a file is there. At a signal it stops as it does by itself. */
const program = `
  const { run } = require(process.argv[1]);
  const { existsSync } = require('node:fs');
  const { setTimeout: sleep } = require('node:timers/promises');
  const slow = async ({ file }) => {
    while (!existsSync(file)) await sleep(50);
  };
  const options = { connectionString: process.argv[2], concurrency: 2, pollInterval: 500 };
  run({ ...options, taskList: { slow } }).then(() => console.log('it works'));
`;

describe.each(['0.13.0', '0.16.6', '0.17.3', '0.18.0'])('graphile-worker %s', (version) => {
  const name = `worker_${version.replaceAll('.', '_')}`;
  const start = async (): Promise<ChildProcess> => {
    const worker = spawn(
      process.execPath,
      ['-e', program, fetchPackage('graphile-worker', version), cluster.url('lightdash', name)],
      { stdio: ['ignore', 'pipe', 'ignore'] },
    );
    onTestFinished(() => void worker.kill('SIGKILL'));
    if (worker.stdout !== null) await once(worker.stdout, 'data');
    return worker;
  };
  const seen = async () => factIn(await collect(cluster.url('lightdash', name)), 'queue');
  const until = (condition: (jobs: Awaited<ReturnType<typeof seen>>) => boolean) =>
    expect.poll(async () => condition(await seen())).toBe(true);
  /** Before 0.16, a worker that shuts down fails its jobs, which is another thing. */
  const found = async () =>
    runChecks([queue], inputOf({ facts: { queue: await seen() } })).findings.flatMap(
      ({ status, evidence: { kind } }) => (status === 'warn' && kind !== 'jobs-failed' ? [kind] : []),
    );
  const add = (job: string) => cluster.sql(name, `SELECT graphile_worker.add_job(${job})`, 'lightdash');

  it('leaves a job that ended while it shut down, from 0.17 on, and one of an unknown task in any', async () => {
    cluster.database(name);
    const worker = await start();
    const file = join(temporaryFolder(), 'go');
    add(`'slow', '${JSON.stringify({ file })}', max_attempts := 1`);
    add(`'unknown', '{}', run_at := now() - interval '1 day'`);
    await until(
      ({ locked, workers, lookedSecondsAgo }) => locked === 1 && workers === 1 && lookedSecondsAgo != null,
    );
    expect(await seen()).toMatchObject({ lockedOnLastAttempt: 1, lockedWithoutWorker: 0, due: 1 });
    expect(await found()).toEqual(['jobs-running']);

    const ended = once(worker, 'exit');
    worker.kill('SIGTERM');
    await until(({ workers }) => workers === 0);
    writeFileSync(file, '');
    await ended;
    const isLeft = version >= '0.17';
    const left = isLeft ? ['jobs-left-locked'] : [];
    expect(await seen()).toMatchObject({ locked: left.length, lockedWithoutWorker: left.length });
    expect(await found()).toEqual([...left, 'jobs-not-worked']);

    await start();
    await until(({ workers, lookedSecondsAgo }) => workers === 1 && lookedSecondsAgo != null);
    expect(await found()).toEqual(left);
  });
});
