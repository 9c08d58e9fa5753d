import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDocument, stringify } from 'yaml';
import type { FactsFile } from '../../src/instance/facts/facts-schema.js';
import { builtInKnownIssues } from '../../src/known-issues/built-in.js';
import type { KnownIssue } from '../../src/known-issues/records.js';
import { runCli } from '../support/cli.js';
import { tableFact } from '../support/facts.js';
import { validatorOf } from '../support/json-schema.js';
import { afterRecords, recordOf } from '../support/known-issues.js';
import { issuesNaively, type NaiveFacts } from '../support/naive-known-issues.js';
import { indexOf } from '../support/real-index.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { itFailsClosed } from './campaign.js';
import { bytesOfIndex, checkOf, documentFault, readSoundly, releasesOfSpan } from './documents.js';
import { byteFault } from './mutations.js';

/** The index says yes to the span; whether known issues take it back is for the records, and for the facts. */
const check = (knownIssues: string, ...more: string[]) =>
  runCli(checkOf('-', '--known-issues', knownIssues, ...more), { stdin: bytesOfIndex('safe') });

const folder = temporaryFolder();
const step = {
  from: '1.1.0',
  to: '1.4.0',
  releases: releasesOfSpan('safe').map(({ version }) => version),
  now: afterRecords,
};

const migration = '20260801000000_add_a_column';
const always = recordOf({
  id: 'always',
  when: 'crossing',
  affected: [{ introduced: '1.2.0', fixed: '1.3.0' }],
});
const withConditions = recordOf({
  id: 'with-conditions',
  affected: [{ introduced: '1.4.0' }],
  conditions: [
    { fact: 'edition', is: 'community' },
    { fact: 'table.ai_prompt', is: 'absent' },
    { fact: 'rows.sessions', atLeast: 1000 },
    { fact: `migration.${migration}`, is: 'pending' },
  ],
});
const elsewhere = recordOf({ id: 'elsewhere', affected: [{ introduced: '1.3.0', fixed: '1.4.0' }] });
const taken = '2026-11-02T00:00:00Z';

/** A record that is built in, and an upgrade that it alone is about, by an index that says yes to it. */
const [ours] = builtInKnownIssues.records.filter(({ id }) => id === 'ai-prompt-table-in-core-migration');
if (ours === undefined) throw new Error('it is not built in');
const landing = { from: '2.125.0', to: '2.127.0', releases: ['2.127.0'], now: afterRecords };
const ofLanding = JSON.stringify(indexOf({ version: landing.from }, { version: landing.to }));
const late = '2026-12-31T00:00:00Z';
const newer = { ...ours, modified: late };

const nextYear = '2027-01-02T00:00:00Z';
const ofOthers = [{ introduced: '99.0.0' }];

/** Records from outside with the id of the built-in one, and whether one of them makes its no a yes. */
const foreign = [
  { name: 'the same', json: ours, safe: false },
  { name: 'newer', json: newer, safe: false },
  { name: 'withdrawn', json: { ...newer, withdrawn: late }, safe: true },
  { name: 'to be withdrawn', json: { ...newer, withdrawn: nextYear }, safe: false },
  { name: 'of other releases', json: { ...newer, affected: ofOthers }, safe: true },
  { name: 'of other releases, and as old', json: { ...ours, affected: ofOthers }, safe: false },
  { name: 'of the future', json: { ...ours, modified: nextYear, affected: ofOthers }, safe: false },
] as const;

const checkLanding = (knownIssues: string) => {
  const { from, to } = landing;
  const argv = ['upgrade-check', '--json', '--from', from, '--to', to, '--index', '-'];
  return runCli([...argv, '--known-issues', knownIssues], { stdin: ofLanding, now: afterRecords });
};

/** Whether every record of the built-in id is newer than it, none is from the future, and none takes anything back. */
function replacedInTruth(bytes: Buffer): boolean {
  try {
    const records = recordsIn(bytes) ?? [];
    const same = records.filter(({ id }) => id === ours?.id);
    const at = (date: string) => new Date(date).getTime();
    return (
      same.length > 0 &&
      same.every(({ modified }) => at(modified) > at(ours?.modified ?? '')) &&
      records.every(({ modified, published }) =>
        [modified, published].every((date) => at(date) <= afterRecords.getTime() + 5 * 60_000),
      ) &&
      issuesNaively(records, {}, landing).length === 0
    );
  } catch {
    return false;
  }
}

/** Records, and whether they leave the span alone where nothing is known of the instance. */
const sources = [
  { name: 'a record', json: always, safe: false },
  { name: 'a record with conditions', json: withConditions, safe: false },
  { name: 'a record of other releases', json: elsewhere, safe: true },
  { name: 'a withdrawn record', json: { ...always, modified: taken, withdrawn: taken }, safe: true },
  { name: 'a set', json: { schemaVersion: '1', records: [elsewhere, always] }, safe: false },
] as const;

const isRecord = validatorOf('known-issue.json');
const isSet = validatorOf('known-issues.json');

/** Records as a YAML parser reads them, held to the JSON Schemas; undefined where they are not. */
function recordsIn(bytes: Buffer): readonly KnownIssue[] | undefined {
  const document = parseDocument(bytes.toString('utf8'), { uniqueKeys: true });
  if (document.errors.length > 0) return undefined;
  const json: unknown = document.toJS();
  if (isSet(json)) return (json as { records: KnownIssue[] }).records;
  return isRecord(json) ? [json as KnownIssue] : undefined;
}

function safeByRecords(bytes: Buffer): boolean {
  try {
    const records = recordsIn(bytes);
    return records !== undefined && issuesNaively(records, {}, step).length === 0;
  } catch {
    return false;
  }
}

const at = '2026-09-06T18:00:00Z';
const seen = <T>(value: T) => ({ status: 'seen' as const, value, seenAt: at, source: 'database' as const });
const table = (name: string, estimatedRows: number) =>
  tableFact({ name, estimatedRows, heapBytes: 8192, indexBytes: 8192 });
const factsOf = (facts: FactsFile['facts']): FactsFile => ({ schemaVersion: '1', collectedAt: at, facts });
const ledger = (...names: readonly string[]) =>
  seen(names.map((name) => ({ name: `${name}.js`, batch: 1, migratedAt: at })));

/** Facts of instances, and whether one of them rules the record with conditions out. */
const instances = [
  { name: 'of another edition', file: factsOf({ stated: seen({ edition: 'enterprise' }) }), safe: true },
  { name: 'with the table', file: factsOf({ tables: seen([table('ai_prompt', 5)]) }), safe: true },
  { name: 'with few rows', file: factsOf({ tables: seen([table('sessions', 10)]) }), safe: true },
  { name: 'that has migrated', file: factsOf({ ledger: ledger('20260101000000_a', migration) }), safe: true },
  {
    name: 'that it holds of',
    file: factsOf({
      stated: seen({ edition: 'community' }),
      tables: seen([table('sessions', 5000)]),
      ledger: ledger('20260101000000_a'),
    }),
    safe: false,
  },
  { name: 'of which nothing is known', file: factsOf({}), safe: false },
] as const;

/** What a facts file says of the conditions of the record, as plainly as can be. */
function factsIn({ facts: { stated, tables, ledger } }: FactsFile): NaiveFacts {
  const known: Record<string, string | number> = {};
  if (tables?.status === 'seen') {
    known['table.ai_prompt'] = tables.value.some(({ name }) => name === 'ai_prompt') ? 'present' : 'absent';
    for (const { name, estimatedRows } of tables.value) {
      if (estimatedRows !== null) known[`rows.${name}`] = estimatedRows;
    }
  }
  if (ledger?.status === 'seen') {
    const applied = ledger.value.some(({ name }) => name.replace(/\.[jt]s$/, '') === migration);
    known[`migration.${migration}`] = applied ? 'applied' : 'pending';
  }
  if (stated?.status === 'seen') Object.assign(known, stated.value);
  return known;
}

function safeByFacts(bytes: Buffer): boolean {
  const file = readSoundly(bytes);
  return file !== undefined && issuesNaively([withConditions], factsIn(file), step).length === 0;
}

/** Whether standard error names source and id of the built-in record that no longer counts. */
const saysReplaced = (stderr: string) =>
  new RegExp(`^Replaced: (?=.*${folder}/)(?=.*\\b${ours.id}\\b)`, 'm').test(stderr);

const bytesOf = (json: unknown, pretty: boolean) =>
  Buffer.from(JSON.stringify(json, null, pretty ? 2 : undefined));

describe('before any fault', () => {
  it.each(sources)('$name', async ({ json, safe }) => {
    const file = join(folder, 'whole.yaml');
    for (const bytes of [bytesOf(json, true), Buffer.from(stringify(json))]) {
      await writeFile(file, bytes);
      expect(await check(file)).toMatchObject({ code: safe ? 0 : 1 });
      expect(safeByRecords(bytes)).toBe(safe);
    }
  });

  it.each(foreign)('a record of a built-in id that is $name', async ({ json, safe }) => {
    const file = join(folder, 'foreign.json');
    const bytes = bytesOf(json, true);
    await writeFile(file, bytes);
    const { code, stderr } = await checkLanding(file);
    expect([code === 0, code === 0 && saysReplaced(stderr)]).toEqual([safe, safe]);
    expect(replacedInTruth(bytes)).toBe(safe);
  });

  it.each(instances)('an instance $name', async ({ file, safe }) => {
    const record = join(folder, 'with-conditions.json');
    await writeFile(record, bytesOf(withConditions, true));
    await writeFile(join(folder, 'facts.json'), bytesOf(file, true));
    expect(await check(record, '--facts', join(folder, 'facts.json'))).toMatchObject({ code: safe ? 0 : 1 });
    expect(safeByFacts(bytesOf(file, true))).toBe(safe);
  });
});

describe('damaged', async () => {
  const file = join(folder, 'known-issues.yaml');
  const anyCase = fc.oneof(
    fc
      .record({ source: fc.constantFrom(...sources), pretty: fc.boolean(), fault: documentFault })
      .map(({ source, pretty, fault }) => ({ fault, bytes: bytesOf(source.json, pretty) })),
    fc
      .record({ source: fc.constantFrom(...sources), fault: byteFault })
      .map(({ source, fault }) => ({ fault, bytes: Buffer.from(stringify(source.json)) })),
  );
  itFailsClosed('known issues in a file', { cases: anyCase, numRuns: 4000 }, async ({ fault, bytes }) => {
    const damaged = fault.apply(bytes);
    await writeFile(file, damaged);
    return { damaged, outcome: await check(file), safeInTruth: safeByRecords(damaged) };
  });

  const foreignFile = join(folder, 'damaged-foreign.yaml');
  itFailsClosed(
    'records of a built-in id',
    {
      cases: fc.record({ record: fc.constantFrom(...foreign), pretty: fc.boolean(), fault: documentFault }),
      numRuns: 2000,
    },
    async ({ record, pretty, fault }) => {
      const damaged = fault.apply(bytesOf(record.json, pretty));
      await writeFile(foreignFile, damaged);
      const outcome = await checkLanding(foreignFile);
      const safeInTruth = replacedInTruth(damaged) && saysReplaced(outcome.stderr);
      return { damaged, outcome, safeInTruth };
    },
  );

  const record = join(folder, 'a-record.json');
  await writeFile(record, bytesOf(withConditions, true));
  const factsFile = join(folder, 'damaged-facts.json');
  // A file of facts that is no text is asked for wrongly, as any other of the command line.
  itFailsClosed(
    'facts in a file',
    {
      cases: fc.record({
        instance: fc.constantFrom(...instances),
        pretty: fc.boolean(),
        fault: documentFault,
      }),
      numRuns: 4000,
      exitCodes: [0, 1, 2, 3, 4],
    },
    async ({ instance, pretty, fault }) => {
      const damaged = fault.apply(bytesOf(instance.file, pretty));
      await writeFile(factsFile, damaged);
      // Facts have the artifacts of the span read, and a campaign asks nothing of a network.
      const outcome = await check(record, '--facts', factsFile, '--offline');
      return { damaged, outcome, safeInTruth: safeByFacts(damaged) };
    },
  );
});
