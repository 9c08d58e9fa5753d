import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { factsText } from '../../src/instance/facts/read-facts.js';
import { runCli } from '../support/cli.js';
import { indexOf } from '../support/real-index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = temporaryFolder();
const facts = join(folder, 'facts.json');
/** Those that take `recommended` for a target. */
const commands = [
  ...['upgrade-check', 'upgrade-plan', 'upgrade-preflight', 'upgrade-report'],
  ...['upgrade-bump', 'index datasource'],
];

describe('--to recommended', () => {
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

  it('says in the headline that the newest that is old enough is out of reach', async () => {
    const rows = ages(300, 200, 103, 6).map((row) =>
      row.version === '2.2.0' ? { ...row, previousVersion: '2.1.5' } : row,
    );
    expect(await ask('upgrade-plan --from 2.0.0 --to recommended', rows)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^Answer: yes, rolling; .*2\.2\.0 is out of reach, and --to latest says why\n/,
      ),
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

  it.each(['upgrade-check', 'upgrade-plan'])(
    '%s is nothing to do for whoever runs the newest release',
    async (command) => {
      const { code, stdout } = await ask(`${command} --from 2.3.0 --to recommended`);
      expect({ code, stdout }).toEqual({
        code: 0,
        stdout: expect.stringContaining('no release newer than 2.3.0 is recommended today: it is the newest'),
      });
      // A release that the index does not have is proven nowhere.
      expect((await ask(`${command} --from 2.4.0 --to recommended`)).code).toBe(1);
    },
  );

  it('leaves a pin where it is where nothing qualifies', async () => {
    const pin = join(folder, 'pinned.yaml');
    writeFileSync(pin, 'image: {tag: 2.2.0}\n');
    const { code, stdout } = await ask(`upgrade-bump --file ${pin}#image.tag --to recommended`);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('no release newer') });
  });

  it('is no for a pin from which nothing rolls, whatever the age', async () => {
    const pin = join(folder, 'stuck.yaml');
    writeFileSync(pin, 'image: {tag: 2.2.0}\n');
    const rows = ages(300, 200, 103, 6).map((row) => ({
      ...row,
      rollingUpdateSafe: row.version !== '2.3.0',
    }));
    const line = `upgrade-bump --file ${pin}#image.tag --to latest-rolling --check`;
    expect((await ask(`${line} --min-age 1h`, rows)).code).toBe(1);
    expect((await ask(line, rows)).code).toBe(1);
    // One that rolls and is too young is waited for.
    expect((await ask(`${line} --min-age 4d`)).code).toBe(0);
  });

  it('takes the age of --min-age, also for the newest that rolls', async () => {
    const young = '--to recommended --min-age 5h --json';
    expect((await ask(`upgrade-check --from 2.0.0 ${young}`)).stdout).toContain('"toVersion":"2.3.0"');
    const rolling = '--to latest-rolling --min-age 8d --json';
    expect((await ask(`upgrade-plan --from 2.0.0 ${rolling}`)).stdout).toContain('"toVersion":"2.1.0"');
  });

  const beyond = ages(300, 200).map((row) => ({ ...row, version: row.version.replace('2.', '2.99') }));

  it('says in the headline that known issues do not reach it, or do not count', async () => {
    expect(await ask('upgrade-check --from 2.990.0 --to recommended', beyond)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^Answer: yes, rolling; records end at 2\.\d+\.\d+, as of \S+: an age protects only with records$/m,
      ),
    });
    const { stdout } = await ask('upgrade-plan --from 2.0.0 --to recommended --publisher-only');
    expect(stdout).toContain('; known issues do not count here: an age protects only with records\n');
  });

  it('says in the headline that known issues are older than the release has to be', async () => {
    const records = join(folder, 'records.json');
    const late = new Date('2027-03-01T00:00:00Z');
    const rows = ages(300, 200).map((row) => ({ ...row, releaseDate: '2027-02-01T00:00:00Z' }));
    const file = join(folder, 'late.json');
    writeFileSync(file, JSON.stringify({ ...indexOf(...rows), generatedAt: late.toISOString() }));
    const at = async (asOf: string, more = '') => {
      const horizon = { schemaVersion: '1', knownThrough: { version: '2.200.0', asOf } };
      writeFileSync(records, JSON.stringify(horizon));
      const line = `upgrade-check --from 2.0.0 --to recommended --index ${file} --known-issues ${records}${more}`;
      return runCli(line.split(' '), { now: late });
    };
    expect(await at('2026-12-08')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(
        'Answer: yes, rolling; records end at 2.200.0, 83 days ago: an age protects only with records\n',
      ),
    });
    expect(await at('2026-12-08', ' --require-records')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('known issues end at 2.200.0, as of 2026-12-08, and --require-records'),
    });
    expect(await at('2027-02-27', ' --require-records')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Answer: yes, rolling\n'),
    });
    // What is younger than the age, but not than another one that is asked for.
    expect((await at('2027-02-27', ' --require-records --min-age 1d')).code).toBe(3);
    // A target that is named needs them too, where they are required.
    const named = await runCli(
      `upgrade-check --from 2.0.0 --to 2.1.0 --index ${file} --require-records`.split(' '),
      { now: late },
    );
    expect(named.code).toBe(3);
  });

  it.each(commands)('%s has no answer by records that are too old', async (command) => {
    const pin = join(folder, 'pinned.yaml');
    writeFileSync(pin, 'image: {tag: 2.0.0}\n');
    writeFileSync(facts, factsText({ schemaVersion: '1', collectedAt: '2027-03-01T00:00:00Z', facts: {} }));
    const file = join(folder, 'later.json');
    const rows = ages(300, 200).map((row) => ({ ...row, releaseDate: '2027-02-01T00:00:00Z' }));
    writeFileSync(file, JSON.stringify({ ...indexOf(...rows), generatedAt: '2027-03-01T00:00:00Z' }));
    const where = {
      'upgrade-bump': ['--file', `${pin}#image.tag`, '--check'],
      'upgrade-preflight': ['--from', '2.0.0', '--facts', facts],
    };
    const given = Object.entries(where).find(([name]) => name === command)?.[1] ?? ['--from', '2.0.0'];
    const line = [...command.split(' '), ...given, '--to', 'recommended', '--index', file];
    const late = { now: new Date('2027-03-01T00:00:00Z') };
    expect(await runCli([...line, '--require-records'], late)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('--require-records wants them as recent as --min-age'),
    });
  });

  it('lists for Renovate nothing that is newer or younger', async () => {
    const { stdout, code } = await ask('index datasource --from 2.0.0 --to recommended');
    const versions = JSON.parse(stdout).releases.map(({ version }: { version: string }) => version);
    expect({ code, versions }).toEqual({ code: 0, versions: ['2.0.0', '2.1.0', '2.2.0'] });
  });

  it('is of no clock that is behind the index', async () => {
    const file = join(folder, 'ahead.json');
    const generatedAt = new Date(now.getTime() + 3_600_000).toISOString();
    writeFileSync(file, JSON.stringify({ ...indexOf(...ages(300, 200)), generatedAt }));
    const line = `upgrade-check --from 2.0.0 --to recommended --index ${file}`;
    expect(await runCli(line.split(' '), { now })).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('Check the clock of this machine'),
    });
  });
});
