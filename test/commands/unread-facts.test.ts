import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { serverFact } from '../support/facts.js';
import { healthyFacts, ranRelease, type Situation, upgradeTo, writeSituation } from '../support/preflight.js';
import { realIndexFile } from '../support/real-index.js';
import { changeOf, gitEnv } from '../support/repository.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const denied = { ledgerLock: 'not-permitted' } as const;
const tooOld = { server: { ...serverFact, versionNum: 110_022 } };

/** The options that name the mirror and the facts of an upgrade from 2.0.0 to 2.1.0, which is proven to roll. */
async function given(facts: Situation['facts']): Promise<readonly string[]> {
  const folder = temporaryFolder();
  await writeSituation(folder, { ...upgradeTo([], facts) });
  return ['--index', folder, '--facts', join(folder, 'facts.json')];
}

/** The same question, as each command that judges one is asked it. */
const asked: Readonly<Record<string, () => { argv: readonly string[]; said: () => string }>> = {
  'upgrade-check': () => ({
    argv: ['upgrade-check', '--from', '2.0.0', '--to', '2.1.0'],
    said: () => '',
  }),
  'upgrade-plan': () => ({ argv: ['upgrade-plan', '--from', '2.0.0', '--to', '2.1.0'], said: () => '' }),
  'upgrade-bump': () => {
    const file = join(temporaryFolder(), 'values.yaml');
    writeFileSync(file, 'image:\n  tag: "2.0.0"\n');
    return {
      argv: ['upgrade-bump', '--file', `${file}#image.tag`, '--to', '2.1.0', '--allow-recreate'],
      said: () => readFileSync(file, 'utf8'),
    };
  },
  'pin-check': () => {
    const pinned = (version: string) => ({ 'values.yaml': `image:\n  tag: "${version}"\n` });
    const { folder } = changeOf(pinned('2.0.0'), pinned('2.1.0'));
    return {
      argv: ['pin-check', '--repo', folder, '--base', 'main', '--pin', 'values.yaml#image.tag'],
      said: () => '',
    };
  },
};

describe.each(Object.entries(asked))('%s with --facts', (command, ask) => {
  const run = async (facts: Situation['facts'], ...more: readonly string[]) => {
    const { argv, said } = ask();
    const answer = await runCli([...argv, ...(await given(facts)), ...more], { env: gitEnv });
    return { ...answer, said: said() };
  };

  it('has no answer, and names the check, where one that can stop it could not read its fact', async () => {
    const { code, stderr, said } = await run(denied);
    expect(code).toBe(3);
    expect(stderr).toMatch(/1 check .* could not .*lock-and-lease.*knex_migrations_lock/s);
    expect(said).not.toContain('2.1.0');
  });

  it('has none in JSON either', async () => {
    const { code, stdout } = await run(denied, '--json');
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'unread-facts' } });
  });

  it('says no where something stops it, whatever else could not be read', async () => {
    const { code, stdout } = await run({ ...tooOld, ...denied });
    expect([code, stdout]).toEqual([1, expect.stringContaining('postgres-version')]);
  });

  it.each<[what: string, Situation['facts']]>([
    ['all was read', {}],
    ['only what cannot stop it was not', { vacuums: 'not-permitted' }],
  ])('says yes where %s', async (_, facts) => {
    const { code, stdout, stderr } = await run(facts);
    expect([code, stderr], `${command}: ${stdout}`).toEqual([0, expect.not.stringContaining('unread')]);
  });
});

it('a fact that nobody requested takes no yes away', async () => {
  const folder = temporaryFolder();
  const { server, ledger } = healthyFacts('20260801000000_old');
  await writeSituation(folder, { ...upgradeTo([]), facts: { server, ledger } });
  const argv = ['upgrade-check', '--from', '2.0.0', '--to', '2.1.0', '--index', folder];
  const { code, stdout } = await runCli([...argv, '--facts', join(folder, 'facts.json')]);
  expect([code, stdout]).toEqual([0, expect.stringContaining('not everything that can stop')]);
});

it.each([
  ['upgrade-check', 0],
  ['upgrade-plan', 0],
])('%s answers where artifacts were not read, which changes nothing', async (command, code) => {
  const folder = temporaryFolder();
  const facts = healthyFacts('20250101000000_old');
  await writeSituation(folder, { facts });
  const argv = [command, '--from', '1.121.0', '--to', '1.156.0', '--index', realIndexFile];
  const given = ['--facts', join(folder, 'facts.json'), '--offline', '--no-cache'];
  const { stderr, ...answer } = await runCli([...argv, ...given]);
  expect([answer.code, stderr]).toEqual([code, expect.not.stringContaining('could not be done')]);
});

it('an upgrade that is no anyway stays a no', async () => {
  const folder = temporaryFolder();
  const { releases: [first = ranRelease, second = ranRelease] = [], ...situation } = upgradeTo([], denied);
  const releases = [first, { ...second, entry: { rollingUpdateSafe: false } }];
  await writeSituation(folder, { ...situation, releases });
  const facts = ['--index', folder, '--facts', join(folder, 'facts.json')];
  const { code } = await runCli(['upgrade-check', '--from', '2.0.0', '--to', '2.1.0', ...facts]);
  expect(code).toBe(1);
});
