import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasDuplicateKeys } from '../../src/release-safety/json-keys.js';

describe('hasDuplicateKeys', () => {
  it.each([
    ['{"a":1,"a":2}', 1],
    ['{"a":1,"b":{"c":1,"c":2}}', 3],
    ['[{"a":1},{"b":1,"a":1,"b":2}]', 3],
    ['{"a":1,"\\u0061":2}', 2],
    ['{"a":{},"b":[],"a":1}', 2],
    ['{"a" :1,"a"\n:2}', 1],
    ['{"\\"":1,"\\"":2}', 1],
    ['{"a:":1,"a:":2}', 1],
    ['{"a":":","a":2}', 1],
  ])('finds the key that stands twice in %s', (text, leastKeys) => {
    expect(hasDuplicateKeys(text, leastKeys)).toBe(true);
  });

  it.each([
    ['{}', 0],
    ['{"a":1,"b":2}', 2],
    ['[{"a":1},{"a":2}]', 2],
    ['{"a":{"a":{"a":1}}}', 3],
    ['{"a":"a","b":"a"}', 2],
    ['{"a":"{\\"a\\":1,\\"a\\":2}"}', 1],
    ['{"a":["b","b",":",":"]}', 1],
    ['{"a":"}","b":"{"}', 2],
  ])('finds none in %s', (text, leastKeys) => {
    expect(hasDuplicateKeys(text, leastKeys)).toBe(false);
  });

  it('never finds one in what JSON.stringify writes, and always finds the one that is put in', () => {
    const key = fc.oneof(fc.string(), fc.constantFrom('"', '\\', ':', '":', '{', '}', 'a"b:c'));
    fc.assert(
      fc.property(fc.dictionary(key, fc.jsonValue(), { minKeys: 1 }), fc.boolean(), (object, pretty) => {
        const text = JSON.stringify(object, null, pretty ? 2 : undefined);
        expect(hasDuplicateKeys(text, 0)).toBe(false);
        const again = JSON.stringify(Object.keys(object)[0]);
        expect(hasDuplicateKeys(`{${again}: 0, ${text.slice(1)}`, Object.keys(object).length)).toBe(true);
      }),
    );
  });
});
