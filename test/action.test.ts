import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { actionInputs, argvOfInputs } from '../src/launch/action-inputs.js';
import { outcomeOf } from './support/cli.js';
import { realIndexFile } from './support/real-index.js';
import { changeOf, gitEnv } from './support/repository.js';
import { temporaryFolder } from './support/temporary-folder.js';

interface Action {
  readonly inputs: Record<string, { readonly description: string; readonly required?: boolean }>;
  readonly outputs: Record<string, { readonly description: string }>;
  readonly runs: { readonly using: string; readonly main: string };
}
const action: Action = parse(readFileSync('action.yml', 'utf8'));

/** Runs the action as the runner does: a process of its own, inputs and files in its environment. */
async function runAction(
  inputs: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
) {
  const folder = temporaryFolder();
  const files = { GITHUB_OUTPUT: join(folder, 'output'), GITHUB_STEP_SUMMARY: join(folder, 'summary') };
  await writeFile(files.GITHUB_OUTPUT, '');
  // The runner hands over every input that is declared, empty where the step does not set it.
  const declared = Object.fromEntries(Object.keys(action.inputs).map((name) => [name, '']));
  const variables = Object.entries({ ...declared, ...inputs }).map(([name, value]) => [
    `INPUT_${name.replaceAll(' ', '_').toUpperCase()}`,
    value,
  ]);
  // On its own, as where nothing is installed.
  const main = join(folder, 'index.cjs');
  await copyFile(action.runs.main, main);
  const child = spawn(process.execPath, [main], {
    env: { ...files, LIGHTSPAN_CACHE_DIR: folder, ...env, ...Object.fromEntries(variables) },
  });
  const outcome = await outcomeOf(child);
  const outputs = Object.fromEntries(
    (await readFile(files.GITHUB_OUTPUT, 'utf8')).split('\n').flatMap((line) => {
      const [, name, value] = /^([a-z-]+)=(.*)$/.exec(line) ?? [];
      return name === undefined ? [] : [[name, value]];
    }),
  );
  return { ...outcome, outputs };
}

describe('action.yml', () => {
  it('has an input for every flag of the commands that it runs, and requires none', async () => {
    const names = (await actionInputs()).map(({ name }) => name);
    expect(Object.keys(action.inputs).sort()).toEqual(['mode', ...names].sort());
    expect(Object.values(action.inputs).filter(({ required }) => required === true)).toEqual([]);
  });

  it('declares the outputs that are written, and a Node that the program runs on', async () => {
    const { outputs } = await runAction({ from: '1.121.0', to: '1.156.0', index: realIndexFile });
    expect(Object.keys(outputs).sort()).toEqual(Object.keys(action.outputs).sort());
    expect(action.runs.using).toBe('node24');
  });
});

describe('inputs', () => {
  it.each([
    [{}, []],
    [{ INPUT_FROM: ' 1.0.0 ', INPUT_TO: '1.1.0' }, ['--from=1.0.0', '--to=1.1.0']],
    [{ INPUT_FROM: '--json' }, ['--from=--json']],
    [{ INPUT_OFFLINE: 'true', 'INPUT_NO-CACHE': 'false' }, ['--offline']],
    [{ INPUT_VERBOSE: 'yes' }, ['--verbose=yes']],
    [{ 'INPUT_MAX-AGE': 'false' }, ['--max-age=false']],
    [{ 'INPUT_MAX-AGE': '7d', INPUT_JSON: 'true', INPUT_FORMAT: 'text' }, ['--max-age=7d']],
  ])('%j', async (env, flags) => {
    const argv = await argvOfInputs(env);
    expect(argv.slice(0, 2)).toEqual(['upgrade-check', '--format=github']);
    expect(argv.slice(2).sort()).toEqual([...flags].sort());
  });

  it.each([
    [{ INPUT_MODE: 'check', INPUT_TO: '1.0.0' }, ['upgrade-check', '--format=github', '--to=1.0.0']],
    [{ INPUT_MODE: 'plan', 'INPUT_MAX-HOPS': '1' }, ['upgrade-plan', '--format=github', '--max-hops=1']],
    [{ INPUT_MODE: 'pin-check', INPUT_BASE: 'a' }, ['pin-check', '--format=github', '--base=a']],
    [
      { INPUT_MODE: 'bump', INPUT_FILE: 'a#b', INPUT_CHECK: 'true' },
      ['upgrade-bump', '--json', '--file=a#b', '--check'],
    ],
    [
      { INPUT_MODE: 'pin-check', INPUT_PIN: 'a#b\nc#d\n', INPUT_ACCEPT: 'added\nx' },
      ['pin-check', '--format=github', '--accept=added', '--accept=x', '--pin=a#b', '--pin=c#d'],
    ],
    [
      { 'INPUT_KNOWN-ISSUES': 'a\nb', INPUT_FACT: 'edition=community\ndeployed-by=helm' },
      [
        ...['upgrade-check', '--format=github', '--known-issues=a', '--known-issues=b'],
        ...['--fact=edition=community', '--fact=deployed-by=helm'],
      ],
    ],
    // A value, not a switch: the command line refuses a release of that name.
    [{ INPUT_TO: 'true' }, ['upgrade-check', '--format=github', '--to=true']],
    // Refused by the command line: nothing is left out without a word.
    [{ INPUT_MODE: 'gate' }, ['upgrade-check', '--format=github', '--mode=gate']],
    [{ INPUT_BASE: 'a' }, ['upgrade-check', '--format=github', '--base=a']],
  ])('in a mode: %j', async (env, argv) => {
    expect(await argvOfInputs(env)).toEqual(argv);
  });
});

describe('the action', () => {
  it.each([
    ['a yes', { from: '1.121.0', to: '1.156.0', index: realIndexFile }, 0],
    ['a no', { from: '1.111.0', to: '1.115.0', index: realIndexFile }, 1],
    ['a version that is none', { from: '1.2', to: '1.115.0', index: realIndexFile }, 2],
    ['a switch that is none', { from: '1.121.0', to: '1.156.0', index: realIndexFile, verbose: 'yes' }, 2],
    ['no index', { from: '1.121.0', to: '1.156.0', index: 'no/such/file' }, 3],
    ['a broken index', { from: '1.121.0', to: '1.156.0', index: 'package.json' }, 4],
  ])('passes the exit code through: %s', async (_, inputs, code) => {
    const outcome = await runAction(inputs);
    expect(outcome.code).toBe(code);
    expect(outcome.outputs).toMatchObject({ safe: String(code === 0), 'exit-code': String(code) });
    expect(outcome.stdout).toMatch(code === 0 ? /^::notice / : /^::(error|warning) /);
    expect(outcome.stderr).not.toMatch(/\n\s+at /);
  });

  it.each<[what: string, inputs: Record<string, string>, code: number]>([
    ['a plan that must roll', { mode: 'plan', from: '1.111.0', to: '1.115.0', 'require-rolling': 'true' }, 1],
    [
      'a bump that is proven',
      { mode: 'bump', file: 'fixtures/values.yaml#image.tag', to: 'latest-rolling', check: 'true' },
      0,
    ],
    ['no such mode', { mode: 'gate', from: '1.121.0', to: '1.156.0' }, 2],
  ])('has modes: %s', async (_, inputs, code) => {
    const outcome = await runAction({ ...inputs, index: realIndexFile });
    expect(outcome.code, outcome.stderr).toBe(code);
    if (code !== 0) expect(outcome.outputs.safe).toBe('false');
  });

  it.each([
    ['1.156.0', 0],
    ['1.157.0', 1],
  ])('judges the pins of a change to %s', async (version, code) => {
    const tag = (to: string) => ({ 'values.yaml': `image:\n  tag: ${to}\n` });
    const { folder } = changeOf(tag('1.121.0'), tag(version));
    const inputs = { mode: 'pin-check', base: 'main', pin: 'values.yaml#image.tag\n', repo: folder };
    const outcome = await runAction({ ...inputs, index: realIndexFile }, gitEnv);
    expect(outcome.code, outcome.stderr).toBe(code);
    expect(outcome.outputs).toMatchObject({ safe: String(code === 0), 'exit-code': String(code) });
    expect(outcome.stdout).toMatch(/^::(notice|error) file=values\.yaml,line=2,title=image\.tag::/);
  });

  it('fails where its outputs cannot be written', async () => {
    const inputs = { from: '1.121.0', to: '1.156.0', index: realIndexFile };
    expect(await runAction(inputs, { GITHUB_OUTPUT: '/no/such/folder/output' })).toMatchObject({ code: 3 });
  });
});
