import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  shellPlaceholder,
  shellWord,
  sqlName,
  sqlText,
  underKeys,
} from '../../src/core/text/quoted-words.js';

const sh = (script: string, env = {}) =>
  execFileSync('sh', ['-c', script], { env, stdio: 'pipe' }).toString();

describe('shellWord', () => {
  it('leaves plain words as they are', () => {
    expect(shellWord('lightdash-1.0.0.dump')).toBe('lightdash-1.0.0.dump');
  });

  it('is one word to a real shell, whatever it holds', () => {
    const special = ' it\'s " $HOME `id` $(id) \\ * ;ls #x ~ ~root/values.yaml !! -n'.split(' ');
    const nasty = [...special, ' ', '\n'];
    const words = [...nasty, ...fc.sample(fc.string({ unit: 'binary' }), { numRuns: 200, seed: 1 })].filter(
      (word) => !word.includes('\0') && !/[\uD800-\uDFFF]/.test(word),
    );
    expect(
      sh(`printf '%s\\0' ${words.map(shellWord).join(' ')}`, { HOME: '/home/somebody' })
        .split('\0')
        .slice(0, -1),
    ).toEqual(words);
  });
});

describe('shellPlaceholder', () => {
  const echo = `echo ${shellPlaceholder('NAMESPACE', 'set your namespace')}`;

  it('is the value where it is set', () => {
    expect(sh(echo, { NAMESPACE: 'a b' })).toBe('a b\n');
  });

  it('stops the shell, saying what to set, where it is not', () => {
    expect(() => sh(echo)).toThrow(/NAMESPACE: set your namespace/);
  });
});

describe('a name in SQL', () => {
  it.each([
    ['projects', '"projects"'],
    ['user', '"user"'],
    ['Projects', '"Projects"'],
    ['a b', '"a b"'],
    ['x"; DROP TABLE y; --', '"x""; DROP TABLE y; --"'],
    ['1st', '"1st"'],
    ['', '""'],
  ])('%s is %s', (name, text) => expect(sqlName(name)).toBe(text));
});

describe('a text in SQL', () => {
  it.each([
    ['transfer', "'transfer'"],
    ["it's", "'it''s'"],
    ["\\'; --", "E'\\\\''; --'"],
  ])('%s is %s', (value, text) => expect(sqlText(value)).toBe(text));
});

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
