import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { jsonSchemas } from '../../../scripts/json-schemas.js';
import { factsFileSchema } from '../../../src/instance/facts/facts-schema.js';

it('facts have the schema that is published, key by key', () => {
  expect(jsonSchemas['facts.json']).toBe(readFileSync('schemas/facts.json', 'utf8'));
});

const at = { seenAt: '2026-11-21T20:00:00Z', source: 'database' };
const value = { name: 'a', sizeBytes: 1 };

it.each([
  { status: 'seen', value, ...at, seenAt: 'today' },
  { status: 'seen', value, source: 'database' },
  { status: 'seen', value, ...at, source: 'guess' },
  { status: 'seen', value, ...at, more: 1 },
  { status: 'seen', value: { ...value, more: 1 }, ...at },
  { status: 'timeout', source: 'database', more: 1 },
  { status: 'timeout' },
])('a fact is not read from %j', (database) => {
  const file = (database: object) => ({ schemaVersion: '1', collectedAt: at.seenAt, facts: { database } });
  expect(factsFileSchema.safeParse(file({ status: 'seen', value, ...at })).success).toBe(true);
  expect(factsFileSchema.safeParse(file(database)).success).toBe(false);
});
