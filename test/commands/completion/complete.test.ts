import { expect, it } from 'vitest';
import { runCli } from '../../support/cli.js';

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
  ['an option after a value that is a command', ['upgrade-check', '--to', 'merge', '--'], '--from'],
  ['an option after a value that was left out', ['merge', 'submit', '--wait', '--'], '--dry-run'],
])('offers %s', async (_, words, first) => {
  expect(await candidates(...words)).toContain(first);
});

it.each<readonly [what: string, words: readonly string[], expected: readonly string[]]>([
  ['files for the value of an option', ['upgrade-check', '--index', ''], [':file']],
  ['files for an operand', ['merge', 'validate', ''], [':file']],
  ['folders', ['index', 'mirror', '--out', ''], [':folder']],
  ['nothing for a version', ['upgrade-check', '--to', ''], []],
  ['nothing after the last operand', ['completion', 'bash', ''], []],
])('offers %s alone', async (_, words, expected) => {
  expect(await candidates(...words)).toEqual(expected);
});

it('describes what it offers', async () => {
  const { stdout } = await runCli(['__complete', 'upgrade-check', '--of']);
  expect(stdout).toMatch(/^--offline\t\S/m);
});
