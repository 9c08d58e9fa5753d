import { expect, it } from 'vitest';
import { fillIn } from '../../../src/sources/deployment/compose-variables.js';

it.each([
  ['}', null],
  [':-b}', null],
  [':+b}', null],
  [':?b}', null],
  // Whether it is empty does not matter here: it is set.
  ['+b}', 'b'],
])('a variable that is set to what cannot be told, with %s behind its name: %s', (rest, filled) => {
  expect(fillIn(`\${A${rest}`, () => null)).toEqual({ ok: true, text: filled });
});

it.each([':-', ':?', ':+'])(
  'a word that holds another %s is refused, for versions of compose differ',
  (sign) => {
    expect(fillIn(`\${A-b${sign}c}`, () => '1')).toEqual({
      ok: false,
      fault: `\${A-…} holds another of :- :? :+`,
    });
  },
);
