import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { outcomeOf } from '../support/cli.js';
import { nodeUnderTest } from '../support/node-under-test.js';
import type { Cluster } from '../support/postgres.js';
import {
  dumpOf,
  instance,
  programsOfCopies as postgres,
  rehearse,
  startSource,
  writeMigrator,
  writeReleases,
} from '../support/rehearsal.js';
import { folderOfAll } from '../support/temporary-folder.js';

/** Whatever is killed, and whenever: nothing is left after the next start, and nothing of a run beside it is taken. */

const name = '20260901000000_one';
let source: Cluster;
let argv: readonly string[];
let shortMigration: string;
beforeAll(async () => {
  source = await startSource();
  source.database('bi', ...instance);
  const index = await writeReleases({ '2.1.0': [name] });
  const migrate = writeMigrator({ '2.1.0': { [name]: { up: 'select pg_sleep(3)' } } });
  shortMigration = writeMigrator({ '2.1.0': { [name]: { up: 'select pg_sleep(1)' } } });
  const dump = dumpOf(source, 'bi');
  argv = ['--dump', dump, '--to', '2.1.0', '--index', index, '--postgres', postgres, '--migrate', migrate];
});
afterAll(() => source.stop());

function start(tmp: string): ChildProcess {
  const env = { PATH: process.env.PATH, TMPDIR: tmp, LIGHTSPAN_CACHE_DIR: join(tmp, 'cache') };
  return spawn(nodeUnderTest, [resolve('bin/lightspan.cjs'), 'upgrade-rehearse', ...argv], { env });
}

/** The processes that name a rehearsal of a folder, or work in it. */
function processesIn(folder: string): string[] {
  const mark = `${folder}/lsr-`;
  const textOf = (read: () => string) => {
    try {
      return read();
    } catch {
      return '';
    }
  };
  return readdirSync('/proc').filter(
    (pid) =>
      /^\d+$/.test(pid) &&
      ['cwd', 'cmdline', 'environ'].some((file) =>
        textOf(() =>
          file === 'cwd' ? readlinkSync(`/proc/${pid}/cwd`) : readFileSync(`/proc/${pid}/${file}`, 'latin1'),
        ).includes(mark),
      ),
  );
}

/** The shared memory that a server has taken, and not given back: a machine has room for that of some thousand. */
const sharedMemoryOf = (server: number) =>
  readFileSync('/proc/sysvipc/shm', 'utf8')
    .split('\n')
    .filter((line) => Number(line.trim().split(/\s+/)[4]) === server);

const rehearsals = (tmp: string) => readdirSync(tmp).filter((entry) => entry.startsWith('lsr-'));

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1200 && !isSo(); tries += 1) await sleep(50);
}

it('leaves nothing after the next start, killed at 20 moments', { timeout: 600_000 }, async () => {
  const tmp = folderOfAll();
  const runs = Array.from({ length: 20 }, (_, i) => i * 250);
  for (const delay of runs) {
    const child = start(tmp);
    const ended = outcomeOf(child);
    // From when there is anything: on a busy machine, a start takes long.
    await until(() => rehearsals(tmp).length > 0 || child.exitCode !== null);
    await sleep(delay);
    child.kill('SIGKILL');
    await ended;
    const { removeLeftovers } = await import('../../src/rehearsal/server.js');
    removeLeftovers(tmp);
    expect([rehearsals(tmp), processesIn(tmp)]).toEqual([[], []]);
  }
});

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'leaves nothing after %s',
  { timeout: 120_000 },
  async (signal) => {
    const tmp = folderOfAll();
    const child = start(tmp);
    const ended = new Promise((done) => child.once('exit', (_, by) => done(by)));
    await until(() => rehearsals(tmp).some((folder) => readdirSync(join(tmp, folder)).includes('home')));
    const servers = serversIn(tmp);
    expect(servers.flatMap(sharedMemoryOf)).not.toEqual([]);
    child.kill(signal);
    expect(await ended).toBe(signal);
    expect([rehearsals(tmp), processesIn(tmp), servers.flatMap(sharedMemoryOf)]).toEqual([[], [], []]);
  },
);

it.each([
  ['while the server is made', () => true],
  ['while it migrates', (folder: string) => readdirSync(folder).includes('home')],
])('leaves nothing after Ctrl-C, pressed again and again: %s', async (_, isSo) => {
  const tmp = folderOfAll();
  const child = start(tmp);
  const ended = new Promise((done) => child.once('exit', (_code, by) => done(by)));
  await until(() => rehearsals(tmp).some((folder) => isSo(join(tmp, folder))));
  while (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGINT');
    await sleep(5);
  }
  expect(await ended).toBe('SIGINT');
  expect([rehearsals(tmp), processesIn(tmp)]).toEqual([[], []]);
});

/** Rehearses with a migration of a second, kills what it finds at a moment, and waits for the end. */
async function rehearseAndKill(find: (tmp: string) => readonly number[], delay: number) {
  const tmp = folderOfAll();
  const run = rehearse([...argv.slice(0, -1), shortMigration], {}, tmp);
  let isOver = false;
  void run.then(() => {
    isOver = true;
  });
  await until(() => isOver || find(tmp).length > 0);
  await sleep(delay);
  for (const pid of find(tmp)) kill(pid);
  const { code, answer, stderr, left } = await run;
  return { code, said: answer || stderr, left: [...left, ...processesIn(tmp)] };
}

/** It may end by itself between being found and being killed. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

const textOf = (file: string) => (existsSync(file) ? readFileSync(file, 'latin1') : '');

/** Started by the command that migrates, with the folder of the copy in its variables. */
const migratorsIn = (tmp: string) =>
  processesIn(tmp)
    .map(Number)
    .filter((pid) => /^[^\0]*node\0[^\0]*migrate\.cjs\0/.test(textOf(`/proc/${pid}/cmdline`)));

it('knows nothing, and leaves nothing, if the migrator is killed at 20 moments', {
  timeout: 900_000,
}, async () => {
  const codes: (number | null)[] = [];
  for (let i = 0; i < 20; i += 1) {
    const { code, said, left } = await rehearseAndKill(migratorsIn, i * 100);
    codes.push(code);
    // Where it has ended before, there is nothing to kill.
    expect([code, said, left]).toEqual([
      code === 0 ? 0 : 3,
      expect.stringMatching(/^(?:yes: |not known: hop 1: )/),
      [],
    ]);
  }
  expect(codes.filter((code) => code === 3).length).toBeGreaterThan(5);
});

/** The server of a copy, from its first file on: while it is made, that names a server for its tables. */
function serversIn(tmp: string): readonly number[] {
  const files = rehearsals(tmp).map((folder) => join(tmp, folder, 'data', 'postmaster.pid'));
  return files.flatMap((file) => Math.abs(Number(textOf(file).split('\n')[0])) || []);
}

/** Its processes that work for somebody. */
const backendsIn = (tmp: string) =>
  serversIn(tmp).flatMap((server) =>
    textOf(`/proc/${server}/task/${server}/children`)
      .split(' ')
      .filter((pid) => /^postgres: \w+ lightdash /.test(textOf(`/proc/${pid}/cmdline`)))
      .map(Number),
  );

it.each([
  ['the server of the copy', serversIn, 10],
  ['a process of that server', backendsIn, 5],
] as const)('is no answer if %s is killed', { timeout: 900_000 }, async (_, find, moments) => {
  for (let i = 0; i < moments; i += 1) {
    const { code, said, left } = await rehearseAndKill(find, i * 300);
    expect([code, said, left]).toEqual([
      code === 0 ? 0 : 3,
      expect.stringMatching(/^(?:yes: |not known: |lightspan: .*(?:server|PostgreSQL|initdb|connection))/),
      [],
    ]);
    expect(said).not.toContain('internal error');
    // Its log ends with a statement, which may hold a value of a row.
    expect(said).not.toMatch(/select/i);
  }
});

it('leaves a rehearsal alone that runs beside it', async () => {
  const tmp = folderOfAll();
  const other = start(tmp);
  const ended = outcomeOf(other);
  await until(() => rehearsals(tmp).some((folder) => readdirSync(join(tmp, folder)).includes('home')));
  const { code } = await rehearse(argv, {}, tmp);
  expect(code).toBe(0);
  expect(await ended).toMatchObject({ code: 0, stdout: expect.stringContaining('Answer: yes') });
  expect(rehearsals(tmp)).toEqual([]);
});
