import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { propertyRuns } from '../support/property-runs.js';
import { indexOf, realIndex } from '../support/real-index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = temporaryFolder();
const { entries } = realIndex();
const first = entries.findIndex(({ version }) => version === '2.60.0');

/** The real index as it was at a moment. */
function indexAt(moment: Date): string {
  const released = entries.filter(({ releaseDate }) => Date.parse(releaseDate) <= moment.getTime());
  const file = join(folder, 'index.json');
  const published = { ...indexOf(...released), generatedAt: moment.toISOString() };
  writeFileSync(file, JSON.stringify({ ...published, backfillFloorVersion: '0.1893.0' }));
  return file;
}

/** What each command takes `recommended` for, of what it prints. */
async function targets(from: string, index: string, now: Date): Promise<Record<string, string>> {
  const pin = join(folder, 'values.yaml');
  writeFileSync(pin, `image: {tag: ${from}}\n`);
  const ask = async (...argv: readonly string[]) => {
    const { stdout, stderr } = await runCli([...argv, '--to', 'recommended', '--index', index, '--json'], {
      now,
    });
    const { toVersion, error } = JSON.parse(stdout);
    const why = stderr.split('\n').find((line) => /^Target: recommended|no release newer/.test(line)) ?? '';
    return { to: `${toVersion ?? error?.code}`, why: why.replace('lightspan: ', '') };
  };
  const spans = ['upgrade-check', 'upgrade-plan', 'upgrade-report', 'upgrade-bump'].map(async (command) => {
    const where = command === 'upgrade-bump' ? ['--file', `${pin}#image.tag`, '--check'] : ['--from', from];
    const more = command === 'upgrade-report' ? ['--artifact-url', 'fixtures/mirror'] : [];
    const { to, why } = await ask(command, ...where, ...more);
    return { command, to, why };
  });
  const answers = await Promise.all(spans);
  return Object.fromEntries(
    // A bump goes as far as one hop leads: what it is on the way to stands beside.
    answers.map(({ command, to, why }) => [command, command === 'upgrade-bump' ? why : `${to} ${why}`]),
  );
}

describe('--to recommended', () => {
  it('is the same release in every command, at moments and from releases by chance', async () => {
    const span = fc.tuple(
      fc.integer({ min: first, max: entries.length - 1 }),
      fc.integer({ min: 0, max: 240 }),
      fc.integer({ min: 1, max: 200 }),
    );
    await fc.assert(
      fc.asyncProperty(span, async ([at, hours, back]) => {
        const moment = new Date(Date.parse(entries[at]?.releaseDate ?? '') + hours * 3_600_000);
        const from = entries[Math.max(0, at - back)]?.version ?? '';
        const answers = await targets(from, indexAt(moment), moment);
        const whys = Object.values(answers).map((text) => text.replace(/^\S+ (?=Target|no release)/, ''));
        expect(new Set(whys), JSON.stringify(answers)).toEqual(new Set([whys[0]]));
        const named = ['upgrade-check', 'upgrade-plan', 'upgrade-report'].map(
          (command) => answers[command]?.split(' ')[0],
        );
        expect(new Set(named).size, JSON.stringify(answers)).toBe(1);
        expect(whys[0]).toMatch(
          named[0] === 'nothing-recommended' ? /^no release newer/ : `; ${named[0]} is `,
        );
      }),
      { numRuns: propertyRuns(60) },
    );
  });

  const now = new Date('2026-09-06T18:00:00Z');
  const ages = (...hours: readonly number[]) =>
    hours.map((age, i) => ({
      version: `2.${i}.0`,
      releaseDate: new Date(now.getTime() - age * 3_600_000).toISOString(),
    }));
  const ask = async (line: string, rows = ages(300, 200, 103, 6)) => {
    const file = join(folder, 'small.json');
    writeFileSync(file, JSON.stringify({ ...indexOf(...rows), generatedAt: now.toISOString() }));
    return runCli([...line.split(' '), '--index', file], { now });
  };

  it('says why it is this one', async () => {
    expect(await ask('upgrade-check --from 2.0.0 --to recommended --json')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('"toVersion":"2.2.0"'),
      stderr: expect.stringContaining('Target: recommended; 2.2.0 is 4 days old; 2.3.0 is 6 hours old\n'),
    });
  });

  it('is no where nothing qualifies, with the first moment at which something will', async () => {
    expect(await ask('upgrade-plan --from 2.2.0 --to recommended')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        'no release newer than 2.2.0 is recommended today; 2.3.0 is 6 hours old; the first will be on 2026-09-10 12:00 UTC\n',
      ),
    });
  });

  it('leaves a pin where it is where nothing qualifies', async () => {
    const pin = join(folder, 'pinned.yaml');
    writeFileSync(pin, 'image: {tag: 2.2.0}\n');
    const { code, stderr } = await ask(`upgrade-bump --file ${pin}#image.tag --to recommended`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('no release newer') });
  });

  it('takes the age of --min-age, also for the newest that rolls', async () => {
    const young = '--to recommended --min-age 5h --json';
    expect((await ask(`upgrade-check --from 2.0.0 ${young}`)).stdout).toContain('"toVersion":"2.3.0"');
    const rolling = '--to latest-rolling --min-age 8d --json';
    expect((await ask(`upgrade-plan --from 2.0.0 ${rolling}`)).stdout).toContain('"toVersion":"2.1.0"');
  });

  it('warns where known issues do not reach, or do not count', async () => {
    const rows = ages(300, 200).map((row) => ({ ...row, version: row.version.replace('2.', '2.9') }));
    const beyond = rows.map((row) => ({ ...row, version: row.version.replace('2.9', '2.99') }));
    expect((await ask('upgrade-check --from 2.990.0 --to recommended', beyond)).stderr).toContain(
      'an age of 4 days protects only together with records',
    );
    const { stderr } = await ask('upgrade-check --from 2.0.0 --to recommended --publisher-only');
    expect(stderr).toContain('Warning: known issues do not count here');
  });
});
