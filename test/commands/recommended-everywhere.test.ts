import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { factsText } from '../../src/instance/facts/read-facts.js';
import { runCli } from '../support/cli.js';
import { propertyRuns } from '../support/property-runs.js';
import { indexOf, realIndex, realIndexFile } from '../support/real-index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = temporaryFolder();
const { entries } = realIndex();
const first = entries.findIndex(({ version }) => version === '2.60.0');
/** How many releases lie at most between the running one and the newest. */
const furthestBack = 200;

/** The real index as it was at a moment, of its newest releases alone: no release of these tests is older. */
function indexAt(moment: Date): string {
  const released = entries
    .filter(({ releaseDate }) => Date.parse(releaseDate) <= moment.getTime())
    .slice(-2 * furthestBack);
  const file = join(folder, 'index.json');
  const published = { ...indexOf(...released), generatedAt: moment.toISOString() };
  writeFileSync(file, JSON.stringify({ ...published, backfillFloorVersion: '0.1893.0' }));
  return file;
}

const named = ['upgrade-check', 'upgrade-plan', 'upgrade-preflight', 'upgrade-report'];
const commands = [...named, 'upgrade-bump', 'index datasource'];

const facts = join(folder, 'facts.json');

/** What each command takes `recommended` for, of what it prints. */
async function targets(from: string, index: string, now: Date): Promise<Record<string, string>> {
  const pin = join(folder, 'values.yaml');
  writeFileSync(pin, `image: {tag: ${from}}\n`);
  writeFileSync(facts, factsText({ schemaVersion: '1', collectedAt: now.toISOString(), facts: {} }));
  const ask = async (...argv: readonly string[]) => {
    const form = argv[0] === 'index' ? [] : ['--json'];
    const line = [...argv, '--to', 'recommended', '--index', index, ...form];
    const { stdout, stderr } = await runCli(line, { now });
    const { toVersion, error } = JSON.parse(stdout);
    const why = stderr.split('\n').find((line) => /^Target: recommended|no release newer/.test(line)) ?? '';
    return { to: `${toVersion ?? error?.code}`, why: why.replace('lightspan: ', '').replace(/\.$/, '') };
  };
  const spans = commands.map(async (command) => {
    const where = command === 'upgrade-bump' ? ['--file', `${pin}#image.tag`, '--check'] : ['--from', from];
    const more = /report|preflight/.test(command) ? ['--artifact-url', 'fixtures/mirror'] : [];
    if (command === 'upgrade-preflight') more.push('--facts', facts);
    const { to, why } = await ask(...command.split(' '), ...where, ...more);
    return { command, to, why };
  });
  const answers = await Promise.all(spans);
  return Object.fromEntries(
    // A bump goes as far as one hop leads, and Renovate is told all: what they are on the way to stands beside.
    answers.map(({ command, to, why }) => [command, named.includes(command) ? `${to} ${why}` : why]),
  );
}

it('--to recommended is the same release in every command, at moments and from releases by chance', async () => {
  const span = fc.tuple(
    fc.integer({ min: first, max: entries.length - 1 }),
    fc.integer({ min: 0, max: 240 }),
    fc.integer({ min: 1, max: furthestBack }),
  );
  await fc.assert(
    fc.asyncProperty(span, async ([at, hours, back]) => {
      const moment = new Date(Date.parse(entries[at]?.releaseDate ?? '') + hours * 3_600_000);
      const from = entries[Math.max(0, at - back)]?.version ?? '';
      const answers = await targets(from, indexAt(moment), moment);
      const whys = Object.values(answers).map((text) => text.replace(/^\S+ (?=Target|no release)/, ''));
      expect(new Set(whys), JSON.stringify(answers)).toEqual(new Set([whys[0]]));
      const found = named.map((command) => answers[command]?.split(' ')[0]);
      expect(new Set(found).size, JSON.stringify(answers)).toBe(1);
      expect(whys[0]).toMatch(found[0] === 'nothing-recommended' ? /^no release newer/ : `; ${found[0]} is `);
    }),
    { numRuns: propertyRuns(300) },
  );
});

it('a start that is no release is named as such where nothing is recommended', async () => {
  const argv = ['plan', '--from', '1.150.2', '--to', 'recommended', '--index', realIndexFile];
  const { code, stderr } = await runCli(argv, { now: new Date('2026-09-20') });
  expect(code).toBe(1);
  expect(stderr).toContain('lightspan: 1.150.2 is not a release; nearest: 1.150.1, 1.151.0\n');
  expect(stderr).not.toContain('is recommended today');
});
