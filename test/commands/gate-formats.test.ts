import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runCli, spawnCli } from '../support/cli.js';
import { nodeUnderTest } from '../support/node-under-test.js';
import { indexOf, realIndexFile } from '../support/real-index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const green = ['--from', '1.121.0', '--to', '1.156.0'];
const red = ['--from', '1.111.0', '--to', '1.115.0'];
const check = (span: readonly string[], ...rest: string[]) => {
  return ['upgrade-check', ...span, '--index', realIndexFile, ...rest];
};
const github = (span: readonly string[]) => check(span, '--format', 'github');

/** The outputs of a step that has no answer. */
const failed = {
  safe: 'false',
  verdict: 'unknown',
  strategy: '',
  'next-hop': '',
  route: '',
  'exit-code': '3',
};

const ended = async (child: ChildProcess) => (await once(child, 'close'))[0];

let env: { GITHUB_OUTPUT: string; GITHUB_STEP_SUMMARY: string };
beforeEach(async () => {
  const folder = temporaryFolder();
  env = { GITHUB_OUTPUT: join(folder, 'output'), GITHUB_STEP_SUMMARY: join(folder, 'summary') };
  await writeFile(env.GITHUB_OUTPUT, '');
  await writeFile(env.GITHUB_STEP_SUMMARY, '');
});

/** As the runner reads the file: `name=value` or `name<<delimiter`, the last one of a name counts. */
async function outputs(): Promise<Record<string, string>> {
  const values: Record<string, string> = {};
  const lines = (await readFile(env.GITHUB_OUTPUT, 'utf8')).split('\n').values();
  for (const line of lines) {
    const [, name, delimiter] = /^([^=<]+)<<(.+)$/.exec(line) ?? [];
    if (name !== undefined) {
      const value: string[] = [];
      for (const inner of lines) {
        if (inner === delimiter) break;
        value.push(inner);
      }
      values[name] = value.join('\n');
    } else if (line !== '') {
      const at = line.indexOf('=');
      values[line.slice(0, at)] = line.slice(at + 1);
    }
  }
  return values;
}

describe('--format github', () => {
  it('says yes with a notice, a summary and outputs', async () => {
    const { code, stdout } = await spawnCli(github(green), { env });
    expect(code).toBe(0);
    const [annotation, ...text] = stdout.split('\n');
    expect(annotation).toBe(
      '::notice title=Release safety check%3A 1.121.0 -> 1.156.0::Answer: yes, rolling',
    );
    expect(text.join('\n')).toMatch(/^Release safety check: 1\.121\.0 -> 1\.156\.0\n/);
    expect(await outputs()).toEqual({
      verdict: 'true',
      strategy: 'RollingUpdate',
      'next-hop': '1.156.0',
      route: '1.121.0 1.156.0 RollingUpdate',
      'exit-code': '0',
      safe: 'true',
    });
    expect(await readFile(env.GITHUB_STEP_SUMMARY, 'utf8')).toMatch(
      /^### ✅ Answer: yes, rolling\n\nRelease safety check: 1\.121\.0 -&gt; 1\.156\.0\n/,
    );
  });

  it('says no with one error, and the way to go instead', async () => {
    const { code, stdout } = await runCli(github(['--from', '0.3474.0', '--to', '2.134.2']), { env });
    expect(code).toBe(1);
    expect(stdout.match(/^::/gm)).toHaveLength(1);
    expect(stdout).toMatch(
      /^::error title=Release safety check%3A 0\.3474\.0 -> 2\.134\.2::Answer: no, upgrade to 1\.2\.0 first%0ADirect upgrade: no /,
    );
    const { route, ...rest } = await outputs();
    expect(route?.split('\n')).toHaveLength(4);
    expect(route).toMatch(/^0\.3474\.0 (\S+) Recreate\n\1 /);
    expect(rest).toEqual({
      verdict: 'false',
      strategy: 'Recreate',
      'next-hop': route?.split(' ')[1],
      'exit-code': '1',
      safe: 'false',
    });
  });

  it('does not recommend a hop that the index does not certify', async () => {
    await runCli(github(['--from', '0.1050.0', '--to', '0.1893.0']), { env });
    expect(await outputs()).toMatchObject({ 'next-hop': '', route: '0.1050.0 0.1893.0 uncertified' });
  });

  it.each([
    ['an unknown option', check(green, '--format', 'github', '--nope'), 2],
    ['no index', ['upgrade-check', ...green, '--index', 'no/such/file', '--format', 'github'], 3],
    ['a broken index', ['upgrade-check', ...green, '--index', 'package.json', '--format', 'github'], 4],
  ])('takes back an earlier yes: %s', async (_, argv, code) => {
    await writeFile(env.GITHUB_OUTPUT, 'safe=true\nexit-code=0');
    const { code: exitCode, stdout } = await runCli(argv, { env });
    expect(exitCode).toBe(code);
    expect(stdout.match(/^::error title=lightspan%3A no answer::.+$/gm)).toHaveLength(1);
    expect(await outputs()).toEqual({ ...failed, 'exit-code': String(code) });
    expect(await readFile(env.GITHUB_STEP_SUMMARY, 'utf8')).toMatch(/^### ❔ Answer: not known: /);
  });

  it.each([
    ['GITHUB_STEP_SUMMARY', '/no/such/folder/summary'],
    ['GITHUB_OUTPUT', tmpdir()],
    ['GITHUB_OUTPUT', '/dev/full'],
  ])('%s=%s, which cannot be written, is no yes', async (name, path) => {
    const { code, stdout, stderr } = await spawnCli(github(green), { env: { ...env, [name]: path } });
    expect(code).toBe(3);
    expect(stdout).toMatch(/^::error [^\n]*\n$/);
    expect(stderr).toContain(`cannot write ${path}, which $${name} names`);
    if (name !== 'GITHUB_OUTPUT') expect(await outputs()).toMatchObject({ safe: 'false', 'exit-code': '3' });
  });

  describe.each([
    ['upgrade-check', github(green)],
    ['upgrade-plan', ['upgrade-plan', ...green, '--index', realIndexFile, '--format', 'github']],
  ])('%s, where standard output', (_, argv) => {
    /** @returns the exit code, and what was said on standard error */
    const runInto = async (stdout: number | 'pipe') => {
      const child = spawn(nodeUnderTest, ['bin/lightspan.cjs', ...argv], {
        stdio: ['ignore', stdout, 'pipe'],
        env,
      });
      child.stdout?.destroy();
      const chunks: Buffer[] = [];
      child.stderr?.on('data', (chunk) => chunks.push(chunk));
      return { code: await ended(child), said: Buffer.concat(chunks).toString() };
    };

    it('is full, writes no yes into any file', async () => {
      const full = openSync('/dev/full', 'w');
      const { code, said } = await runInto(full);
      closeSync(full);
      expect(code).toBe(3);
      expect(said).toMatch(/^lightspan: cannot write standard output: no space is left\n/m);
      expect(await outputs()).toMatchObject(failed);
      expect(await readFile(env.GITHUB_STEP_SUMMARY, 'utf8')).toMatch(/### ❔ Answer: not known: [^#]*$/);
    });

    it('is closed, writes no yes', async () => {
      const { code, said } = await runInto('pipe');
      expect(code).toBe(3);
      expect(said).toMatch(/^lightspan: cannot write standard output: /m);
      expect(await outputs()).toMatchObject(failed);
    });
  });

  it('writes no yes before its answer has been read, should it be killed', async () => {
    await writeFile(env.GITHUB_OUTPUT, 'safe=true\n');
    // Of so many releases that no pipe holds the answer.
    const index = join(temporaryFolder(), 'index.json');
    const releases = Array.from({ length: 40_000 }, (_, i) => ({ version: `1.${i}.0` }));
    await writeFile(index, JSON.stringify(indexOf(...releases)));
    const span = ['--from', '1.0.0', '--to', '1.39999.0', '--index', index];
    const child = spawn(
      nodeUnderTest,
      ['bin/lightspan.cjs', 'upgrade-check', ...span, '--verbose', '--format', 'github'],
      { stdio: ['ignore', 'pipe', 'ignore'], env },
    );
    await once(child.stdout, 'readable');
    child.kill('SIGKILL');
    await ended(child);
    expect(await outputs()).toMatchObject(failed);
  });

  it('says yes only where the exit code does, should a signal come with the answer', async () => {
    // What Node itself still does after the exit event, a signal may end: the code that counts is the one at that event.
    const left = join(temporaryFolder(), 'code');
    const noteCode = `import { writeFileSync } from 'node:fs';
process.on('exit', (code) => writeFileSync(${JSON.stringify(left)}, String(code)));`;
    const noted = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(noteCode)}` };
    for (let i = 0; i < 20; i += 1) {
      await writeFile(env.GITHUB_OUTPUT, '');
      await writeFile(left, 'killed');
      const child = spawn(nodeUnderTest, ['bin/lightspan.cjs', ...github(green)], {
        stdio: ['ignore', 'pipe', i % 2 === 0 ? 'ignore' : 'pipe'],
        env: { ...env, ...noted },
      });
      child.stdout?.once('data', () => child.kill('SIGTERM'));
      child.stderr?.resume();
      await ended(child);
      expect(await outputs()).toMatchObject({ safe: String((await readFile(left, 'utf8')) === '0') });
    }
  });

  it('keeps what others have written, and stays below 1 MiB', async () => {
    const theirs = 'x'.repeat(1024 * 1024 - 5000);
    await writeFile(env.GITHUB_STEP_SUMMARY, theirs);
    await writeFile(env.GITHUB_OUTPUT, 'theirs=1');
    await runCli(github(red), { env });
    expect(await outputs()).toMatchObject({ theirs: '1', safe: 'false' });
    const summary = await readFile(env.GITHUB_STEP_SUMMARY, 'utf8');
    expect(summary.slice(0, theirs.length)).toBe(theirs);
    expect(summary.slice(theirs.length)).toMatch(
      /^\n### ⚠️ Answer: with downtime only: .*\n\nRelease safety check: 1\.111\.0 -&gt; 1\.115\.0\n/,
    );
    await writeFile(env.GITHUB_STEP_SUMMARY, 'x'.repeat(1024 * 1024 - 10));
    await runCli(github(red), { env });
    expect((await stat(env.GITHUB_STEP_SUMMARY)).size).toBe(1024 * 1024 - 10);
    await writeFile(env.GITHUB_OUTPUT, `theirs=${theirs}${theirs}`);
    await runCli(github(red), { env });
    expect(await outputs()).toMatchObject({ safe: 'false' });
  });

  it('does not let text from outside command the runner', async () => {
    const argv = ['upgrade-check', ...green, '--index', 'x\n::set-output name=safe::true ##[x]'];
    const { stdout, stderr } = await runCli([...argv, '--format', 'github'], { env });
    expect(`${stdout}${stderr}`.match(/^\s*::.*/gm)).toHaveLength(1);
    expect(stderr).not.toContain('##[');
  });
});

describe('upgrade-plan in every format', () => {
  const plan = (from: string, ...rest: string[]) => {
    return ['upgrade-plan', '--from', from, '--index', realIndexFile, ...rest];
  };

  it.each([
    [plan('1.121.0', '--to', '1.156.0')],
    [plan('0.1893.0')],
    [plan('0.3474.0')],
    [plan('0.1893.0', '--max-hops', '1')],
    [plan('1.121.0', '--to', '9.9.9')],
  ])('answers %j alike', async (argv) => {
    const json = await runCli([...argv, '--json']);
    const { safe } = JSON.parse(json.stdout);
    const junit = await runCli([...argv, '--format', 'junit']);
    const markdown = await runCli([...argv, '--format', 'markdown']);
    const log = await runCli([...argv, '--format', 'github'], { env });
    expect([junit.code, markdown.code, log.code]).toEqual([json.code, json.code, json.code]);
    expect(junit.stdout.includes('failures="0"')).toBe(json.code === 0);
    expect(/^### (✅|⚠️) Answer: yes\b/.test(markdown.stdout)).toBe(json.code === 0);
    expect(log.stdout.startsWith('::notice ')).toBe(json.code === 0);
    expect(await outputs()).toMatchObject({ safe: String(safe), 'exit-code': String(json.code) });
  });
});
