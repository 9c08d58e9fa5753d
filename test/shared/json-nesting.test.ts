import { describe, expect, it } from 'vitest';
import { maxJsonNesting, nestsTooDeep } from '../../src/shared/json-scan.js';

const nested = (levels: number, open = '[', close = ']') => open.repeat(levels) + close.repeat(levels);

describe('nestsTooDeep', () => {
  it.each([
    ['as many levels as are read', nested(maxJsonNesting)],
    ['brackets in a string', JSON.stringify('['.repeat(1000))],
    ['brackets behind an escaped quote', JSON.stringify(`"${'{'.repeat(1000)}`)],
    ['brackets behind an escaped backslash, in the next string', JSON.stringify(['\\', '['.repeat(1000)])],
    ['thousands of texts that are a bracket', JSON.stringify(Array(5000).fill(['[', ']', '{']))],
    ['brackets in a key', JSON.stringify({ ['['.repeat(1000)]: 1 })],
    ['levels that end before others begin', `[${nested(2)},${'[],'.repeat(1000)}{}]`],
    ['a string that does not end', `"${'['.repeat(1000)}`],
    ['nothing', ''],
  ])('is false of %s', (_, text) => {
    expect(nestsTooDeep(text)).toBe(false);
  });

  it.each([
    ['lists', nested(maxJsonNesting + 1)],
    ['objects', nested(maxJsonNesting + 1, '{"a":', '}')],
    ['lists without end', '['.repeat(maxJsonNesting + 1)],
    ['objects behind a string that ends in a backslash', `["\\\\",${'{"a":'.repeat(maxJsonNesting)}`],
    ['lists behind texts that would close them', '["]",'.repeat(maxJsonNesting + 1)],
    ['100,000 lists', '['.repeat(100_000)],
    ['lists and objects in turn', '[{"a":'.repeat(maxJsonNesting / 2 + 1)],
  ])('is true of one level more, of %s', (_, text) => {
    expect(nestsTooDeep(text)).toBe(true);
  });
});
