import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { runCli, spawnCli } from './support/cli.js';
import { copyToWrite } from './support/copy.js';
import { nodeUnderTest } from './support/node-under-test.js';
import { realIndexFile } from './support/real-index.js';
import { temporaryFolder } from './support/temporary-folder.js';

describe('lightspan', () => {
  it('prints its version', async () => {
    expect(await runCli(['--version'])).toEqual({ code: 0, stdout: `${packageJson.version}\n`, stderr: '' });
  });

  const span = ['--from', '1.111.0', '--to', '1.112.0'];
  it.each([
    [['upgrade-check', ...span, '-V']],
    [['upgrade-check', '--version', ...span]],
    [['--version', 'upgrade-check', ...span]],
    [['merge', 'validate', 'merge.yaml', '-V']],
    [['--debug', '--version']],
  ])('%j asks for more than the version, and exit 0 would answer that', async (argv) => {
    expect(await runCli(argv)).toMatchObject({ code: 2, stdout: '' });
  });

  it('with --json it is the one line of a failure', async () => {
    const { code, stdout } = await runCli(['upgrade-check', ...span, '--json', '-V']);
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ safe: false, error: { code: 'usage' } });
    expect(stdout).toMatch(/^[^\n]+\n$/);
  });

  it('leaves --version to the command that has one', async () => {
    expect(await runCli(['upgrade-verify', '--version', '1.156.0'])).toMatchObject({ code: 2, stdout: '' });
  });

  it('without a word shows its help, and without a command where one belongs is no yes', async () => {
    expect(await runCli([])).toEqual(await runCli(['--help']));
    for (const argv of [['index'], ['--debug'], ['--all']]) {
      const { code, stdout, stderr } = await runCli(argv);
      expect({ code, stdout, said: stderr !== '' }).toEqual({ code: 2, stdout: '', said: true });
    }
  });

  it('--all beside it, on any side, is the whole help; without --help it is an option like any other', async () => {
    const whole = await runCli(['upgrade-plan', '--help', '--all']);
    expect(whole).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('--max-age') });
    expect((await runCli(['plan', '--help'])).stdout).not.toContain('--max-age');
    for (const argv of [
      ['plan', '--all', '-h'],
      ['help', 'plan', '--all'],
      ['help', '--all', 'plan'],
    ])
      expect(await runCli(argv)).toEqual(whole);
    expect((await runCli(['plan', '--all'])).stderr).toContain("unknown option '--all'");
    expect((await runCli(['plan', '--from', '1.0.0', '--help', '--all'])).code).toBe(2);
  });

  it.each([
    [['--help'], /^Usage: lightspan/],
    [['help', 'upgrade-check'], /^Usage: lightspan upgrade-check/],
    [['upgrade-check', '--help'], /Exit codes:\n {2}0 {2}[\s\S]*Examples:\n {2}\$ [\s\S]*\n {2}\$ /],
  ])('%j shows help on standard output', async (argv, help) => {
    expect(await runCli(argv)).toEqual({ code: 0, stdout: expect.stringMatching(help), stderr: '' });
  });

  it.each([
    [['help'], 'lightspan'],
    [['help', 'upgrade-check'], 'lightspan upgrade-check'],
    [['help', 'index', 'mirror'], 'lightspan index mirror'],
    [['index', 'help', 'mirror'], 'lightspan index mirror'],
    [['index', 'mirror', '-h'], 'lightspan index mirror'],
  ])('%j is a question of its own: help, and exit 0, as a process too', async (argv, name) => {
    const shown = {
      code: 0,
      stdout: expect.stringMatching(`^Usage: ${name}(?:\\|\\w+)? \\[options\\]`),
      stderr: '',
    };
    expect(await runCli(argv)).toEqual(shown);
    expect(await spawnCli(argv)).toEqual(shown);
  });

  it.each([
    [['upgrade-check', ...span, '-h']],
    [['upgrade-check', '--help', ...span]],
    [['--help', 'upgrade-check', ...span]],
    [['merge', 'submit', 'merge.yaml', '--help']],
    [['upgrade-check', '--help', '--debug']],
    [['help', 'upgrade-check', '--json']],
    [['upgrade-check', '--json', '-h']],
  ])('%j asks for more than help, and exit 0 would answer that', async (argv) => {
    for (const outcome of [await runCli(argv), await spawnCli(argv)]) {
      expect(outcome.code).toBe(2);
      if (argv.includes('--json')) expect(JSON.parse(outcome.stdout)).toMatchObject({ safe: false });
      else expect(outcome.stdout).toBe('');
      expect(outcome.stderr).toMatch(/^Usage: [\s\S]*\nlightspan: --help takes only the name of a command\n/);
    }
  });

  it('leaves -h to an option that takes it for its value', async () => {
    expect((await runCli(['upgrade-check', '--from', '-h'])).stderr).toContain(
      '--from: "-h" is not a release',
    );
  });

  it.each([
    [['--nope'], 'lightspan'],
    [['upgrade-check', '--from', '1.0.0', '--to', '1.1.0', '--jsn'], 'lightspan upgrade-check'],
    [['index', 'mirror'], 'lightspan index mirror'],
    [['completion', 'ksh'], 'lightspan completion'],
    [['index', 'xyzzy'], 'lightspan index'],
  ])('%j points to the help of what was used', async (argv, name) => {
    const { code, stderr } = await runCli(argv);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/\n(?:See|.*\(more:) .*\n$/) });
    expect(stderr).toContain(` ${name} --help`);
    expect((await runCli([...name.split(' ').slice(1), '--help'])).code).toBe(0);
  });

  it.each([
    [['upgrade-chek'], /unknown command 'upgrade-chek' \(Did you mean upgrade-check\?\)/],
    // A command stands first.
    [['mirror', 'upgrade-check'], /unknown command 'mirror'/],
    [['index', 'mirrors', 'verify'], /unknown command 'mirrors' \(Did you mean mirror\?\)/],
    [['mirror', '--help'], /unknown command 'mirror' \(Did you mean index mirror\?\)/],
    [['release', '2.131.0'], /unknown command '2\.131\.0' \(Did you mean release show\?\)/],
    [['org', 'ann'], /unknown command 'ann' \(Did you mean org users\?\)/],
    [['help', 'upgrade-chek', '--all'], /unknown command 'upgrade-chek' \(Did you mean upgrade-check\?\)/],
    [['help', 'index', 'statos'], /unknown command 'statos' \(Did you mean status\?\)/],
    [['help', 'index', 'index'], /unknown command 'index'/],
    [['help', 'foo'], /^lightspan: unknown command 'foo'\nSee lightspan --help\.\n$/],
    [['--nope'], /unknown option '--nope'/],
    [
      ['upgrade-check', '--from', '1.0.0', '--to', '1.1.0', '--jsn'],
      /unknown option '--jsn' \(Did you mean --json\?\)/,
    ],
    [
      ['bump', '--from-file', 'a.yaml'],
      /unknown option '--from-file'\nHere it is --file\. See lightspan upgrade-bump --help/,
    ],
    [['bump', '--file', 'a.yaml', '--dry-run'], /Here it is --check\./],
    [['plan', '--pin', 'a.yaml'], /Here it is --from-file\./],
    [['preflight', '--env-file=a.env'], /Here it is --compose-env-file\./],
    [['explain', '--file', 'a'], /unknown option '--file'\nSee lightspan explain --help/],
    [['upgrade-check', '1.0.0', '1.1.0', '--from', '1.0.0', '--to', '1.1.0'], /'--from <version>'/],
    [['upgrade-check', '1.0.0', '1.1.0', '1.2.0'], /too many arguments/],
  ])('%j is a usage error', async (argv, message) => {
    const { code, stdout, stderr } = await runCli(argv);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it('shows a stack only with --debug', async () => {
    const argv = ['upgrade-check', '--from', '1.0.0', '--to', '1.1.0', '--index', 'no/such/file'];
    expect((await runCli(argv)).stderr).not.toMatch(/\n\s+at /);
    expect((await runCli([...argv, '--debug'])).stderr).toMatch(/\n\s+at /);
  });
});

describe('what the command line holds is shown and not obeyed', () => {
  const hostile = '\u001b[2J\u202e';
  it.each([
    ['a version', ['upgrade-check', '--from', hostile, '--to', '1.1.0']],
    ['a stack', ['upgrade-check', '--from', hostile, '--to', '1.1.0', '--debug']],
    ['a flag', [`--${hostile}`]],
    ['a command', [hostile]],
    ['a file', ['upgrade-check', '--from', '1.0.0', '--to', '1.1.0', '--index', hostile]],
    ['a stack of it', ['upgrade-check', '--from', '1.0.0', '--to', '1.1.0', '--index', hostile, '--debug']],
  ])('%s', async (_, argv) => {
    const { stdout, stderr } = await runCli(argv);
    expect(stdout + stderr).toContain('\\u001b[2J\\u202e');
    for (const character of ['\u001b', '\u202e']) expect(stdout + stderr).not.toContain(character);
  });
});

describe('the two bins', () => {
  const argv = ['--from', '1.121.0', '--to', '1.156.0', '--index', realIndexFile];

  it('upgrade-check is lightspan upgrade-check', async () => {
    const long = await spawnCli(['upgrade-check', ...argv]);
    expect(long).toMatchObject({ code: 0, stdout: expect.stringContaining('Verdict: SAFE') });
    expect(await spawnCli(argv, { bin: 'upgrade-check' })).toEqual(long);
  });

  it('upgrade-check tells the version, and only where it is asked for nothing else', async () => {
    const bin = 'upgrade-check';
    expect(await spawnCli(['--version'], { bin })).toMatchObject({
      code: 0,
      stdout: `${packageJson.version}\n`,
    });
    expect(await spawnCli([...argv, '--version'], { bin })).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('a program that cannot be loaded', () => {
  it.each([
    ['was never built', undefined],
    ['lacks a part', "require('./part.cjs')"],
    ['was cut off', 'module.exports = {'],
  ])('because it %s is no answer, and not a no', (_, part) => {
    const folder = temporaryFolder();
    copyToWrite('bin', join(folder, 'bin'));
    if (part !== undefined) {
      const program = join(folder, 'dist', 'program');
      mkdirSync(program, { recursive: true });
      copyToWrite('dist/program/start.cjs', join(program, 'start.cjs'));
      for (const name of ['version.cjs', 'main.cjs']) writeFileSync(join(program, name), part);
    }
    for (const [bin, word] of [
      ['lightspan.cjs', '--version'],
      ['lightspan.cjs', 'upgrade-plan'],
      ['upgrade-check.cjs', '--version'],
    ] as const) {
      const { status, stdout, stderr } = spawnSync(nodeUnderTest, [join(folder, 'bin', bin), word], {
        encoding: 'utf8',
      });
      expect({ status, stdout }).toEqual({ status: 3, stdout: '' });
      expect(stderr).toMatch(/^lightspan: .*npm run build.*\n$/);
    }
  });
});
