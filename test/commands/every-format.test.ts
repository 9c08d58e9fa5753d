import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { builtInKnownIssues } from '../../src/known-issues/built-in.js';
import { formatKnownIssues } from '../../src/known-issues/join-records.js';
import type { KnownIssue } from '../../src/known-issues/records.js';
import { compareVersions } from '../../src/library/library.js';
import { type CliWorld, runCli } from '../support/cli.js';
import { someFacts, someRecords } from '../support/known-issues.js';
import { smallIndex } from '../support/naive-routes.js';
import { healthyFacts, writeSituation } from '../support/preflight.js';
import { countedRuns, propertyRuns } from '../support/property-runs.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** What one form of an answer says, all do: a reader has but one of them before him. */

const folder = temporaryFolder();
const files = ['index.json', 'issues.json', 'summary.md', 'before.yaml', 'after.yaml'];
const [index = '', issues = '', summary = '', before = '', after = ''] = files.map((at) => join(folder, at));

const gate = ['text', 'json', 'junit', 'markdown', 'github'];
const commands: readonly (readonly [argv: string, formats: readonly string[]])[] = [
  ['upgrade-check', gate],
  ['upgrade-plan', gate],
  ['upgrade-plan --require-rolling', gate],
  [`upgrade-plan --prefer least-downtime --artifact-url ${folder}`, gate],
  ['upgrade-plan --deploy compose', gate.filter((format) => format !== 'junit')],
  [`upgrade-report --artifact-url ${folder}`, ['text', 'json', 'markdown', 'html']],
];

/** What a reader of that format gets; of `github` the summary of the step. */
async function answerOf(argv: readonly string[], format: string, world: Pick<CliWorld, 'now'> = {}) {
  rmSync(summary, { force: true });
  const { code, stdout, stderr } = await runCli([...argv, '--format', format], {
    ...world,
    env: { GITHUB_STEP_SUMMARY: summary },
  });
  const text = format === 'github' && existsSync(summary) ? readFileSync(summary, 'utf8') : stdout;
  return { code, text, stderr };
}

/** The exit code, and the known issues that are named; of a check those of its span, not of the way around it. */
async function told(argv: readonly string[], format: string): Promise<string> {
  const { code, text: whole, stderr } = await answerOf(argv, format);
  const isCheck = argv[0] === 'upgrade-check';
  const text = isCheck ? whole.replace(/\*\*Route\*\*\n\n(\|.*\n)+|^.{0,2}Next:.*/gm, '') : whole;
  // The nine keys have no place for them.
  const beside = isCheck && format === 'json' ? stderr : '';
  return `${code} ${[...new Set(`${text}${beside}`.match(/\bissue-\d/g))].sort()}`;
}

const version = fc.integer({ min: 0, max: 11 }).map((n) => `1.0.${n}`);
const records = someRecords(version, compareVersions);
type Asked = ReturnType<typeof smallIndex> extends fc.Arbitrary<infer Small> ? Small : never;

/** Writes an index, and what is known against its releases: the options that ask about them. */
function optionsOf({ index: { knownIssues: _, ...published }, from, to }: Asked, known: unknown): string[] {
  writeFileSync(index, JSON.stringify(published));
  writeFileSync(issues, JSON.stringify({ schemaVersion: '1', records: known }));
  return ['--from', from, '--to', to, '--index', index, '--known-issues', issues];
}

it.each(commands)(
  '%s names the same known issues in %j',
  async (command, formats) => {
    const verdict = fc.constantFrom(true, true, true, false, 'unknown' as const);
    await fc.assert(
      fc.asyncProperty(smallIndex(verdict), records, someFacts, async (asked, known, facts) => {
        const argv = [
          ...command.split(' '),
          ...optionsOf(asked, known),
          ...Object.entries(facts).flatMap(([name, value]) => ['--fact', `${name}=${value}`]),
        ];
        const all: string[] = [];
        for (const format of formats) all.push(await told(argv, format));
        expect(all).toEqual(all.map(() => all[0]));
      }),
      { numRuns: propertyRuns(30) },
    );
  },
  60_000,
);

it('what is next is the first hop of the plan', async () => {
  const verdict = fc.constantFrom(true, true, false);
  let seen = 0;
  await fc.assert(
    fc.asyncProperty(smallIndex(verdict), records, async (asked, known) => {
      const argv = optionsOf(asked, known);
      for (const [i, file] of [before, after].entries())
        writeFileSync(file, `image: {tag: ${argv[2 * i + 1]}}`);
      const pins = ['pin-check', '--before', before, '--after', after, ...argv.slice(4)];
      const told: unknown[] = [];
      for (const asking of [['upgrade-check', ...argv], pins]) {
        const { text } = await answerOf(asking, 'text');
        told.push(/Next: upgrade to (\S+?),? (?!or a later|in one step)/.exec(text)?.[1]);
      }
      if (told.every((next) => next === undefined)) return;
      const { hops } = JSON.parse((await answerOf(['upgrade-plan', ...argv], 'json')).text);
      if (hops.length === 0) return;
      expect(told).toEqual([hops[0].toVersion, hops[0].toVersion]);
      seen++;
    }),
    countedRuns(300),
  );
  // Some forty of them, thirty to fifty: twenty were there once in hundreds of runs.
  expect(seen).toBeGreaterThan(propertyRuns(10));
});

/** What is handed on without what stands on standard error beside it. */
const documents: readonly (readonly [argv: string, format: string])[] = [
  ...['upgrade-check', 'upgrade-plan', `upgrade-preflight --facts ${join(folder, 'facts.json')}`].flatMap(
    (command) => ['junit', 'markdown', 'github'].map((format) => [command, format] as const),
  ),
  ...['text', 'markdown', 'html', 'json'].map((format) => ['upgrade-report', format] as const),
  // upgrade-check and upgrade-bump have nine keys, and no other.
  ['upgrade-plan', 'json'],
  [`upgrade-preflight --facts ${join(folder, 'facts.json')}`, 'json'],
];

/** The command to copy names what was asked; it may go on over lines that are indented. */
const withoutNext = (text: string) => text.replace(/^(?:\*\*)?Next:(?:\*\*)? .*(?:\n +.*)*$/m, '');

it.each(documents)('%s as %s says what was left out', async (command, format) => {
  await writeSituation(folder, { facts: healthyFacts('20260801000000_old') });
  const argv = [...command.split(' '), '--from', '2.0.0', '--to', '2.1.0', '--index', folder];
  const accepted = await answerOf([...argv, '--accept', 'start-check-refuses-skips'], format);
  expect(accepted.text).toContain('start-check-refuses-skips');
  const ofPublisher = await answerOf([...argv, '--publisher-only'], format);
  const ofBoth = await answerOf(
    [...argv, '--accept', 'start-check-refuses-skips', '--publisher-only'],
    format,
  );
  expect(withoutNext(ofBoth.text)).not.toContain('start-check-refuses-skips');
  expect(ofPublisher.text).toMatch(
    /known issues are left out|only the publisher counts|"publisherOnly":true/,
  );
});

const gates = ['upgrade-check', 'upgrade-plan', `upgrade-preflight --facts ${join(folder, 'facts.json')}`];
const answers: readonly (readonly [argv: string, format: string])[] = [
  ...documents,
  ...gates.map((command) => [command, 'text'] as const),
  ['upgrade-check', 'json'],
];

it.each(answers)('%s as %s says which built-in known issue a source replaces', async (command, format) => {
  await writeSituation(folder, { facts: healthyFacts('20260801000000_old') });
  const [one, other] = builtInKnownIssues.records as [KnownIssue, KnownIssue];
  const modified = '2026-12-01T00:00:00Z';
  const replacing = [
    { ...one, modified, withdrawn: modified },
    { ...other, modified },
  ];
  writeFileSync(issues, formatKnownIssues(replacing));
  const argv = [...command.split(' '), '--from', '2.0.0', '--to', '2.1.0', '--index', folder];
  const given = [...argv, '--known-issues', issues];
  const world = { now: new Date(modified) };
  const { text, stderr } = await answerOf(given, format, world);
  expect(stderr).toContain(`Replaced: ${issues} withdraws the built-in known issue ${one.id}.\n`);
  expect(stderr).toContain(
    `Replaced: the known issue ${other.id} of ${issues} counts, not the older built-in one`,
  );
  if (format !== 'text' && command + format !== 'upgrade-checkjson') {
    for (const name of [one.id, other.id, issues]) expect(text).toContain(name);
  }
  const accepted = await answerOf([...given, '--accept', one.id, '--accept', other.id], format, world);
  expect(`${withoutNext(accepted.text)}${accepted.stderr}`).not.toContain(issues);
});
