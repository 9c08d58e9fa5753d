import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { factsText } from '../../src/instance/facts/read-facts.js';
import { runCli } from '../support/cli.js';
import { indexFact, tableFact } from '../support/facts.js';
import {
  factsOf,
  healthyFacts,
  idleLease,
  idleQueue,
  ledgerOf,
  type Situation,
  writeSituation,
} from '../support/preflight.js';
import { listen } from '../support/server.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { itFailsClosed } from './campaign.js';
import { documentFault, readSoundly } from './documents.js';
import { factFault, seen, seenOrAbsent } from './facts.js';

/** Facts of an instance that was upgraded, and that says of itself that it is ready. */

const names = ['20260801000000_old', '20260901000000_alter'] as const;
const releases: Situation['releases'] = [
  { version: '2.0.0', migrations: [{ name: names[0] }] },
  { version: '2.1.0', migrations: [{ name: names[1], tables: ['projects'] }] },
];

const index = indexFact({ name: 'i' });
const sound = { ...healthyFacts(...names), indexes: [index], tables: [tableFact({ name: 'projects' })] };

const instances: Readonly<Record<string, NonNullable<Situation['facts']>>> = {
  verified: sound,
  'not migrated': { ...sound, ledger: ledgerOf(names[0]) },
  newer: { ...sound, ledger: ledgerOf(...names, '20261001000000_newer') },
  locked: { ...sound, ledgerLock: { rows: 1, lockedRows: 1 } },
  migrating: {
    ...sound,
    lease: [{ ...idleLease, claimed: true, lastHeartbeat: '2026-09-06T17:59:57Z', heartbeatAgeSeconds: 3 }],
  },
  parked: { ...sound, lease: [{ ...idleLease, parkedAt: '2026-09-06T18:00:00Z' }] },
  'an index that is not valid': { ...sound, indexes: [{ ...index, valid: false }] },
  'jobs that are stuck': { ...sound, queue: { ...idleQueue, jobs: 1, locked: 1, lockedTooLong: 1 } },
};

const folder = temporaryFolder();
const file = join(folder, 'damaged.json');
const server = createServer((request, response) => {
  if (request.url === '/') response.setHeader('Lightdash-Version', '2.1.0').end();
  else response.end(JSON.stringify({ status: 'ready' }));
});
let url = '';
beforeAll(async () => {
  await writeSituation(folder, { releases, facts: sound });
  url = `http://127.0.0.1:${await listen(server)}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const textOf = (facts: NonNullable<Situation['facts']>, collectedAt = '2026-09-06T18:00:00Z') =>
  factsText({ schemaVersion: '1', collectedAt, facts: factsOf(facts) });

async function verify(bytes: Buffer, ...facts: string[]) {
  await writeFile(file, bytes);
  return await runCli([
    ...['upgrade-verify', '--instance', url, '--version', '2.1.0', '--window', '0s', '--json'],
    ...['--index', folder, ...facts],
  ]);
}

const plain = (name: string) => name.replace(/\.[jt]s$/, '');

/** Whether the text tells of an instance as it must be, read as a person would, and as narrowly as can be. */
function verifiedInTruth(bytes: Buffer): boolean {
  const facts = readSoundly(bytes)?.facts;
  if (facts === undefined) return false;
  const { ledger, ledgerLock, lease, runs, indexes, queue: jobs } = facts;
  const applied = ledger?.status === 'seen' ? ledger.value.map(({ name }) => plain(name)) : [];
  const released = Date.parse('2026-09-04T00:00:00Z');
  const isOld = (name: string) =>
    Date.parse(`${name.slice(0, 4)}-${name.slice(4, 6)}-${name.slice(6, 8)}`) < released;
  return (
    names.every((name) => applied.includes(name)) &&
    applied.every((name) => names.includes(name as (typeof names)[0]) || isOld(name)) &&
    seenOrAbsent(ledgerLock, ({ lockedRows }) => lockedRows === 0) &&
    seenOrAbsent(
      lease,
      ([row, ...others]) => row?.claimed === false && row.parkedAt === null && others.length === 0,
    ) &&
    facts.activity?.status === 'seen' &&
    facts.migrator?.status === 'seen' &&
    seenOrAbsent(runs, ({ newest }) => newest?.outcome !== 'parked') &&
    seen(indexes, (all) => all.every(({ valid }) => valid)) &&
    seenOrAbsent(
      jobs,
      ({ lockedTooLong, locked, due, oldestDueSeconds }) =>
        lockedTooLong === 0 && (locked > 0 || due === 0 || (oldestDueSeconds ?? 0) < 300),
    )
  );
}

describe('before any fault', () => {
  it.each(Object.entries(instances))('%s', async (name, facts) => {
    const bytes = Buffer.from(textOf(facts));
    const { code } = await verify(bytes, '--facts', file);
    expect(code).toBe(name === 'verified' ? 0 : 1);
    expect(verifiedInTruth(bytes)).toBe(code === 0);
  });
});

const cases = fc.record({
  facts: fc.oneof(fc.constant(sound), fc.constantFrom(...Object.values(instances))),
  fault: fc.oneof(documentFault, factFault),
});

// A file that is no text is asked for wrongly, as any other of the command line.
itFailsClosed(
  'facts after an upgrade',
  { cases, numRuns: 1500, exitCodes: [0, 1, 2, 3, 4] },
  async ({ facts, fault }) => {
    const damaged = fault.apply(Buffer.from(textOf(facts)));
    const outcome = await verify(damaged, '--facts', file);
    return { damaged, outcome, safeInTruth: verifiedInTruth(damaged) };
  },
);
