import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../support/cli.js';
import { realIndexFile } from '../../support/real-index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

async function candidates(...words: readonly string[]): Promise<string[]> {
  const { code, stdout } = await runCli(['__complete', ...words]);
  expect(code).toBe(0);
  return stdout.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')[0] ?? '']));
}

it.each<readonly [what: string, words: readonly string[], first: string]>([
  ['a command', [''], 'upgrade-check'],
  ['a command to be helped with', ['help', ''], 'upgrade-check'],
  ['a command of a group', ['merge', ''], 'submit'],
  ['an option', ['upgrade-check', '--'], '--from'],
  ['a choice', ['catalog', 'metrics', '--order', ''], 'asc'],
  ['a choice of an operand', ['completion', ''], 'bash'],
  ['a word to explain', ['explain', 'req'], 'required-stop'],
  ['a kind of words', ['explain', ''], 'span-rules'],
  ['an option after a value that is a command', ['upgrade-check', '--to', 'merge', '--'], '--from'],
  ['an option after a value that was left out', ['merge', 'submit', '--wait', '--'], '--dry-run'],
])('offers %s', async (_, words, first) => {
  expect(await candidates(...words)).toContain(first);
});

it('offers versions of the index that the settings name, unless another one is named', async () => {
  const folder = temporaryFolder();
  copyFileSync(realIndexFile, join(folder, 'index.json'));
  const settings = join(folder, 'lightspan.yaml');
  writeFileSync(settings, 'index: index.json\n');
  const newest = ['2.134.2', '2.134.1', '2.134.0'];
  const argv = ['upgrade-plan', '--settings', settings];
  expect(await candidates(...argv, '--to', '2.134.')).toEqual(newest);
  writeFileSync(settings, `index: ${join(folder, 'index.json')}\n`);
  expect(await candidates(...argv, '--to', '2.134.')).toEqual(newest);
  expect(await candidates(...argv, '--index', 'package.json', '--to', '2.134.')).toEqual([]);
  expect(await candidates('upgrade-plan', '--no-settings', '--to', '2.134.')).toEqual([]);
  const here = process.cwd();
  try {
    process.chdir(folder);
    expect(await candidates('upgrade-plan', '--to', '2.134.')).toEqual(newest);
  } finally {
    process.chdir(here);
  }
  writeFileSync(settings, 'index: [broken\n');
  expect(await candidates(...argv, '--to', '2.134.')).toEqual([]);
});

it.each<readonly [what: string, words: readonly string[], expected: readonly string[]]>([
  ['files for the value of an option', ['upgrade-check', '--index', ''], [':file']],
  ['files for an operand', ['merge', 'validate', ''], [':file']],
  ['folders', ['index', 'mirror', '--out', ''], [':folder']],
  ['nothing for a version without an index', ['upgrade-check', '--to', ''], []],
  [
    'versions of an index in a file',
    ['upgrade-plan', '--index', realIndexFile, '--to', '2.134.'],
    ['2.134.2', '2.134.1', '2.134.0'],
  ],
  [
    'names of a target',
    ['upgrade-plan', '--index', realIndexFile, '--to', 'l'],
    ['latest', 'latest-rolling'],
  ],
  ['nothing of an index that is none', ['upgrade-check', '--index', 'package.json', '--to', '1'], []],
  ['nothing after the last operand', ['completion', 'bash', ''], []],
])('offers %s alone', async (_, words, expected) => {
  expect(await candidates(...words)).toEqual(expected);
});

it('describes what it offers', async () => {
  const { stdout } = await runCli(['__complete', 'upgrade-check', '--of']);
  expect(stdout).toMatch(/^--offline\t\S/m);
});

it('never asks the network for versions', async () => {
  expect(await candidates('upgrade-check', '--index', 'https://localhost:1/index.json', '--to', '')).toEqual(
    [],
  );
});

describe('completion --install', () => {
  it.each([
    ['/bin/bash', '.local/share/bash-completion/completions/lightspan', /bash-completion is installed/],
    ['/usr/bin/zsh', '.local/share/zsh/site-functions/_lightspan', /^ {2}fpath=\(\S+ \$fpath\)$/m],
    ['/usr/local/bin/fish', '.config/fish/completions/lightspan.fish', /New shells have it/],
  ])('of %s writes %s, and says so', async (SHELL, path, said) => {
    const HOME = temporaryFolder();
    for (const _ of ['first', 'again']) {
      const { code, stdout } = await runCli(['completion', '--install'], { env: { HOME, SHELL } });
      expect(code).toBe(0);
      expect(stdout).toContain(`Written: ${join(HOME, path)}\n`);
      expect(stdout).toMatch(said);
    }
    const shell = SHELL.replace(/.*\//, '');
    const { stdout } = await runCli(['completion', shell]);
    expect(readFileSync(join(HOME, path), 'utf8')).toBe(stdout);
    for (const rc of ['.bashrc', '.zshrc', '.config/fish/config.fish']) {
      expect(existsSync(join(HOME, rc))).toBe(false);
    }
  });

  it('replaces no file of others', async () => {
    const HOME = temporaryFolder();
    const file = join(HOME, '.local/share/bash-completion/completions/upgrade-check');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, 'complete -W x upgrade-check\n');
    const { code, stderr } = await runCli(['completion', 'bash', '--install'], { env: { HOME } });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('did not write it') });
    expect(existsSync(file.replace(/upgrade-check$/, 'lightspan'))).toBe(false);
  });

  it('asks for the shell where $SHELL is another', async () => {
    const { code, stderr } = await runCli(['completion', '--install'], { env: { SHELL: '/bin/ksh' } });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('Name the shell') });
    expect((await runCli(['completion'])).code).toBe(2);
  });
});
