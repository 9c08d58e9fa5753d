import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { FactsFile } from '../../src/instance/facts/facts-schema.js';
import { factsText } from '../../src/instance/facts/read-facts.js';
import { runCli } from '../support/cli.js';
import { migratorFact, serverFact, tableFact } from '../support/facts.js';
import {
  factsOf,
  healthyFacts,
  idleLease,
  ledgerOf,
  lockOf,
  type Situation,
  seenAt,
  sessionOf,
  writeSituation,
} from '../support/preflight.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { itFailsClosed } from './campaign.js';
import { documentFault, readSoundly } from './documents.js';
import { factFault, seen, seenOrAbsent } from './facts.js';

/** Facts of a database that are judged: the way alters a table, and has a known issue where that is not there. */

const ran = '20260801000000_old';
const altered = 'ai_prompt';
const releases: Situation['releases'] = [
  { version: '2.125.0', migrations: [{ name: ran }] },
  {
    version: '2.126.0',
    migrations: [
      { name: '20260903120000_add_response_timing_to_ai_prompt', tables: [altered], does: ['locks'] },
    ],
  },
];

const tables = (told: object = {}) => [
  tableFact({ name: 'projects' }),
  tableFact({ name: altered, ...told }),
];
const sound = { ...healthyFacts(ran), tables: tables(), stated: { edition: 'community' } };
const beforeLease = { ...sound, lease: 'absent', runs: 'absent' } as const;
const migrator = (told: object) => ({ ...migratorFact, ...told });
const held = lockOf({ table: altered, transactionSeconds: 900 });
const busy = { sessions: [sessionOf({})], hiddenSessions: 0 };
const lease = (told: object) => [{ ...idleLease, ...told }];
const lastHeartbeat = '2026-09-06T17:59:57Z';

/** Facts, each with what keeps them from a go, or with nothing that does. */
const instances: Readonly<Record<string, NonNullable<Situation['facts']>>> = {
  go: sound,
  'go before the lease': beforeLease,
  'another ledger': { ...sound, ledger: ledgerOf(ran, '20261001000000_newer') },
  'no ledger': { ...sound, ledger: 'absent' },
  'a lock that may be held': { ...sound, ledgerLock: { rows: 1, lockedRows: 1 }, activity: busy },
  'a lease that is held': {
    ...sound,
    lease: lease({ claimed: true, lastHeartbeat, heartbeatAgeSeconds: 3 }),
  },
  'a lease that is held, said to be stale': {
    ...sound,
    lease: lease({ claimed: true, lastHeartbeat, heartbeatAgeSeconds: 3600 }),
  },
  'go where the lease is stale': {
    ...sound,
    lease: lease({ claimed: true, lastHeartbeat: '2026-09-06T17:00:00Z', heartbeatAgeSeconds: 3600 }),
  },
  parked: { ...sound, lease: lease({ parkedAt: seenAt, parkedAppVersion: '2.126.0' }) },
  'a table that is not there': { ...sound, tables: [tableFact({ name: 'projects' })] },
  'a table of somebody else': { ...sound, tables: tables({ owned: false }) },
  'no right to create': { ...sound, migrator: migrator({ schemaCreate: false }) },
  'a table that is locked': { ...sound, locks: [held] },
  'a prepared transaction': {
    ...sound,
    locks: [{ ...held, pid: null, preparedTransaction: 'p' }],
    preparedTransactions: [{ name: 'p', owner: 'app', ageSeconds: 900 }],
  },
  'a replica': { ...sound, server: { ...serverFact, inRecovery: true } },
  'an old server': { ...sound, server: { ...serverFact, versionNum: 110_022 } },
  'no connection left': { ...sound, server: { ...serverFact, usedConnections: 97 } },
  'go without extensions, which only a licence key would need': { ...sound, extensions: [] },
  'a lease not seen': { ...sound, lease: 'not-permitted' },
  'locks not seen': { ...sound, locks: 'not-permitted' },
};

const folder = temporaryFolder();
const file = join(folder, 'damaged.json');
beforeAll(async () => writeSituation(folder, { releases, facts: sound }));

const textOf = (facts: NonNullable<Situation['facts']>) =>
  factsText({ schemaVersion: '1', collectedAt: seenAt, facts: factsOf(facts) });

async function judge(bytes: Buffer) {
  await writeFile(file, bytes);
  return await runCli([
    ...['upgrade-preflight', '--from', '2.125.0', '--to', '2.126.0', '--json'],
    ...['--index', folder, '--facts', file, '--only', 'database'],
  ]);
}

const plain = (name: string) => name.replace(/\.[jt]s$/, '');

/**
 * Whether the text, read as a person would, tells of an instance that nothing keeps from this one upgrade: written for
 * it from the rules, and as narrowly as can be. Only what no rule goes by may have been damaged.
 */
function goInTruth(bytes: Buffer): boolean {
  const file = readSoundly(bytes);
  return file !== undefined && isSound(file.facts);
}

function isSound(facts: FactsFile['facts']): boolean {
  const { activity, locks } = facts;
  if (facts.migrator?.status !== 'seen' || activity?.status !== 'seen' || locks?.status !== 'seen')
    return false;
  const { name: role, superuser, schemaUsage, schemaCreate } = facts.migrator.value;
  const nobodyMigrates =
    activity.value.hiddenSessions === 0 &&
    activity.value.sessions.every(
      (one) => one.backend !== 'client backend' || (one.role !== role && one.role !== null),
    );
  const onTable = locks.value.filter(({ table, granted }) => granted && table === altered);
  const claimed = facts.lease?.status === 'seen' && facts.lease.value[0]?.claimed === true;
  return (
    seen(facts.ledger, (rows) => rows.length > 0 && rows.every(({ name }) => plain(name) === ran)) &&
    seenOrAbsent(facts.ledgerLock, ({ lockedRows }) => lockedRows === 0 || claimed || nobodyMigrates) &&
    seenOrAbsent(facts.lease, ([row, ...others]) => {
      if (row === undefined || others.length > 0) return false;
      const { heartbeatAgeSeconds: age, parkedAt, parkedErrorClass, parkedAppVersion } = row;
      if (row.claimed) return nobodyMigrates && (age === null || age >= 75);
      const ofAnother = parkedAppVersion !== null && parkedAppVersion !== '2.126.0';
      return parkedAt === null || parkedErrorClass === 'transient' || ofAnother;
    }) &&
    seenOrAbsent(facts.runs, () => true) &&
    seen(facts.server, ({ inRecovery, versionNum, maxConnections, reservedConnections, usedConnections }) => {
      const left = maxConnections - reservedConnections - usedConnections;
      return !inRecovery && versionNum >= 120_000 && left >= 2;
    }) &&
    (superuser || (schemaUsage && schemaCreate)) &&
    seen(facts.tables, (all) => {
      const own = all.filter(({ name }) => name === altered);
      return own.length > 0 && own.every(({ owned }) => owned);
    }) &&
    seen(facts.database, () => true) &&
    // The running release needed all that this one needs.
    seen(facts.extensions, () => true) &&
    onTable.every(({ pid, transactionSeconds: age }) => pid === null || (age !== null && age < 300)) &&
    seen(facts.preparedTransactions, (all) =>
      all.every(({ name }) => onTable.every(({ preparedTransaction }) => preparedTransaction !== name)),
    )
  );
}

describe('before any fault', () => {
  it.each(Object.entries(instances))('%s', async (name, facts) => {
    const bytes = Buffer.from(textOf(facts));
    const { code } = await judge(bytes);
    const unsure = name.endsWith('not seen') ? 3 : name.endsWith('said to be stale') ? 4 : 1;
    expect(code).toBe(name.startsWith('go') ? 0 : unsure);
    expect(goInTruth(bytes)).toBe(code === 0);
  });
});

const cases = fc.record({
  facts: fc.oneof(fc.constantFrom(sound, beforeLease), fc.constantFrom(...Object.values(instances))),
  fault: fc.oneof(documentFault, factFault),
});

// A file that is no text is asked for wrongly, as any other of the command line.
itFailsClosed(
  'facts that are judged',
  { cases, numRuns: 3000, exitCodes: [0, 1, 2, 3, 4] },
  async ({ facts, fault }) => {
    const damaged = fault.apply(Buffer.from(textOf(facts)));
    return { damaged, outcome: await judge(damaged), safeInTruth: goInTruth(damaged) };
  },
);
