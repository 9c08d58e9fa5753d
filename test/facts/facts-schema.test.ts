import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { factsFileSchema } from '../../src/facts/facts-schema.js';

/** What was seen in the incidents that scenarios rebuild: of each fact every value, once. */
function seenInScenarios(): readonly (readonly [fact: string, value: object])[] {
  const folder = 'test/checks/scenarios';
  const values = readdirSync(folder).flatMap((file) => {
    const { facts } = JSON.parse(readFileSync(`${folder}/${file}`, 'utf8'));
    return Object.entries<{ status: string; value?: object }>(facts).flatMap(([fact, { value }]) =>
      value === undefined ? [] : [[fact, JSON.stringify(value)] as const],
    );
  });
  return [
    ...new Map(values.map(([fact, text]) => [`${fact} ${text}`, [fact, JSON.parse(text)] as const])).values(),
  ];
}

/** All objects in a value, and itself where it is one. */
function objectsIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(objectsIn);
  return Array.isArray(value) ? inner : [value as Record<string, unknown>, ...inner];
}

const isFile = (fact: string, value: unknown) => {
  const observed = { status: 'seen', value, seenAt: '2026-11-21T20:00:00Z', source: 'database' };
  return factsFileSchema.safeParse({
    schemaVersion: '1',
    collectedAt: '2026-11-21T20:00:00Z',
    facts: { [fact]: observed },
  }).success;
};

/** What only some who collect can tell. */
const mayBeLeftOut = ['context'];

describe('what was seen', () => {
  // What is stated has the names of facts for keys, which parseFactsFile looks at.
  const all = seenInScenarios().filter(([fact]) => fact !== 'stated');
  it.each([...new Set(all.map(([fact]) => fact))])(
    'of %s is read, with its keys, all of them and no more',
    (name) => {
      for (const [fact, value] of all.filter(([other]) => other === name)) {
        expect(isFile(fact, value)).toBe(true);
        const copy = structuredClone(value);
        for (const object of objectsIn(copy)) {
          for (const key of Object.keys(object)) {
            const { [key]: held } = object;
            delete object[key];
            expect([key, isFile(fact, copy)]).toEqual([key, mayBeLeftOut.includes(key)]);
            object[key] = Symbol('neither of any kind');
            expect([key, isFile(fact, copy)]).toEqual([key, false]);
            object[key] = held;
          }
          object.more = 1;
          expect([fact, isFile(fact, copy)]).toEqual([fact, false]);
          delete object.more;
        }
      }
    },
  );

  it.each([
    { status: 'seen', value: { name: 'a', sizeBytes: 1 }, seenAt: 'today', source: 'database' },
    { status: 'seen', value: { name: 'a', sizeBytes: 1 }, source: 'database' },
    { status: 'seen', value: { name: 'a', sizeBytes: 1 }, seenAt: '2026-11-21T20:00:00Z', source: 'guess' },
    {
      status: 'seen',
      value: { name: 'a', sizeBytes: 1 },
      seenAt: '2026-11-21T20:00:00Z',
      source: 'database',
      more: 1,
    },
    { status: 'timeout', source: 'database', more: 1 },
    { status: 'timeout' },
  ])('is not read from %j', (database) => {
    const file = { schemaVersion: '1', collectedAt: '2026-11-21T20:00:00Z', facts: { database } };
    expect(factsFileSchema.safeParse(file).success).toBe(false);
  });
});
