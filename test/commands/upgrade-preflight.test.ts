import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { checks } from '../../src/checks/checks.js';
import { runCli } from '../support/cli.js';
import { validatorOf } from '../support/json-schema.js';
import {
  healthyFacts,
  ledgerOf,
  type MigrationCase,
  runOf,
  type Situation,
  slotThatNobodyReads,
  sourcesOf,
  upgradeTo,
  writeSituation,
} from '../support/preflight.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const ran = '20260801000000_old';
const altersAbsent: MigrationCase = {
  name: '20260903120000_add_response_timing_to_ai_prompt',
  tables: ['ai_prompt'],
  does: ['locks'],
};

const situations = {
  go: upgradeTo([]),
  warn: upgradeTo([], { queue: 'absent', ledger: ledgerOf(ran), replication: slotThatNobodyReads }),
  stop: upgradeTo([altersAbsent]),
  unseen: upgradeTo([], { lease: 'not-permitted' }),
} satisfies Record<string, Situation>;

const folders: Record<string, string> = {};
beforeAll(async () => {
  for (const [name, situation] of Object.entries(situations)) {
    const folder = temporaryFolder();
    folders[name] = folder;
    await writeSituation(folder, situation);
  }
});

const span = ['--from', '2.0.0', '--to', '2.1.0'];
const judge = (name: keyof typeof situations, ...rest: string[]) => {
  const folder = folders[name] ?? '';
  return ['upgrade-preflight', '--facts', join(folder, 'facts.json'), '--index', folder, ...rest];
};

describe('lightspan upgrade-preflight', () => {
  it.each([
    ['go', [], 0, 'GO'],
    ['warn', [], 0, 'GO, WITH CARE'],
    ['warn', ['--fail-on', 'warn'], 1, 'STOP'],
    ['stop', [], 1, 'STOP'],
    ['unseen', [], 3, 'NOT KNOWN'],
    ['unseen', ['--only', 'queue,primary'], 0, 'GO, for the requested checks only'],
    ['unseen', ['--only', 'lock-and-lease'], 3, 'NOT KNOWN, for the requested checks only'],
  ] as const)('%s %j ends in %i: %s', async (name, more, code, answer) => {
    const outcome = await runCli(judge(name, ...span, ...more));
    expect(outcome.code).toBe(code);
    const [word, only] = answer.split(', for the requested');
    expect(outcome.stdout.startsWith(`Answer: ${word}: `)).toBe(true);
    if (only !== undefined) expect(outcome.stdout).toContain('\nNot requested: ');
    const failOn = more.includes('warn' as never) ? 'warn' : 'stop';
    const { stdout } = await runCli(judge(name, ...span, ...more, '--json'));
    const output = JSON.parse(stdout);
    expect(validatorOf('upgrade-preflight-result.json')(output)).toBe(true);
    expect(output).toMatchObject({ failOn, safe: code === 0 });
    if (!more.includes('--only' as never)) {
      const counts = Object.values<number>(output.counts);
      expect(counts.reduce((sum, count) => sum + count)).toBe(
        // That of a rehearsal is made where one is given.
        checks.filter(({ id }) => id !== 'rehearsal').length,
      );
    }
  });

  describe('--from-database', () => {
    const names = ['20260801000000_a', '20260802000000_b', '20260803000000_c'];
    const releases = [
      { version: '2.0.0', migrations: [{ name: names[0] ?? '' }] },
      { version: '2.1.0', migrations: [{ name: names[1] ?? '' }] },
      { version: '2.2.0' },
      { version: '2.3.0', migrations: [{ name: names[2] ?? '' }] },
    ];
    const ranBy = (appVersion: string) => ({ newest: null, lastSucceeded: runOf({ appVersion }) });
    const ledger = ledgerOf(...names.slice(0, 2));
    const oldest = '2.1.0 (the ledger of the database, the oldest of 2.1.0 to 2.2.0)';
    const newestRun = (version: string) => `${version} (the newest run in migration_run_ledger)`;
    it.each<[string, Situation['facts'], number, string]>([
      ['takes the oldest at which the ledger can stand', { ledger }, 0, oldest],
      ['takes the one that ran last', { ledger, runs: ranBy('2.2.0') }, 0, newestRun('2.2.0')],
      ['takes the oldest, where it ran last', { ledger, runs: ranBy('2.1.0') }, 0, newestRun('2.1.0')],
      ['takes none that is older than the ledger', { ledger, runs: ranBy('2.0.0') }, 0, oldest],
      ['takes none that the ledger contradicts', { ledger, runs: ranBy('2.3.0') }, 0, oldest],
      ['takes none that is no release', { ledger, runs: ranBy('development') }, 0, oldest],
      ['needs a ledger', { ledger: 'not-permitted' }, 2, 'do not contain the rows of knex_migrations'],
      ['needs a migration that is known', { ledger: ledgerOf('20260101000000_x') }, 2, 'no artifact names'],
    ])('%s', async (_, facts, code, text) => {
      const sources = await sourcesOf({ releases, facts: { ...healthyFacts(), ...facts } });
      const argv = ['upgrade-preflight', '--from-database', '--to', '2.3.0', ...sources];
      const outcome = await runCli([...argv, '--disk-free', '40GiB', '--only', 'database']);
      expect(outcome.code).toBe(code);
      expect(code === 0 ? outcome.stdout : outcome.stderr).toContain(text);
    });

    it('takes an enterprise database for what it is, by what it has run', async () => {
      const ofEnterprise = {
        version: '2.2.0',
        migrations: [{ name: '20260802500000_e', edition: 'ee' }],
      } as const;
      const sources = await sourcesOf({
        releases: releases.map((one) => (one.version === '2.2.0' ? ofEnterprise : one)),
        facts: { ...healthyFacts(), ledger: ledgerOf(...names.slice(0, 2), '20260802500000_e') },
      });
      const argv = ['upgrade-preflight', '--from-database', '--to', '2.3.0', ...sources];
      const { stdout } = await runCli([...argv, '--only', 'database']);
      expect(stdout).toContain('Current version: 2.2.0 (the ledger of the database');
    });
  });

  it('takes it before what the facts say was stated', async () => {
    const folder = temporaryFolder();
    const ofEnterprise = upgradeTo([{ ...altersAbsent, edition: 'ee' }], {
      stated: { edition: 'community' },
    });
    await writeSituation(folder, ofEnterprise);
    const argv = ['upgrade-preflight', ...span, '--index', folder, '--facts', join(folder, 'facts.json')];
    const ask = (...more: string[]) => runCli([...argv, '--only', 'table-absent', ...more]);
    expect(await ask()).toMatchObject({ code: 0 });
    expect(await ask('--fact', 'edition=enterprise')).toMatchObject({ code: 1 });
    // What is not stated again stays.
    await writeSituation(folder, {
      ...ofEnterprise,
      facts: { ...ofEnterprise.facts, stated: { edition: 'enterprise' } },
    });
    expect(await ask('--fact', 'rows.sessions=5')).toMatchObject({ code: 1 });
  });
});

describe('known issues', () => {
  const community: Situation = {
    releases: [
      { version: '2.125.0', migrations: [{ name: ran }] },
      { version: '2.126.0', migrations: [altersAbsent] },
    ],
    facts: { ...healthyFacts(ran), stated: { edition: 'community' } },
  };
  const id = 'ai-prompt-table-in-core-migration';
  const folder = temporaryFolder();
  beforeAll(async () => writeSituation(folder, community));
  const ask = (...more: string[]) => {
    const argv = ['upgrade-preflight', '--from', '2.125.0', '--to', '2.126.0', '--index', folder];
    return [...argv, '--facts', join(folder, 'facts.json'), '--only', 'known-issues', ...more];
  };

  it.each<[string[], number, string]>([
    [[], 1, `STOP        known-issues: 2.126.0 has the known issue ${id}`],
    [['--fact', 'edition=enterprise'], 0, 'no known issue affects the step from 2.125.0 to 2.126.0'],
    [['--accept', id], 0, 'no known issue affects the step'],
    [['--publisher-only'], 3, 'NOT CHECKED known-issues: the known issues of the releases: not requested'],
  ])('%j', async (more, code, text) => {
    const outcome = await runCli(ask(...more));
    expect(outcome).toMatchObject({ code, stdout: expect.stringContaining(text) });
  });
});

describe('the age of facts', () => {
  const warning =
    'Warning: the facts standard input are 2 days old (seen 2026-09-06T18:00:00Z): what they say may have changed. --max-age sets how old they may be.\n';

  it.each<[string, string, string[], string]>([
    ['a day is no news', '2026-09-07T18:00:00Z', [], ''],
    ['two days are', '2026-09-08T18:00:01Z', [], warning],
    ['what --max-age allows is no news', '2026-09-08T18:00:01Z', ['--max-age', '3d'], ''],
  ])('%s', async (_, now, more, said) => {
    const { stderr } = await ofFacts((text) => text, now, more);
    expect(stderr).toBe(said);
  });

  it.each([
    ['2026-09-07T18:00:00Z', [], 0, 'GO'],
    ['2026-09-07T18:00:01Z', [], 3, 'NOT KNOWN'],
    ['2026-09-08T18:00:00Z', ['--max-age', '3d'], 0, 'GO'],
    ['2026-09-08T18:00:00Z', ['--only', 'postgres-version,table-absent'], 0, 'GO'],
  ])('at %s %j ends in %i: %s', async (now, more, code, answer) => {
    const outcome = await ofFacts((text) => text, now, more);
    expect(outcome).toMatchObject({ code, stdout: expect.stringContaining(`Answer: ${answer}`) });
    const old = 'NOT CHECKED 7 checks: the activity of other sessions: too old (seen 2026-09-06T18:00:00Z)';
    expect(outcome.stdout.includes(old)).toBe(code === 3);
  });

  it('is that of the oldest of them', async () => {
    const renewed = (text: string) =>
      text.replace(/"collectedAt": ?"[^"]*"/, '"collectedAt":"2026-09-08T18:00:00Z"');
    expect((await ofFacts(renewed, '2026-09-08T18:00:01Z', [])).stderr).toBe(warning);
    const limited = await ofFacts(renewed, '2026-09-08T18:00:01Z', ['--max-age', '36h']);
    expect(limited).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('2026-09-06T18:00:00Z and are older'),
    });
  });

  async function ofFacts(change: (text: string) => string, now: string, more: readonly string[]) {
    const folder = folders.go ?? '';
    const stdin = change(readFileSync(join(folder, 'facts.json'), 'utf8'));
    const argv = ['upgrade-preflight', '--facts', '-', '--index', folder, ...span, ...more];
    return await runCli(argv, { stdin, now: new Date(now) });
  }
});

describe('what is refused', () => {
  it.each<[string[], number, string]>([
    [['--to', '2.1.0', '--from-file', 'x#y', '--from-database'], 2, 'cannot be used with'],
    [['--to', '2.1.0', '--instance', 'http://[::1]:1', '--from-database'], 2, 'cannot be used with'],
    [[...span, '--disk-free', 'much'], 2, 'Write it as 1000000 (bytes)'],
  ])('%j', async (more, code, message) => {
    const outcome = await runCli(judge('go', ...more));
    expect(outcome).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) });
  });

  it.each<[string, string, number]>([
    ['no JSON', '{', 4],
    ['a newer version', '{"schemaVersion":"2","collectedAt":"2026-09-06T18:00:00Z","facts":{}}', 4],
    ['no fact at all', '{"schemaVersion":"1","collectedAt":"2026-09-06T18:00:00Z","facts":{}}', 3],
  ])('%s', async (_, stdin, code) => {
    const argv = ['upgrade-preflight', '--facts', '-', '--index', folders.go ?? '', ...span];
    expect((await runCli(argv, { stdin })).code).toBe(code);
  });

  it('a database that cannot be reached, without its password', async () => {
    const url = 'postgresql://looker:canary-4711@127.0.0.1:1/lightdash';
    const argv = ['upgrade-preflight', ...span, '--database', 'LIGHTDASH_DATABASE'];
    const world = { env: { LIGHTDASH_DATABASE: url } };
    const { code, stdout, stderr } = await runCli([...argv, '--index', folders.go ?? '', '--json'], world);
    expect(code).toBe(3);
    expect(stdout + stderr).not.toContain('canary');
  });
});

it('takes the database that the PG* variables name', async () => {
  const env = { PGHOST: '127.0.0.1', PGPORT: '1', PGUSER: 'joe', PGDATABASE: 'bi' };
  const argv = ['upgrade-preflight', ...span, '--database', 'env', '--index', folders.go ?? ''];
  expect(await runCli(argv, { env })).toMatchObject({
    code: 3,
    stderr: expect.stringContaining(
      'no connection to the database "bi" at 127.0.0.1:1: connect ECONNREFUSED',
    ),
  });
});

describe('what is run elsewhere', () => {
  it('--sql looks at the role that is named, and measures unless that is refused', async () => {
    const script = async (...argv: string[]) =>
      (await runCli(['upgrade-preflight', '--sql', ...argv])).stdout;
    const usual = await script();
    expect(usual).not.toContain('looker');
    expect(await script('--migrating-role', 'looker')).toContain("'looker'");
    expect((await script('--no-measure')).length).toBeLessThan(usual.length);
  });
});
