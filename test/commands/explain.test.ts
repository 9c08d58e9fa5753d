import { describe, expect, it } from 'vitest';
import { topics, wordKinds } from '../../src/commands/explain.js';
import { exitCodeOfError } from '../../src/door/exit-codes.js';
import { builtInKnownIssues } from '../../src/known-issues/built-in.js';
import { nineKeys, runCli } from '../support/cli.js';
import { indexOf, realIndexFile } from '../support/real-index.js';
import { contradicting, writeReportMirror } from '../support/report-mirror.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const disputed = temporaryFolder();
await writeReportMirror(disputed, contradicting);

const words = [...new Set(topics.map(({ word }) => word))];

describe('lightspan explain', () => {
  it('lists the kinds of words on one screen, with how many words each has', async () => {
    const { code, stdout, stderr } = await runCli(['explain'], { columns: 80 });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n').length).toBeLessThanOrEqual(40);
    const counts = [...stdout.matchAll(/^ {2}(\S+) \((\d+)\): (.*)$/gm)].map(([, ...parts]) => parts);
    expect(counts.map(([name, , title]) => [name, title])).toEqual(Object.entries(wordKinds));
    expect(counts.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(topics.length);
  });

  it.each(Object.entries(wordKinds))('%s lists its words, and nothing else', async (kind, title) => {
    const { code, stdout, stderr } = await runCli(['explain', kind]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^${title}:\n`));
    const listed = topics.filter(({ group }) => group === title).map(({ word }) => word);
    expect([...stdout.matchAll(/^ {2}(\S+): /gm)].map(([, word]) => word)).toEqual(listed);
    const { words } = JSON.parse((await runCli(['explain', kind, '--json'])).stdout);
    expect(words.map(({ word }: { word: string }) => word)).toEqual(listed);
  });

  it('has no kind with the name of a word', () => {
    expect(words.filter((word) => Object.hasOwn(wordKinds, word))).toEqual([]);
  });

  it.each(words)('%s', async (word) => {
    const { code, stdout, stderr } = await runCli(['explain', word]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const meanings = topics.filter((topic) => topic.word === word);
    for (const { group, meaning } of meanings) expect(stdout).toContain(`${word} (${group})\n  ${meaning}\n`);
  });

  it.each(builtInKnownIssues.records)('$id, and what to do about it', async ({ id, remedy }) => {
    expect((await runCli(['explain', id])).stdout).toContain(`\n  To do: ${remedy}\n`);
  });

  it.each([
    ['1', 'rule-1'],
    ['rule-7', 'rule-7'],
    ['Rule 3', 'rule-3'],
    ['span rule 5', 'rule-5'],
    ['Required-Stop', 'required-stop'],
  ])('takes %j for %s', async (asked, word) => {
    expect((await runCli(['explain', asked])).stdout).toMatch(new RegExp(`^${word} \\(`, 'm'));
  });

  it.each([
    ['required-stoop', /did you mean `required-stop`/],
    ['rule-8', /did you mean `rule-/],
    ['8', /nothing to explain for/],
    ['', /nothing to explain for/],
    ['\u001b[31m', /nothing to explain for/],
    ['constructor', /nothing to explain for/],
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

  const asPrinted = `SAFE = safe; UNSAFE = unsafe; Verdict: = verdict; RollingUpdate = rolling-update
    Direct upgrade = direct-upgrade; hops = hop; requiredStops = required-stop; UNPROVEN = certified
    unknown, backfilled = unknown-backfilled; not confirmed = not-borne-out; exit code 3 = exit-3
    fromVersion = from; toVersion = to; jump = direct-upgrade; rolling = rolling-update; floor = index-floor
    coveredVersions = covered-release; minPreviousVersion = minimum-previous-version
    way back = going-back; rollback = going-back`;
  it.each(asPrinted.split(/[;\n]/).map((row) => row.trim().split(' = ') as [string, string]))(
    'takes %j, in one argument and in several, for %s',
    async (printed, word) => {
      const whole = await runCli(['explain', printed]);
      expect(whole).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(new RegExp(`^${word} \\(`, 'm')),
      });
      expect(await runCli(['explain', ...printed.split(' ')])).toEqual(whole);
    },
  );
});

const gap = JSON.stringify(indexOf({ version: '1.0.0' }, { version: '1.2.0', previousVersion: '1.1.0' }));
const real = ['--index', realIndexFile];

describe('an answer that is no, or a plan with a downtime, points here', () => {
  const span = ['--from', '1.111.0', '--to', '1.115.0', ...real];
  const planned = ['upgrade-plan', ...span];
  const bump = ['upgrade-bump', '--file', 'package.json#version', '--to', 'latest-rolling', ...real];
  const nobody = ['--instance', 'https://127.0.0.1:1', '--version', '1.2.3', '--window', '0s'];

  it.each<[argv: string[], words: string]>([
    [['upgrade-check', ...span], 'unsafe-release unknown-release'],
    [planned, 'unsafe-release unknown-release'],
    [['upgrade-plan', '--from', '1.111.0', '--to', 'latest-rolling', ...real], 'unsafe-release'],
    [
      ['upgrade-plan', '--from', '0.1892.0', '--to', '0.3462.0', ...real],
      'below-index-floor unknown-release index-floor known-issue unsafe-release minimum-previous-version',
    ],
    [['upgrade-plan', '--from', '2.134.0', '--to', '9.9.9', ...real], 'missing-coverage'],
    [['upgrade-report', ...span, '--offline', '--no-cache'], 'unsafe unknown-backfilled'],
    [['upgrade-report', '--from', '1.121.0', '--to', '1.122.0', '--index', disputed], 'unsafe field-differs'],
    [['upgrade-report', '--from', '1.111.0', '--to', 'latest-rolling', ...real], 'unsafe-release'],
    [bump, 'below-index-floor'],
    [['upgrade-verify', ...nobody], 'unreachable'],
    [['index', 'verify', '--index', '-'], 'gap floor-not-marked'],
  ])('%j: %s', async (argv, expected) => {
    const { code, stdout, stderr } = await runCli(argv, { stdin: gap });
    expect(code).toBe(argv === planned ? 0 : 1);
    const [, shown = ''] = /^Why: lightspan explain (.+)$/m.exec(`${stdout}\n${stderr}`) ?? [];
    expect(shown).toBe(expected);
    expect((await runCli(['explain', ...shown.split(' ')])).code).toBe(0);
  });
});

describe('every word that an answer prints is explained', async () => {
  const disagreeing = ['--index', disputed, '--verify-artifacts'];
  const stops = indexOf(
    { version: '1.0.0' },
    { version: '1.1.0', requiredStops: ['1.1.0'] },
    { version: '1.2.0' },
  );
  const outputs = await Promise.all(
    (
      [
        [['upgrade-check', '--from', '1.121.0', '--to', '1.156.0', ...real]],
        [['upgrade-check', '--from', '1.111.0', '--to', '1.115.0', ...real], { columns: 80 }],
        [['upgrade-check', '--from', '1.121.0', '--to', '1.121.0', ...real]],
        [['upgrade-check', '--from', '0.1.0', '--to', '9.9.9', ...real], { columns: 80 }],
        [['upgrade-check', '--from', '1.0.0', '--to', '1.2.0', '--index', '-'], { stdin: gap, columns: 80 }],
        [
          ['upgrade-check', '--from', '1.0.0', '--to', '1.2.0', '--index', '-'],
          { stdin: JSON.stringify(stops) },
        ],
        [['upgrade-check', '--from', '1.121.0', '--to', '1.122.0', ...disagreeing]],
        [['upgrade-plan', '--from', '0.1050.0', ...real, '--verbose'], { columns: 40 }],
        [['upgrade-plan', '--from-file', 'package.json#version', '--to', 'latest-rolling', ...real]],
        [['upgrade-plan', '--from', '2.134.0', '--to', '9.9.9', ...real]],
        [['upgrade-report', '--from', '1.111.0', '--to', '1.115.0', ...real, '--offline', '--no-cache']],
      ] as const
    ).map(async ([argv, world = {}]) => (await runCli([...argv, '--no-color'], world)).stdout),
  );

  /** What names an answer, and what points on from it. */
  const noWords = ['Release safety check', 'Upgrade plan', 'Upgrade report', 'Why', 'Next', 'Made', 'Hop'];
  const labels = outputs.flatMap((text) => [
    // `Direct upgrade: yes`, `HOP: 1`, `REST API: …`
    ...[...text.matchAll(/^ *((?:[A-Z][A-Za-z-]*)(?: [a-zA-Z-]+){0,3})(?: \d+)?: /gm)].map(
      ([, label = '']) => label,
    ),
    // `HOP  FROM  TO`
    ...[...text.matchAll(/^[A-Z]+(?: {2,}[A-Z ]+)+$/gm)].flatMap(([header]) => header.split(/ {2,}/)),
  ]);
  const values = outputs.flatMap((text) => [
    ...[...text.matchAll(/^(?:Direction|Verdict|Direct upgrade|Rolling update): ([\w-]+)/gm)].map(
      ([, value = '']) => value,
    ),
    ...[
      ...text.matchAll(/\b(?:strategy|span rule) [\w-]+|UNPROVEN|\b(?:Recreate|RollingUpdate|hops?)\b/g),
    ].map(([value]) => value.replace(/^strategy /, '')),
    // The key of the strip.
    ...[...text.matchAll(/[.?#^x] \d+ ([a-z]+(?: [a-z]+)*)/g)].map(([, value = '']) => value),
  ]);
  const printed = [...new Set([...labels, ...values, ...nineKeys])].filter((word) => !noWords.includes(word));

  it('of which there are many', () => {
    const some = 'Verdict,SAFE,UNSAFE,Recreate,hops,Direct upgrade,Complete route,same-version';
    const others = 'Artifact disagreements,Required stops,UNPROVEN';
    expect(printed).toEqual(expect.arrayContaining(`${some},${others}`.split(',')));
  });

  it.each(printed)('%s', async (word) => {
    expect(await runCli(['explain', word])).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('what is explained', () => {
  it('gives an error code the exit code that the program has for it', () => {
    for (const [code, exitCode] of [
      ['usage', 2],
      ['network', 3],
      ['invalid-index', 4],
    ] as const) {
      const [topic] = topics.filter(({ word, group }) => word === code && group === 'Error codes');
      expect([topic?.exitCode, exitCodeOfError(code)]).toEqual([exitCode, exitCode]);
    }
  });

  it.each(topics)('$group: $word is said in sentences', ({ meaning, remedy }) => {
    expect(meaning).toMatch(/^[A-Z].*\.$/s);
    if (remedy !== undefined) expect(remedy).toMatch(/\.$/);
  });
});

describe('the words over the parts of an answer', () => {
  it.each([
    ['recommended', 'accepted', 'with downtime', 'Forecast', 'Facts', 'Settings', 'readyz'],
    builtInKnownIssues.notes.map(({ id }) => id),
  ])('%s and the others are explained', async (...named) => {
    expect(named.length).toBeGreaterThan(0);
    for (const word of named) {
      const { code, stdout, stderr } = await runCli(['explain', word]);
      expect(code, stderr).toBe(0);
      expect(stdout.toLowerCase()).toContain(word.toLowerCase().replace(' ', '-'));
    }
  });
});
