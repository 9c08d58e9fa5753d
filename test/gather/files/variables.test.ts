import { describe, expect, it } from 'vitest';
import { fillVariables, readVariables } from '../../../src/gather/files/variables.js';

describe('readVariables', () => {
  it.each<[text: string, variables: Record<string, string | null>]>([
    ['A=1.2.3\n', { A: '1.2.3' }],
    ['\uFEFFA=1.2.3\r\nB=x\r\n', { A: '1.2.3', B: 'x' }],
    ['export A="1.2.3" # now\n', { A: '1.2.3' }],
    [
      "A='registry:5000/lightdash/lightdash:1.2.3@sha256:ab'\n",
      { A: 'registry:5000/lightdash/lightdash:1.2.3@sha256:ab' },
    ],
    ['A=\n', { A: '' }],
    ['# A=1.2.3\n', {}],
    // Told in more than one way, or in one that programs read differently.
    ['A=1\nA=1\n', { A: null }],
    ['A=$B\n', { A: null }],
    ['A=a b\n', { A: null }],
  ])('%j', (text, variables) => {
    expect(Object.fromEntries(readVariables(text, '.env'))).toEqual(variables);
  });

  it.each([
    ['A: 1.2.3', 1],
    ['A:1.2.3', 1],
    ['export\tA=1.2.3', 1],
    ['A\t=1.2.3', 1],
    ['\tA=1.2.3', 1],
    ['\u00a0A=1.2.3', 1],
    ['A=1.2.3\t# now', 1],
    ['A=1.2.3\u2028', 1],
    ['B="x" A=1.2.3', 1],
    ['B=1\rA=1.2.3', 1],
    ['# B\n\nB=`\nA: 1.2.3\nC=`', 4],
    ['B="\nA=1\n"\n', 1],
    ['A "1.2.3"', 1],
    ['A=1\nB', 2],
  ])('refuses %j by its line', (text, line) => {
    expect(() => readVariables(`${text}\n`, 'a/.env')).toThrow(`a/.env:${line}: `);
  });
});

describe('fillVariables', () => {
  const variables = new Map([
    ['A', '1.2.3'],
    ['EMPTY', ''],
    ['NOT_REPORTED', null],
  ]);
  it.each<[text: string, filled: string | undefined]>([
    ['x:1', 'x:1'],
    ['x:$A', 'x:1.2.3'],
    [`x:\${A}`, 'x:1.2.3'],
    [`x:\${A:-9}`, 'x:1.2.3'],
    [`x:\${A-9}`, 'x:1.2.3'],
    [`x:\${A:?no}`, 'x:1.2.3'],
    [`x:\${B:-9.9.9}`, 'x:9.9.9'],
    [`x:\${B-9.9.9}`, 'x:9.9.9'],
    [`x:\${B:-}`, 'x:'],
    [`x:\${EMPTY:-9.9.9}`, 'x:9.9.9'],
    [`x:\${EMPTY-9.9.9}`, 'x:'],
    [`\${A}:\${A}`, '1.2.3:1.2.3'],
    ['x:$B', undefined],
    [`x:\${B}`, undefined],
    [`x:\${B:?set it}`, undefined],
    [`x:\${EMPTY:?set it}`, undefined],
    // A default does not stand in for what is set to something else.
    [`x:\${NOT_REPORTED:-9.9.9}`, undefined],
    ['x:$NOT_REPORTED', undefined],
    [`x:\${A:+9}`, undefined],
    [`x:\${B:-\${A}}`, undefined],
    ['x:$$A', undefined],
    ['x:$', undefined],
    [`x:\${A`, undefined],
    [`x:\${1}`, undefined],
  ])('%s', (text, filled) => {
    expect(fillVariables(text, variables)).toBe(filled);
  });
});
