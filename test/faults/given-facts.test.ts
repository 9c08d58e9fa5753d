import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { factsText } from '../../src/instance/facts/read-facts.js';
import { runCli, testNow } from '../support/cli.js';
import { factsOf, healthyFacts, upgradeTo, writeSituation } from '../support/preflight.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { itFailsClosed } from './campaign.js';

/** Facts of another day, and facts that could not be read, given to each command that judges. */

const folder = temporaryFolder();
const file = join(folder, 'given.json');
const sound = factsOf({ ...healthyFacts('20260801000000_old'), stated: { edition: 'community' } });
beforeAll(async () => writeSituation(folder, upgradeTo([])));

/** What can stop this upgrade, by what the checks say that they look at; and what of it changes by the hour. */
const decides = [
  ...['ledger', 'ledgerLock', 'lease', 'server', 'database', 'migrator', 'activity', 'locks', 'tables'],
  ...['preparedTransactions', 'extensions', 'dependents'],
].filter((key) => key in sound);
const ofTheHour = ['ledgerLock', 'lease', 'activity', 'locks', 'preparedTransactions'].filter(
  (key) => key in sound,
);

const commands = {
  'upgrade-check': ['upgrade-check'],
  'upgrade-plan': ['upgrade-plan'],
  'upgrade-preflight': ['upgrade-preflight', '--only', 'database'],
};
const ask = async (command: keyof typeof commands, text: string) => {
  await writeFile(file, text);
  return await runCli([
    ...commands[command],
    ...['--from', '2.0.0', '--to', '2.1.0', '--index', folder, '--facts', file, '--json'],
  ]);
};
const commandNames = fc.constantFrom(...(Object.keys(commands) as (keyof typeof commands)[]));

const hour = 3_600_000;
const textOf = (facts: object, ageMs: number) => {
  const seenAt = new Date(testNow.getTime() - ageMs).toISOString();
  const dated = Object.fromEntries(
    Object.entries(facts).map(([key, fact]) => [key, 'seenAt' in fact ? { ...fact, seenAt } : fact]),
  );
  return factsText({ schemaVersion: '1', collectedAt: seenAt, facts: dated });
};

it.each(Object.keys(commands) as (keyof typeof commands)[])('%s: a yes before any fault', async (command) => {
  expect(await ask(command, textOf(sound, hour))).toMatchObject({ code: 0 });
});

itFailsClosed(
  'facts of another day',
  {
    cases: fc.record({
      command: commandNames,
      ageMs: fc
        .oneof(fc.integer({ min: 0, max: 48 }), fc.integer({ min: 0, max: 400 * 24 }))
        .map((n) => n * hour),
      fault: fc.constant({ kind: 'retype' as const }),
    }),
    numRuns: 300,
  },
  async ({ command, ageMs }) => {
    const text = textOf(sound, ageMs);
    return {
      damaged: Buffer.from(`${command}, ${ageMs / hour} hours`),
      outcome: await ask(command, text),
      safeInTruth: ageMs <= 24 * hour,
    };
  },
);

itFailsClosed(
  'facts that could not be read',
  {
    cases: fc.record({
      command: commandNames,
      keys: fc.subarray(Object.keys(sound), { minLength: 1, maxLength: 3 }),
      status: fc.constantFrom('not-permitted', 'timeout', 'failed'),
      fault: fc.constant({ kind: 'drop' as const }),
    }),
    numRuns: 1000,
  },
  async ({ command, keys, status }) => {
    const unread = Object.fromEntries(keys.map((key) => [key, { status, source: 'database' }]));
    const text = textOf({ ...sound, ...unread }, hour);
    return {
      damaged: Buffer.from(`${command}: ${keys.join(', ')} ${status}`),
      outcome: await ask(command, text),
      safeInTruth: !keys.some((key) => decides.includes(key)),
    };
  },
);

it('each of what changes by the hour alone takes the yes away after a day', async () => {
  for (const key of ofTheHour) {
    const old = new Date(testNow.getTime() - 25 * hour).toISOString();
    const facts = JSON.parse(textOf(sound, hour)).facts;
    facts[key].seenAt = old;
    const text = JSON.stringify({ schemaVersion: '1', collectedAt: testNow.toISOString(), facts });
    expect((await ask('upgrade-check', text)).code, key).toBe(3);
  }
});
