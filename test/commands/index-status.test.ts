import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { KnownIssue } from '../../src/known-issues/records.js';
import { runCli } from '../support/cli.js';
import { recordOf } from '../support/known-issues.js';
import { indexOf } from '../support/real-index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const day = 86_400_000;
const start = new Date('2026-12-01T12:00:00Z');
let folder = '';
let now = start;
let state = '';
let records: KnownIssue[] = [];
let accepted = '';
let asOf = '';

beforeEach(() => {
  folder = temporaryFolder();
  state = join(folder, 'state.json');
  now = start;
  asOf = '2026-12-01';
  accepted = '';
  records = [recordOf({ id: 'elsewhere', affected: [{ introduced: '1.0.0', fixed: '1.1.0' }] })];
});

const broken = (more: Partial<KnownIssue> = {}) =>
  recordOf({ id: 'broken', affected: [{ introduced: '2.0.0', fixed: '2.1.0' }], ...more });

/** Releases of these ages in days at the start; the index is made when it is asked. */
const rows = (verdicts: Readonly<Record<string, boolean | 'unknown'>> = {}) =>
  [30, 20, 10, 1].map((age, i) => ({
    version: `2.${i}.0`,
    releaseDate: new Date(start.getTime() - age * day).toISOString(),
    rollingUpdateSafe: verdicts[`2.${i}.0`] ?? true,
  }));

async function status(line: string, { index = rows(), generatedAt = now } = {}) {
  const files = { index: join(folder, 'index.json'), issues: join(folder, 'issues.json') };
  writeFileSync(
    files.index,
    JSON.stringify({ ...indexOf(...index), generatedAt: generatedAt.toISOString() }),
  );
  const set = { schemaVersion: '1', knownThrough: { version: '2.200.0', asOf }, records };
  writeFileSync(files.issues, JSON.stringify(set));
  const settings = join(folder, 'lightspan.yaml');
  writeFileSync(settings, `minAge: 4d\n${accepted}`);
  const sources = ['--index', files.index, '--known-issues', files.issues, '--settings', settings];
  return runCli(['index', 'status', ...line.split(' '), ...sources], { now });
}

const since = (line = '--from 2.0.0', more: Parameters<typeof status>[1] = {}) =>
  status(`${line} --since ${state}`, more);

describe('index status of an instance', () => {
  it('says what it should run, and what is known against what it runs', async () => {
    records = [broken({ conditions: [{ fact: 'edition', is: 'enterprise' }] })];
    const { code, stdout } = await status('--from 2.0.0 --json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout).instance).toEqual({
      runningVersion: '2.0.0',
      inIndex: true,
      releasesBehind: 3,
      recommended: { version: '2.2.0', rolling: true, hops: 1 },
      recommendedFrom: null,
      nextHop: { version: '2.2.0', rolling: true },
      knownIssues: [{ id: 'broken', summary: 'It breaks.', remedy: 'Fix it first.', notKnown: ['edition'] }],
      knownThrough: { version: '2.200.0', asOf: '2026-12-01' },
      recordsAreOld: false,
      indexIsOld: false,
      acceptances: [],
    });
  });

  it('says the same for people', async () => {
    records = [broken()];
    accepted = 'accept:\n  - { issue: elsewhere, reason: known, until: 2026-12-20 }\n';
    const { stdout } = await status('--from 2.0.0', { index: rows({ '2.1.0': false }) });
    for (const line of [
      'Running release: 2.0.0',
      'Releases behind: 3',
      'Recommended: 2.2.0, in 1 hop, with downtime',
      'Next hop: 2.2.0, with downtime',
      'Known issues of what runs: 1',
      'broken: It breaks. Fix it first.',
      'Known issues end: 2.200.0, as of 2026-12-01',
      '2026-12-20: elsewhere',
    ])
      expect(stdout).toContain(line);
  });

  it('says when there will be something to recommend', async () => {
    const { stdout } = await status('--from 2.2.0 --json');
    expect(JSON.parse(stdout).instance).toMatchObject({
      recommended: null,
      recommendedFrom: new Date(start.getTime() + 3 * day).toISOString(),
      nextHop: { version: '2.3.0', rolling: true },
    });
  });

  it.each<[what: string, issue: Partial<KnownIssue>, counts: boolean]>([
    ['of a landing', {}, true],
    ['of the way there alone', { fromBefore: true }, false],
    ['of a span that crosses it', { when: 'crossing' }, false],
    ['that only asks for a stop', { effect: { kind: 'required-stops', stops: ['2.1.0'] as never } }, false],
    ['of another edition', { conditions: [{ fact: 'edition', is: 'enterprise' }] }, false],
    ['that was withdrawn', { withdrawn: '2026-11-30T00:00:00Z' }, false],
  ])('tells of an issue %s, if whoever runs the release has it', async (_, issue, counts) => {
    records = [broken(issue)];
    const { stdout } = await status('--from 2.0.0 --fact edition=community --json');
    expect(JSON.parse(stdout).instance.knownIssues).toHaveLength(counts ? 1 : 0);
  });

  it.each([
    ['--format openmetrics', '--format openmetrics needs the running release'],
    ['--since x.json', '--since needs the running release'],
    ['--from 2.0.0 --format slack', '--format slack applies only with --since'],
    ['--from 2.0.0 --format openmetrics --since x.json', 'of what stands now'],
  ])('refuses %s', async (line, message) => {
    expect(await status(line)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });
});

describe('index status --since', () => {
  it('tells at first what stands, then one message for each change, and nothing else', async () => {
    expect(await since()).toEqual({
      code: 0,
      stdout: '2.2.0 is recommended now: rolls from 2.0.0\n',
      stderr: '',
    });
    expect(await since()).toEqual({ code: 0, stdout: '', stderr: '' });
    now = new Date(start.getTime() + 3 * day);
    asOf = '2026-12-04';
    expect((await since()).stdout).toBe('2.3.0 is recommended now: rolls from 2.0.0\n');
    records = [broken()];
    expect((await since()).stdout).toBe(
      'a known issue applies to what you run (2.0.0): broken: It breaks. Fix it first.\n',
    );
    expect((await since()).stdout).toBe('');
    records = [broken({ withdrawn: '2026-12-03T00:00:00Z' })];
    expect((await since()).stdout).toBe('the known issue broken no longer applies to what you run (2.0.0)\n');
    expect((await since('--from 2.3.0')).stdout).toBe('2.3.0 runs now, 2.0.0 before\n');
  });

  it('tells how one gets there', async () => {
    expect((await since('--from 2.0.0', { index: rows({ '2.1.0': 'unknown' }) })).stdout).toBe(
      '2.2.0 is recommended now: from 2.0.0 in one step, with downtime\n',
    );
  });

  it('tells that a recommended release is none any more', async () => {
    await since();
    const all = recordOf({
      id: 'all',
      affected: [{ introduced: '2.1.0' }],
      effect: { kind: 'avoid-landing' },
    });
    records = [all];
    expect((await since()).stdout).toBe('2.2.0 is no longer recommended, nor is another release\n');
    expect((await since()).stdout).toBe('');
  });

  it('tells once that an acceptance ends, and that it has ended', async () => {
    await since();
    accepted = 'accept:\n  - { issue: elsewhere, reason: known, until: 2026-12-10 }\n';
    expect((await since()).stdout).toBe('');
    now = new Date('2026-12-05T00:00:00Z');
    asOf = '2026-12-05';
    expect((await since()).stdout).toContain('the acceptance of elsewhere ends on 2026-12-10\n');
    expect((await since()).stdout).toBe('');
    now = new Date('2026-12-11T00:00:00Z');
    asOf = '2026-12-11';
    expect((await since()).stdout).toBe('elsewhere is no longer accepted (it was until 2026-12-10)\n');
  });

  it('tells once that records or index are old, and that they no longer are', async () => {
    await since();
    now = new Date(start.getTime() + 2.9 * day);
    expect((await since()).stdout).toBe('');
    now = new Date(start.getTime() + 9 * day);
    const old = { generatedAt: start };
    const { stdout, stderr } = await since('--from 2.0.0', old);
    expect(stdout.split('\n')).toEqual([
      '2.3.0 is recommended now: rolls from 2.0.0',
      'known issues end at 2.200.0, as of 2026-12-01: an age protects only with records',
      'the index is older than a week: newer releases may be missing',
      '',
    ]);
    expect(stderr).toBe('');
    expect((await since('--from 2.0.0', old)).stdout).toBe('');
    asOf = '2026-12-10';
    expect((await since()).stdout).toBe(
      'known issues end at 2.200.0, as of 2026-12-10\nthe index is current again\n',
    );
  });

  it('is JSON, or the body for a webhook', async () => {
    records = [broken({ summary: 'a & b <c>' })];
    const { stdout } = await since('--from 2.0.0 --format slack');
    expect(JSON.parse(stdout)).toEqual({
      text:
        'Lightdash: a known issue applies to what you run (2.0.0): broken: a &amp; b &lt;c&gt; Fix it first.\n' +
        'Lightdash: 2.2.0 is recommended now: rolls from 2.0.0',
    });
    expect((await since('--from 2.0.0 --format slack')).stdout).toBe('');
    expect(JSON.parse((await since('--from 2.0.0 --json')).stdout)).toEqual({
      schemaVersion: '1',
      changes: [],
    });
    expect(JSON.parse((await since('--from 2.1.0 --json')).stdout).changes[0]).toEqual({
      kind: 'running',
      about: '2.1.0',
      message: '2.1.0 runs now, 2.0.0 before',
    });
  });

  it.each([
    ['no JSON', 'broken'],
    ['of another program', '{"version":1}'],
    ['empty', ''],
  ])('refuses a state that is %s, and leaves it', async (_, text) => {
    writeFileSync(state, text);
    const { code, stdout, stderr } = await since();
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toContain(`${state} is no state that --since has written`);
    expect(readFileSync(state, 'utf8')).toBe(text);
  });

  it('keeps nothing of a run that has no answer, or whose messages could not be written', async () => {
    const failed = await status(`--from 2.0.0 --since ${state} --out ${join(folder, 'issues.json', 'x')}`);
    expect(failed.code).toBe(3);
    expect(existsSync(state)).toBe(false);
    await since();
    const before = readFileSync(state, 'utf8');
    expect(
      (await since('--from 2.0.0 --max-age 1s', { generatedAt: new Date(start.getTime() - day) })).code,
    ).toBe(3);
    expect(readFileSync(state, 'utf8')).toBe(before);
  });
});
