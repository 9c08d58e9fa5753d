import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { exactNumber } from '../../../src/core/json/exact-json.js';
import { isRecord } from '../../../src/core/json/is-record.js';

it.each<[string, unknown, boolean]>([
  ['an object', {}, true],
  ['an object without a prototype', Object.create(null), true],
  ['an object that calls itself a number', { isLosslessNumber: true, value: '1.50' }, true],
  ['a list', [], false],
  ['null', null, false],
  ['a string', 'a', false],
  ['a number', 1, false],
  ['a number that a double would write differently', exactNumber('1.50'), false],
])('isRecord: %s', (_, value, expected) => expect(isRecord(value)).toBe(expected));

it('isRecord imports nothing', () => {
  expect(readFileSync('src/core/json/is-record.ts', 'utf8')).not.toMatch(/^import/m);
});
