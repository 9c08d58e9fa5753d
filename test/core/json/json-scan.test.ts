import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findDuplicateKey } from '../../../src/core/json/json-scan.js';
import { propertyRuns } from '../../support/property-runs.js';

describe('findDuplicateKey', () => {
  it.each([
    ['{"a":1,"a":2}'],
    ['{"a":1,"b":{"c":1,"c":2}}'],
    ['[{"a":1},{"b":1,"a":1,"b":2}]'],
    ['{"a":1,"\\u0061":2}'],
    ['{"a":{},"b":[],"a":1}'],
    ['{"a" :1,"a"\n:2}'],
    ['{"\\"":1,"\\"":2}'],
    ['{"a:":1,"a:":2}'],
    ['{"a":":","a":2}'],
  ])('finds the key that stands twice in %s', (text) => {
    expect(findDuplicateKey(text)).toBeDefined();
  });

  it.each([
    ['{}'],
    ['{"a":1,"b":2}'],
    ['[{"a":1},{"a":2}]'],
    ['{"a":{"a":{"a":1}}}'],
    ['{"a":"a","b":"a"}'],
    ['{"a":"{\\"a\\":1,\\"a\\":2}"}'],
    ['{"a":["b","b",":",":"]}'],
    ['{"a":"}","b":"{"}'],
  ])('finds none in %s', (text) => {
    expect(findDuplicateKey(text)).toBeUndefined();
  });

  it.each([
    ['a string of 30 MB', 'y'.repeat(propertyRuns(30 * 1024 ** 2))],
    ['one of nothing but escapes', '\\"'.repeat(propertyRuns(15 * 1024 ** 2))],
  ])('finds the key that stands twice around %s, and as one', (_, long) => {
    expect(findDuplicateKey(`{"a":"${long}","a":1}`)).toBe('a');
    expect(findDuplicateKey(`{"${long}":1}`)).toBeUndefined();
  });

  it('never finds one in what JSON.stringify writes, and always finds the one that is put in', () => {
    const key = fc.oneof(fc.string(), fc.constantFrom('"', '\\', ':', '":', '{', '}', 'a"b:c'));
    fc.assert(
      fc.property(fc.dictionary(key, fc.jsonValue(), { minKeys: 1 }), fc.boolean(), (object, pretty) => {
        const text = JSON.stringify(object, null, pretty ? 2 : undefined);
        expect(findDuplicateKey(text)).toBeUndefined();
        const [again] = Object.keys(object);
        const twice = `{${JSON.stringify(again)}: 0, ${text.slice(1)}`;
        expect(findDuplicateKey(twice)).toBe(again);
      }),
    );
  });
});
