import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { evaluateSpan, withKnownIssues } from '../src/library/library.js';
import { runCli } from './support/cli.js';
import { declaredCommands } from './support/declarations.js';
import { indexOf, realIndex, realIndexText } from './support/real-index.js';

const page = readFileSync('docs/jq.md', 'utf8');
const [, program = ''] = /jq -ne [^']*'\n([\s\S]*?)\n'/.exec(page) ?? [];

/** The examples of the help that pass an answer on to jq. */
const piped = (await declaredCommands())
  .flatMap(({ usage }) => usage?.examples ?? [])
  .flatMap((line) => [...line.matchAll(/\| jq '([^']+)'$/g)].map(([, program = '']) => ({ line, program })));

/** The recipes: a command line of lightspan, what jq is asked, and what both together print. */
const recipes = [...page.matchAll(/^\$ lightspan (.+ --json) \| jq (-\w+) ('[^']+'|\S+)\n([^`]+)```$/gm)].map(
  ([, line = '', flags = '', asked = '', output = '']) => ({ line, flags, asked, output }),
);

describe('a recipe for jq', () => {
  it.each(recipes)('of $line: $asked', async ({ line, flags, asked, output }) => {
    const { stdout: input } = await runCli(line.split(' '));
    const { stdout } = spawnSync('jq', [flags, asked.replace(/^'(.*)'$/, '$1')], { input, encoding: 'utf8' });
    expect(stdout).toBe(output);
  });

  it('is every block with output', () => {
    expect(recipes.length).toBeGreaterThanOrEqual(9);
    expect(page.match(/^```console$/gm)).toHaveLength(recipes.length);
  });

  it('stands before what takes the place of lightspan', () => {
    expect(page.match(/^## .*$/gm)).toEqual(['## Without lightspan']);
  });
});

function askJq(text: string, from: string, to: string): string {
  const argv = ['-ne', '--arg', 'from', from, '--arg', 'to', to, program];
  const { status, stdout } = spawnSync('jq', argv, { input: text, encoding: 'utf8' });
  const answers: Readonly<Record<string, string>> = { '0 true\n': 'yes', '1 false\n': 'no' };
  return (
    answers[`${status} ${stdout}`] ?? (status !== 0 && status !== 1 && stdout === '' ? 'error' : 'nonsense')
  );
}

describe('the documented jq program', () => {
  const versions = realIndex().entries.map(({ version }) => version);
  const newest = versions.length - 1;
  // Neighbours, and spans of every size across the whole index.
  const spans = Array.from({ length: 12 }, (_, i) => Math.floor((newest * i) / 12)).flatMap((at) =>
    [1, 3, 60].map((size) => ({ from: versions[at] ?? '', to: versions[Math.min(at + size, newest)] ?? '' })),
  );

  it.each([...spans, { from: '1.121.0', to: '1.156.0' }, { from: '1.111.0', to: '1.115.0' }])(
    'agrees on $from -> $to',
    ({ from, to }) => {
      const { safe } = evaluateSpan(realIndex(), { from, to });
      expect(askJq(realIndexText, from, to)).toBe(safe ? 'yes' : 'no');
    },
  );

  it('knows of no known issue, as its page says', () => {
    const [, from = '', to = ''] = /such as\s+([\d.]+)\s+to\s+([\d.]+),\s+it\s+says `true`/.exec(page) ?? [];
    expect(askJq(realIndexText, from, to)).toBe('yes');
    expect(evaluateSpan(withKnownIssues(realIndex()), { from, to }).safe).toBe(false);
  });

  it.each([
    ['from is not in the index', '1.121.99', '1.156.0'],
    ['to is not in the index', '1.121.0', '9.9.9'],
    ['below the floor', '0.1.0', '1.156.0'],
    ['a step back', '1.156.0', '1.121.0'],
  ])('ends in an error where %s', (_, from, to) => {
    expect(askJq(realIndexText, from, to)).toBe('error');
  });

  const [first, second] = [{ version: '1.0.0' }, { version: '1.1.0' }];
  it.each([
    ['a stop', { version: '1.2.0', requiredStops: ['1.1.0'] }],
    ['a minimum', { version: '1.2.0', minPreviousVersion: '1.1.0' }],
    ['a gap', { version: '1.2.0', previousVersion: '1.1.5' }],
    ['an unknown', { version: '1.2.0', rollingUpdateSafe: 'unknown' }],
    ['a backfilled release', { version: '1.2.0', backfilled: true }],
    ['a marked stop', { version: '1.2.0', syntheticRequiredStop: true }],
    ['the word true', { version: '1.2.0', rollingUpdateSafe: 'true' }],
  ])('says no to %s', (_, release) => {
    expect(askJq(JSON.stringify(indexOf(first, second, release)), '1.0.0', '1.2.0')).toBe('no');
    expect(askJq(JSON.stringify(indexOf(first, second, { version: '1.2.0' })), '1.0.0', '1.2.0')).toBe('yes');
  });

  it.each([
    ['garbage', '\ngarbage'],
    ['a brace', '}'],
    ['the same again', realIndexText],
    ['another document', '\n{}'],
    ['a document that is cut off', '\n{"entries": ['],
  ])('ends in an error on an index followed by %s', (_, rest) => {
    expect(askJq(`${realIndexText}${rest}`, '1.121.0', '1.156.0')).toBe('error');
  });

  it.each(piped)('of $line makes no answer of a failure', ({ program }) => {
    const input = '{"safe":false,"error":{"code":"timeout","message":"no answer"}}\n';
    const { status, stdout } = spawnSync('jq', [program], { input, encoding: 'utf8' });
    expect({ failed: status !== 0, stdout }).toEqual({ failed: true, stdout: '' });
  });

  it.each(['', '{}', '[]', 'null', '<html>'])('ends in an error on %j', (text) => {
    expect(askJq(text, '1.121.0', '1.156.0')).toBe('error');
  });
});
