import { describe, expect, it } from 'vitest';
import { allTopics } from '../../src/commands/explain/topics.js';
import { exitCodeOfError } from '../../src/exit-codes.js';
import { mergeQueryErrorKinds } from '../../src/merge-query/merge-error.js';
import { runCli } from '../support/cli.js';
import { indexOf, realIndexFile } from '../support/real-index.js';

const topics = allTopics();
const words = [...new Set(topics.map(({ word }) => word))];

describe('lightspan explain', () => {
  it('lists every word, in its group', async () => {
    const { code, stdout, stderr } = await runCli(['explain']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const word of words) expect(stdout).toMatch(new RegExp(`^ {2}${word} +\\S`, 'm'));
    for (const { group } of topics) expect(stdout).toContain(`${group}:\n`);
  });

  it.each(words)('%s', async (word) => {
    const { code, stdout, stderr } = await runCli(['explain', word]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const meanings = topics.filter((topic) => topic.word === word);
    for (const { group, meaning } of meanings) expect(stdout).toContain(`${word} (${group})\n  ${meaning}\n`);
  });

  it.each([
    ['1', 'rule-1'],
    ['rule-7', 'rule-7'],
    ['Rule 3', 'rule-3'],
    ['span rule 5', 'rule-5'],
    ['Required-Stop', 'required-stop'],
  ])('takes %j for %s', async (asked, word) => {
    expect((await runCli(['explain', asked])).stdout).toMatch(new RegExp(`^${word} \\(`));
  });

  it.each([
    ['required-stops', /did you mean `required-stop`/],
    ['rule-8', /did you mean `rule-/],
    ['8', /nothing to explain under/],
    ['', /nothing to explain under/],
    ['\u001b[31m', /nothing to explain under/],
    ['constructor', /nothing to explain under/],
  ])('%j is a usage error', async (asked, message) => {
    const { code, stdout, stderr } = await runCli(['explain', asked]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('\u001b');
  });

  it('says the rule, the exit code and what to do, where there is one', async () => {
    expect((await runCli(['explain', 'unknown-release'])).stdout).toMatch(
      /\n {2}Span rule 1: .*\n {2}To do: /,
    );
    expect((await runCli(['explain', 'untrusted-mirror'])).stdout).toMatch(/\n {2}Exit code: 4\n {2}To do: /);
  });

  it('takes several words, in their order', async () => {
    const { stdout } = await runCli(['explain', 'unsafe-release', 'rule-1']);
    expect(stdout).toMatch(/^unsafe-release [\s\S]*\n\nrule-1 /);
  });

  it('--json writes the same as one line', async () => {
    const { code, stdout } = await runCli(['explain', 'required-stop', '--json']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^[^\n]+\n$/);
    const { schemaVersion, words } = JSON.parse(stdout);
    expect(schemaVersion).toBe('1');
    expect(words.map(({ group }: { group: string }) => group)).toEqual([
      'Reasons of a span, and what blocks a route',
      'Landings of a route',
    ]);
    expect(words[0]).toMatchObject({ word: 'required-stop', rule: 3, exitCode: null });
  });
});

describe('an answer that is no, or a plan with a downtime, points here', () => {
  const real = ['--index', realIndexFile];
  const span = ['--from', '1.111.0', '--to', '1.115.0', ...real];
  const planned = ['upgrade-plan', ...span];
  const bump = ['upgrade-bump', '--file', 'package.json#version', ...real];
  const gap = JSON.stringify(indexOf({ version: '1.0.0' }, { version: '1.2.0', previousVersion: '1.1.0' }));
  const nobody = ['--instance', 'https://127.0.0.1:1', '--version', '1.2.3', '--window', '1s'];

  it.each<[argv: string[], words: string]>([
    [['upgrade-check', ...span], 'unsafe-release unknown-release'],
    [planned, 'unsafe-release unknown-release'],
    [['upgrade-plan', '--from', '1.111.0', '--to', 'latest-rolling', ...real], 'unsafe-release'],
    [
      ['upgrade-plan', '--from', '0.1892.0', '--to', '0.3462.0', ...real],
      'below-index-floor unknown-release index-floor unsafe-release minimum-previous-version',
    ],
    [['upgrade-plan', '--from', '2.134.0', '--to', '9.9.9', ...real], 'missing-coverage'],
    [['upgrade-report', ...span, '--offline', '--no-cache'], 'unsafe unknown-backfilled'],
    [
      ['upgrade-report', '--from', '1.121.0', '--to', '1.122.0', ...real, '--offline', '--no-cache'],
      'not-borne-out unavailable-artifact',
    ],
    [['upgrade-report', '--from', '1.111.0', '--to', 'latest-rolling', ...real], 'unsafe-release'],
    [bump, 'missing-coverage'],
    [['upgrade-verify', ...nobody, '--polls', '1'], 'unreachable'],
    [['index', 'verify', '--index', '-'], 'gap floor-not-marked'],
  ])('%j: %s', async (argv, expected) => {
    const { code, stdout, stderr } = await runCli(argv, { stdin: gap });
    expect(code).toBe(argv === planned ? 0 : 1);
    const [, shown = ''] = /^Why: lightspan explain (.+)$/m.exec(`${stdout}\n${stderr}`) ?? [];
    expect(shown).toBe(expected);
    expect((await runCli(['explain', ...shown.split(' ')])).code).toBe(0);
  });

  it.each([
    ['upgrade-check', '--format', 'junit'],
    ['upgrade-check', '--format', 'markdown'],
    ['upgrade-check', '--json'],
    ['upgrade-plan', '--format', 'junit'],
    ['upgrade-plan', '--format', 'markdown'],
    ['upgrade-plan', '--json'],
    ['upgrade-report', '--format', 'markdown', '--offline', '--no-cache'],
    ['upgrade-report', '--format', 'html', '--offline', '--no-cache'],
    ['upgrade-report', '--json', '--offline', '--no-cache'],
  ])('%s %s %s: not in what a program reads, or a page', async (...argv) => {
    const { code, stdout } = await runCli([...argv, ...span]);
    expect(code).toBe(argv[0] === 'upgrade-plan' ? 0 : 1);
    expect(stdout).not.toBe('');
    expect(stdout).not.toContain('lightspan explain');
  });

  it('a yes does not', async () => {
    for (const command of ['upgrade-check', 'upgrade-plan']) {
      const { code, stdout } = await runCli([command, '--from', '1.121.0', '--to', '1.156.0', ...real]);
      expect({ code, points: stdout.includes('Why: ') }).toEqual({ code: 0, points: false });
    }
  });
});

describe('what is explained', () => {
  it('holds the seven span rules and the 17 kinds of merge error', () => {
    for (const rule of [1, 2, 3, 4, 5, 6, 7]) expect(words).toContain(`rule-${rule}`);
    expect(mergeQueryErrorKinds).toHaveLength(17);
    expect(words).toEqual(expect.arrayContaining([...mergeQueryErrorKinds]));
  });

  it('gives an error code the exit code that the program has for it', () => {
    for (const code of ['usage', 'network', 'invalid-index'] as const) {
      const [topic] = topics.filter(({ word, group }) => word === code && group === 'Error codes');
      expect(topic?.exitCode).toBe(exitCodeOfError(code));
    }
  });

  it.each(topics)('$group: $word is said in sentences', ({ meaning, toDo }) => {
    expect(meaning).toMatch(/^[A-Z].*\.$/s);
    if (toDo !== undefined) expect(toDo).toMatch(/\.$/);
  });
});
