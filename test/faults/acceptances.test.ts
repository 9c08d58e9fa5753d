import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { checks } from '../../src/checks/checks.js';
import { factsText } from '../../src/instance/facts/read-facts.js';
import { runCli } from '../support/cli.js';
import { backendOf, containerOf, deployedAt, imageOf, workerOf } from '../support/deployment.js';
import { migratorFact, serverFact } from '../support/facts.js';
import {
  factsOf,
  healthyFacts,
  ledgerOf,
  type Situation,
  seenAt,
  upgradeTo,
  writeSituation,
} from '../support/preflight.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { itFailsClosed } from './campaign.js';
import { byteFault } from './mutations.js';

/** Whatever is accepted, a question that is not about this instance, or a target that refuses it, gets no yes. */

const ran = '20260801000000_old';
const brought = '20260901000000_new';
const sound = { ...healthyFacts(ran), ...deployedAt('2.0.0'), stated: { edition: 'community' } } as const;
const unpinned = backendOf('2.0.0', { containers: [containerOf('2.0.0', { image: imageOf('latest') })] });

/** Facts, by whether they are of the instance that the question is about, and the target starts on it. */
const instances: Readonly<
  Record<'own' | 'other', Readonly<Record<string, NonNullable<Situation['facts']>>>>
> = {
  own: {
    sound,
    'a tag that moves': { ...sound, workloads: [unpinned, workerOf('2.0.0')] },
  },
  other: {
    'images-of-another-release': { ...sound, ...deployedAt('1.9.0') },
    'images-of-several-releases': { ...sound, workloads: [backendOf('2.0.0'), workerOf('1.9.0')] },
    'images-of-the-target': { ...sound, ...deployedAt('2.1.0') },
    'ledger-absent': { ...sound, ledger: 'absent' },
    'ledger-empty': { ...sound, ledger: [] },
    'ledger-ahead': { ...sound, ledger: ledgerOf(ran, brought) },
    'start-diverged': { ...sound, ledger: ledgerOf(ran, '20261001000000_newer') },
    'ledger-behind': { ...sound, ledger: ledgerOf('20260701000000_older') },
    'in-recovery': { ...sound, server: { ...serverFact, inRecovery: true } },
    'start-privileges': { ...sound, migrator: { ...migratorFact, schemaCreate: false } },
  },
};
const all = (['own', 'other'] as const).flatMap((whose) =>
  Object.entries(instances[whose]).map(([name, facts]) => ({ whose, name, facts })),
);

const folder = temporaryFolder();
const file = join(folder, 'told.json');
beforeAll(async () => writeSituation(folder, upgradeTo([{ name: brought }])));

async function judge(
  facts: NonNullable<Situation['facts']>,
  names: readonly string[],
  more: readonly string[] = [],
) {
  await writeFile(file, factsText({ schemaVersion: '1', collectedAt: seenAt, facts: factsOf(facts) }));
  return await runCli([
    ...['upgrade-preflight', '--from', '2.0.0', '--to', '2.1.0', '--json'],
    ...['--only', 'images,ledger,primary,start-check'],
    ...['--index', folder, '--facts', file, ...more, ...names.map((name) => `--accept=${name}`)],
  ]);
}

const blocking = 'images/Deployment lightdash-backend';

describe('before any fault', () => {
  it.each(all)('$whose: $name', async ({ whose, name, facts }) => {
    const { code, stdout } = await judge(facts, []);
    expect(code, stdout).toBe(name === 'sound' ? 0 : 1);
    const kinds = JSON.parse(stdout).findings.map(
      ({ evidence }: { evidence: { kind: string } }) => evidence.kind,
    );
    if (whose === 'other') expect(kinds).toContain(name);
  });

  it('what may be accepted is a yes', async () => {
    expect(await judge(instances.own['a tag that moves'] ?? {}, [blocking])).toMatchObject({ code: 0 });
  });
});

const kinds = checks.flatMap(({ finds }) => Object.keys(finds));
const ids = checks.map(({ id }) => id);
const subjects = [
  'Deployment lightdash-backend',
  'Deployment lightdash-worker',
  'migration-privileges',
  'version-path',
  ran,
  '',
  'null',
  '*',
];
const named = fc.oneof(
  fc.constantFrom(...kinds, ...ids, blocking, '2.1.0', '2.0.0', '1.9.0'),
  fc
    .constantFrom(...kinds, ...ids)
    .chain((id) => fc.constantFrom(...subjects).map((subject) => `${id}/${subject}`)),
);
const damagedName = fc
  .record({ name: named, fault: byteFault })
  .map(({ name, fault }) => fault.apply(Buffer.from(name)).toString());
// Mostly what is taken: one name that is refused refuses them all.
const lists = fc.oneof(
  fc.array(named, { minLength: 1, maxLength: 2 }),
  damagedName.map((name) => [name]),
);

/** The names in place of what they are in the settings, where a check has its subject beside it. */
const inSettings = (names: readonly string[]) =>
  JSON.stringify({
    accept: names.map((name) => {
      const [, check, subject] = /^([^/]*)\/(.*)$/s.exec(name) ?? [];
      const risk = check === undefined ? { finding: name } : { check, subject };
      return { ...risk, reason: 'why', by: 'us' };
    }),
  });

const asked = fc.record({
  instance: fc.constantFrom(...all),
  names: lists,
  bySettings: fc.boolean(),
  fault: fc.constant({ kind: 'accept' as const }),
});

itFailsClosed(
  'names that are accepted',
  { cases: asked, numRuns: 1000, exitCodes: [0, 1, 2] },
  async ({ instance: { whose, facts, name }, names, bySettings }) => {
    const settings = join(folder, 'accepting.yaml');
    await writeFile(settings, inSettings(names));
    const outcome = bySettings ? await judge(facts, [], ['--settings', settings]) : await judge(facts, names);
    const isAccepted = name === 'sound' || names.includes(blocking);
    return {
      damaged: Buffer.from(`${name}: ${names.join(', ')}`),
      outcome,
      safeInTruth: whose === 'own' && isAccepted,
    };
  },
);
