import { expect, it } from 'vitest';
import { factsText, parseFactsFile } from '../../src/facts/read-facts.js';
import { serverFact, tableFact } from '../support/facts.js';

const seenAt = '2026-11-21T20:00:00.000Z';
const seen = (value: unknown) => ({ status: 'seen', value, seenAt, source: 'database' });

it('is a line for each fact, and reads as what it was written of', () => {
  const facts = {
    server: seen(serverFact),
    tables: seen([tableFact({ name: 'a "quoted" \u2028 name' })]),
    ledger: { status: 'absent', source: 'database', detail: 'there is none' },
    locks: { status: 'not-permitted', source: 'database', detail: 'permission denied' },
    readRate: { status: 'not-asked', source: 'database' },
    sortRate: { status: 'timeout', source: 'database' },
    pods: { status: 'failed', source: 'deployment', detail: 'they were not seen' },
  };
  const text = factsText({ schemaVersion: '1', collectedAt: seenAt, facts });
  expect(text.split('\n').map((line) => line.slice(0, 10))).toEqual([
    '{"schemaVe',
    '"server":{',
    '"tables":{',
    '"ledger":{',
    '"locks":{"',
    '"readRate"',
    '"sortRate"',
    '"pods":{"s',
    '}}',
    '',
  ]);
  const file = parseFactsFile(text);
  expect(file.facts).toEqual(facts);
  expect(parseFactsFile(factsText(file))).toEqual(file);
});
