import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { underKeys } from '../../src/words/yaml-map.js';

describe('lines of a YAML map', () => {
  it('stand under their keys', () => {
    expect(underKeys(['bi', 'light-dash'], ['a:', '  b: 1'])).toEqual([
      'bi:',
      '  light-dash:',
      '    a:',
      '      b: 1',
    ]);
    expect(underKeys([], ['a: 1'])).toEqual(['a: 1']);
  });

  it.each(['our charts', '12', 'true', 'no', 'a: b', '#a', 'a"b', 'a\nb', '\u202e', ''])(
    'stand under %j as it is called',
    (key) => {
      const lines = underKeys([key], ['a: 1']);
      expect(lines.join()).not.toMatch(/[\n\u202e]/);
      expect(Object.keys(Object(parse(lines.join('\n'), { version: '1.1' })))).toEqual([key]);
    },
  );
});
