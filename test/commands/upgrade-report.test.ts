import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { deployedAt } from '../support/deployment.js';
import { tableFact } from '../support/facts.js';
import {
  healthyFacts,
  idleLease,
  type MigrationCase,
  type ReleaseCase,
  ranRelease,
  type Situation,
  seenAt,
  sourcesOf,
} from '../support/preflight.js';
import { realIndexFile } from '../support/real-index.js';
import { hostileSections, writeReportMirror } from '../support/report-mirror.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let folder: string;
let mirror: string;
let hostile: string;
let incomplete: string;
beforeAll(async () => {
  folder = temporaryFolder();
  mirror = join(folder, 'mirror');
  hostile = join(folder, 'hostile');
  incomplete = join(folder, 'incomplete');
  await writeReportMirror(mirror);
  await writeReportMirror(hostile, hostileSections);
  await writeReportMirror(incomplete, (version) => (version === '1.140.0' ? undefined : {}));
});

const report = (from: string, to: string, ...rest: readonly string[]) => {
  return ['upgrade-report', '--from', from, '--to', to, ...rest];
};
const green = ['1.121.0', '1.156.0'] as const;
const formats = ['text', 'markdown', 'html', 'json'] as const;
const offline = ['--offline', '--no-cache'];

describe('the answer is the exit code, in every format', () => {
  it.each<[string, readonly [string, string], () => string[], number]>([
    ['proven', green, () => ['--index', mirror], 0],
    ['as far as rolling hops reach', ['1.121.0', 'latest-rolling'], () => ['--index', mirror], 0],
    ['nothing that rolling hops reach', ['1.156.0', 'latest-rolling'], () => ['--index', mirror], 1],
    ['an unknown release', ['1.156.0', '1.157.0'], () => ['--index', mirror], 1],
    ['one artifact missing', green, () => ['--index', incomplete], 0],
    ['no artifact at all', green, () => ['--index', realIndexFile, ...offline], 0],
    ['a version that the index lacks', ['1.121.0', '9.9.9'], () => ['--index', mirror], 1],
    ['from below the floor', ['0.1050.0', '1.121.0'], () => ['--index', mirror], 1],
  ])('%s', async (_, [from, to], source, code) => {
    for (const format of formats) {
      const outcome = await runCli(report(from, to, '--format', format, ...source()));
      expect({ format, code: outcome.code }).toEqual({ format, code });
      expect(/Answer: yes, rolling|"safe":true/.test(outcome.stdout)).toBe(code === 0);
    }
  });
});

describe('--out', () => {
  it('writes the file and says so, and nothing to standard output', async () => {
    const file = join(folder, 'report.html');
    const { code, stdout, stderr } = await runCli(
      report(...green, '--format', 'html', '--index', mirror, '--out', file),
    );
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain(`Report written to ${file}\nAnswer: yes, rolling\n`);
    expect(await readFile(file, 'utf8')).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
  });

  it('says on standard error why the answer is no', async () => {
    const file = join(folder, 'no.md');
    const argv = report('1.156.0', '1.157.0', '--format', 'markdown', '--index', mirror, '--out', file);
    const { code, stdout, stderr } = await runCli(argv);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(
      `Report written to ${file}\nAnswer: with downtime only: allowed in one step, not proven to roll\n`,
    );
  });
});

describe('--variables', () => {
  const secret = 'correct-horse-battery';
  const files: Record<string, string> = {
    '.env': `OLD_NAME=${secret}\nLIMIT=${secret}\nPATH=${secret}\n`,
    'values.yaml': `extraEnv:\n  - { name: OLD_NAME, value: ${secret} }\n  - { name: LIMIT, value: ${secret} }\n  - { name: PATH, value: ${secret} }\n`,
  };
  it.each([
    ['.env', ''],
    ['values.yaml', '#extraEnv'],
  ])('%s%s: what to change comes first, and no value is told', async (name, path) => {
    await writeFile(join(folder, name), files[name] ?? '');
    const source = ['--variables', `${join(folder, name)}${path}`, '--index', mirror];
    const text = await runCli(report('1.111.0', 'latest', ...source));
    expect(text.stdout).toMatch(/ that you set: .*2 of 3 changed.*\n {2}- OLD_NAME renamed/);
    for (const format of formats) {
      const { stdout, stderr } = await runCli(report('1.111.0', 'latest', '--format', format, ...source));
      expect(`${stdout}${stderr}`).not.toContain(secret);
    }
  });

  it('text: of those that you set, and of the others, the first 20, or all with --verbose', async () => {
    const changes = Array.from({ length: 60 }, (_, i) => ({ type: 'removed', name: `V${i}` }));
    const many = join(folder, 'many');
    await writeReportMirror(many, (version) =>
      version === '1.122.0' ? { config: { checked: true, breaking: true, changes } } : {},
    );
    await writeFile(
      join(folder, 'many.env'),
      changes
        .slice(0, 30)
        .map(({ name }) => `${name}=1\n`)
        .join(''),
    );
    const argv = report('1.121.0', '1.125.0', '--index', many, '--variables', join(folder, 'many.env'));
    const { stdout } = await runCli(argv);
    expect(stdout).toContain('Environment variables that you set: 30 of 30 changed\n');
    expect(stdout.match(/^ {2}- V\d+ removed, in 1\.122\.0: remove/gm)).toHaveLength(20);
    expect(stdout.match(/^ {2}- V\d+ removed, in 1\.122\.0$/gm)).toHaveLength(20);
    expect(stdout.match(/^ {2}- and 10 more \(--verbose lists them\)$/gm)).toHaveLength(2);
    const verbose = (await runCli([...argv, '--verbose'])).stdout;
    expect(verbose.match(/^ {2}- V\d+ removed, in 1\.122\.0(: remove .*)?$/gm)).toHaveLength(60);
  });
});

describe('what artifacts hold is text, wherever it is shown', () => {
  const rendered = async (format: string, env: Record<string, string> = {}, ...more: readonly string[]) => {
    const argv = ['--format', format, '--verbose', '--publisher-only', '--index', hostile, ...more];
    const { stdout, code } = await runCli(report('1.121.0', '1.125.0', ...argv), { env });
    expect(code).toBe(0);
    return stdout;
  };
  it('text: what only a runner of GitHub obeys is changed for one, and for nobody else', async () => {
    expect(await rendered('text')).toContain('##[error]x');
    expect(await rendered('text', { GITHUB_ACTIONS: 'true' })).not.toMatch(/^\s*::|##\[/m);
    const out = join(hostile, 'report.txt');
    await rendered('text', { GITHUB_ACTIONS: 'true' }, '--out', out);
    expect(await readFile(out, 'utf8')).toContain('##[error]x');
  });
});

it('markdown of at most 60 kB cuts what does not fit, and says how much', async () => {
  const { stdout } = await runCli(report('1.111.0', 'latest', '--format', 'markdown', '--index', hostile));
  expect(Buffer.byteLength(stdout)).toBeLessThanOrEqual(60_000);
  expect(Buffer.byteLength(stdout)).toBeGreaterThan(40_000);
  expect(stdout).toMatch(/^- and [\d,]+ more \(this is cut at 60 kB; --format html shows all\)$/m);
  expect(stdout.match(/<details>/g)).toHaveLength(11);
  expect(stdout.match(/<\/details>/g)).toHaveLength(11);
});

it('with facts of a database, json has the time and the way back of each hop', async () => {
  const old = '20260801000000_old';
  const tables = [tableFact({ name: 'projects', heapBytes: 4e9, toastBytes: 0, estimatedRows: 10_000_000 })];
  const releases: readonly ReleaseCase[] = [
    ranRelease,
    {
      version: '2.1.0',
      migrations: [{ name: '20260901000000_x', tables: ['projects'], does: ['rewrites'] }],
      entry: { rollingUpdateSafe: false },
    },
    {
      version: '2.2.0',
      migrations: [{ name: '20260902000000_y', tables: ['projects'], does: ['locks'] }],
      entry: { requiredStops: ['2.1.0'] },
    },
  ];
  const situation = { releases, facts: { ...healthyFacts(old), tables } };
  const { stdout } = await runCli(report('2.0.0', '2.2.0', ...(await sourcesOf(situation)), '--json'));
  expect(JSON.parse(stdout).route.hops).toMatchObject([
    {
      migrationTime: { lowSeconds: expect.any(Number), highSeconds: expect.any(Number), because: [] },
      wayBack: { needs: 'backup', because: [{ kind: 'old-code-not-proven', versions: ['2.1.0'] }] },
    },
    {
      migrationTime: { lowSeconds: expect.any(Number) },
      wayBack: { needs: 'code', because: [{ kind: 'starts-on-newer-database', migrations: 1 }] },
    },
  ]);
});

describe('with facts of an instance it tells what a preflight finds', () => {
  const old = '20260801000000_old';
  const proven = [ranRelease, { version: '2.1.0' }];
  const held = {
    lease: [{ ...idleLease, parkedAt: seenAt, parkedAppVersion: '2.1.0', parkedMigration: 'a_migration' }],
  };
  /** The report of a step whose index is a yes, with these facts. */
  const ofFacts = async (facts: NonNullable<Situation['facts']>, ...argv: readonly string[]) =>
    await runCli(report('2.0.0', '2.1.0', ...(await sourcesOf({ releases: proven, facts })), ...argv));
  const reported = (facts: NonNullable<Situation['facts']>, ...argv: readonly string[]) =>
    ofFacts(facts, '--only', 'database', ...argv);

  it.each<[string, NonNullable<Situation['facts']>, number, string]>([
    ['nothing that stops', healthyFacts(old), 0, 'yes\n  - '],
    ['what stops', { ...healthyFacts(old), ...held }, 1, 'no\n  - STOP: '],
    ['what was not looked at', { ...healthyFacts(old), ledger: 'not-permitted' }, 3, 'not checked\n  - '],
  ])('%s, in every format', async (_, facts, code, answer) => {
    for (const format of formats) {
      const outcome = await reported(facts, '--format', format);
      expect({ format, code: outcome.code }).toEqual({ format, code });
      expect(/Answer: yes, rolling|"safe":true/.test(outcome.stdout)).toBe(code === 0);
      expect(outcome.stdout.startsWith('### ✅')).toBe(format === 'markdown' && code === 0);
      expect(outcome.stdout.includes('class="headline good"')).toBe(format === 'html' && code === 0);
      if (format === 'text') expect(outcome.stdout).toContain(`\nPreflight: ${answer}`);
    }
  });

  it('known issues that were left out as not looked at', async () => {
    const only = ['--only', 'known-issues'];
    expect(await ofFacts(healthyFacts(old), ...only)).toMatchObject({ code: 0 });
    const { code, stdout } = await ofFacts(healthyFacts(old), ...only, '--publisher-only');
    expect(code).toBe(3);
    expect(stdout).toMatch(/^NOT CHECKED +known-issues: the known issues of the releases: not requested$/m);
  });

  it('the same findings as upgrade-preflight, word for word', async () => {
    const sources = await sourcesOf({ releases: proven, facts: { ...healthyFacts(old), ...held } });
    const argv = ['--from', '2.0.0', '--to', '2.1.0', ...sources, '--json'];
    const preflight = JSON.parse((await runCli(['upgrade-preflight', ...argv])).stdout);
    const { decision, facts, counts, checks, notAsked, findings } = preflight;
    expect(JSON.parse((await runCli(['upgrade-report', ...argv])).stdout).preflight).toEqual({
      ...{ decision, facts, counts, checks, notAsked, findings },
    });
  });

  it.each([[{}], [{ stated: { edition: 'community' } }]] as const)(
    'nothing where only what a person states is known: %j',
    async (facts) => {
      const { code, stdout } = await ofFacts(facts);
      expect(code).toBe(0);
      expect(stdout).not.toContain('Preflight');
    },
  );

  it('what --only leaves out is named; without it a part that was not looked at is no yes', async () => {
    const whole = await ofFacts(healthyFacts(old));
    expect(whole).toMatchObject({ code: 3, stdout: expect.stringContaining('Verdict: UNSAFE') });
    const database = await reported(healthyFacts(old));
    expect(database).toMatchObject({ code: 0, stdout: expect.stringContaining('Verdict: SAFE') });
    expect(database.stdout).toMatch(/\nNot requested: \d+ checks of the deployment\n/);
    const { stdout } = await ofFacts({ ...healthyFacts(old), ...deployedAt('2.0.0') }, '--json');
    const { checks, notAsked } = JSON.parse(stdout).preflight;
    expect(checks.map(({ group }: { readonly group: string }) => group)).toContain('deployment');
    expect(notAsked).toEqual([]);
  });

  it('asks --disk-free where a migration writes', async () => {
    const migrations: MigrationCase[] = [{ name: '20260901000000_x', tables: ['projects'], does: ['scans'] }];
    const releases = [ranRelease, { version: '2.1.0', migrations }];
    const sources = await sourcesOf({ releases, facts: healthyFacts(old) });
    const argv = report('2.0.0', '2.1.0', ...sources, '--only', 'database');
    expect(await runCli(argv)).toMatchObject({ code: 3, stdout: expect.stringContaining('--disk-free') });
    const { code, stdout } = await runCli([...argv, '--disk-free', '40GiB', '--fact', 'edition=community']);
    expect({ code, safe: stdout.includes('Verdict: SAFE') }).toEqual({ code: 0, safe: true });
  });
});

it('--out decides the format by its ending, and what contradicts it is refused', async () => {
  const argv = report(...green, '--index', mirror, '--out');
  const written = async (name: string, ...rest: string[]) => {
    const file = join(folder, name);
    const { code } = await runCli([...argv, file, ...rest]);
    return { code, text: code === 2 ? '' : await readFile(file, 'utf8') };
  };
  expect((await written('r.html')).text).toMatch(/^<!doctype html>/i);
  expect((await written('r.md')).text).toMatch(/^#/);
  expect(JSON.parse((await written('r.json')).text)).toHaveProperty('schemaVersion');
  expect((await written('r.txt')).text).toMatch(/^Answer: yes, rolling\nUpgrade report: /);
  expect((await written('r.out', '--format', 'html')).text).toMatch(/^<!doctype html>/i);
  for (const rest of [['--format', 'text'], ['--json'], ['--format', 'markdown']]) {
    expect((await written('never.html', ...rest)).code).toBe(2);
  }
});
