import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Cluster } from '../support/postgres.js';
import { executeStandIn, findProgram } from '../support/programs.js';
import {
  dumpOf,
  instance,
  type KnexImage,
  rehearse,
  startSource,
  writeMigrator,
  writeReleases,
} from '../support/rehearsal.js';
import { folderOfAll } from '../support/temporary-folder.js';

/**
 * There is no daemon here: a program stands in for docker and podman, which refuses any argument that it does not know,
 * and runs real PostgreSQL and real knex in place of containers.
 */

const one = '20260901000000_one';
let source: Cluster;
let index: string;
beforeAll(async () => {
  source = await startSource();
  source.database('bi', ...instance);
  index = await writeReleases({ '2.1.0': [one] });
});
afterAll(() => source.stop());

function standIn(image: KnexImage, program = 'docker', before = '') {
  const folder = folderOfAll();
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const become = executeStandIn('test/support/docker-stand-in.mjs');
  writeFileSync(join(bin, program), `#!/bin/sh\n${become} "$@"\n`);
  chmodSync(join(bin, program), 0o755);
  const env = {
    PATH: `${bin}:${(process.env.PATH ?? '')
      .split(':')
      .filter((place) => !existsSync(join(place, 'docker')))
      .join(':')}`,
    STAND_IN: folder,
    STAND_IN_POSTGRES: (findProgram('initdb') ?? '').replace(/\/initdb$/, ''),
    STAND_IN_MIGRATE: writeMigrator({ '2.1.0': image }, before),
    PGHOST: 'canary.host',
  };
  const asked = () =>
    readFileSync(join(folder, 'asked'), 'utf8')
      .trim()
      .split('\n')
      .map((line): string[] => JSON.parse(line));
  const containers = () =>
    existsSync(join(folder, 'containers')) ? readdirSync(join(folder, 'containers')) : [];
  return { env, asked, containers };
}

const argv = (dump: string) => ['--dump', dump, '--to', '2.1.0', '--index', index];

it.each([
  ['docker', ['--format=custom']],
  ['podman', ['--format=directory']],
  ['docker', ['--format=plain']],
])('rehearses in containers of %s, and leaves none', async (program, options) => {
  const { env, asked, containers } = standIn({ [one]: { up: 'alter table users add name text' } }, program);
  const out = join(folderOfAll(), 'rehearsal.json');
  const { answer, stderr, code } = await rehearse([...argv(dumpOf(source, 'bi', options)), '--out', out], {
    env,
  });
  expect([stderr, answer, code]).toEqual([
    `Rehearsal written to ${out}\n`,
    'yes: the only migration of 1 hop applies (dry: no times)',
    0,
  ]);
  expect(containers()).toEqual([]);
  expect(JSON.stringify(asked())).not.toContain('canary');
  expect(JSON.parse(readFileSync(out, 'utf8'))).toMatchObject({
    copy: { by: program, isolated: true, postgresMajor: 15 },
    hops: [{ image: `sha256:${'0'.repeat(64)}`, migrations: [{ name: `${one}.js` }] }],
  });
});

it('says what fails, with rows too', async () => {
  const { env, containers } = standIn({ [one]: { up: 'alter table ai_prompt add x int' } });
  const { answer } = await rehearse([...argv(dumpOf(source, 'bi')), '--full'], { env });
  expect(answer).toBe(`no: hop 1 fails in ${one}.js: relation "ai_prompt" does not exist (42P01)`);
  expect(containers()).toEqual([]);
});

it('waits for a log that comes late', async () => {
  const { env } = standIn({ [one]: { up: 'alter table ai_prompt add x int' } });
  const { answer } = await rehearse(argv(dumpOf(source, 'bi')), { env: { ...env, STAND_IN_LOG_MS: '700' } });
  expect(answer).toBe(`no: hop 1 fails in ${one}.js: relation "ai_prompt" does not exist (42P01)`);
});

it('runs no command of psql that stands in a dump', async () => {
  const { env } = standIn({ [one]: { up: 'select 1' } });
  const file = join(folderOfAll(), 'ran');
  const dump = dumpOf(source, 'bi', ['--format=plain']);
  const evil = `SET lock_timeout = 0 \\! touch ${file}\n;\nCREATE TABLE "x\\! touch ${file}" (a int);\n`;
  writeFileSync(
    dump,
    readFileSync(dump, 'utf8').replace('-- PostgreSQL database dump complete', `${evil}$&`),
  );
  const { answer } = await rehearse(argv(dump), { env });
  expect([answer, existsSync(file)]).toEqual([
    expect.stringMatching(/^no: the dump is no backup: SET /),
    false,
  ]);
});

it('hands on a variable by its name alone', async () => {
  const { env, asked } = standIn(
    { [one]: { up: 'select 1' } },
    'docker',
    "if (process.env.LICENCE !== 'canary') throw new Error('no licence');",
  );
  const { answer } = await rehearse([...argv(dumpOf(source, 'bi')), '--env', 'LICENCE'], {
    env: { ...env, LICENCE: 'canary' },
  });
  expect(answer).toBe('yes: the only migration of 1 hop applies (dry: no times)');
  expect(JSON.stringify(asked())).not.toContain('canary');
});

it('removes containers whose rehearsal is gone, and no others', async () => {
  const { env, containers } = standIn({ [one]: { up: 'select 1' } });
  const [, machine = ''] =
    /^([0-9a-f]{8})-/.exec((await import('../../src/rehearsal/owner.js')).ownLabel()) ?? [];
  const labels = {
    gone: `${machine}-99999999-1`,
    foreign: '00000000-99999999-1',
    alive: `${machine}-1-${startOfInit()}`,
  };
  for (const [name, label] of Object.entries(labels)) {
    mkdirSync(join(env.STAND_IN, 'containers', name), { recursive: true });
    writeFileSync(join(env.STAND_IN, 'containers', name, 'label'), `lightspan.rehearsal=${label}`);
  }
  const { stderr } = await rehearse(argv(dumpOf(source, 'bi')), { env });
  expect([stderr, containers().sort()]).toEqual([
    'Removed: container gone, left by a run that was killed.\n',
    ['alive', 'foreign'],
  ]);
});

function startOfInit(): string {
  return readFileSync('/proc/1/stat', 'latin1').replace(/^.*\)/s, '').split(' ')[20] ?? '';
}

it('says that no container program is there', async () => {
  const { code, stderr } = await rehearse(argv(dumpOf(source, 'bi')), { env: { PATH: '/nowhere' } });
  expect([code, stderr]).toEqual([3, expect.stringContaining('neither docker nor podman answers here')]);
});
