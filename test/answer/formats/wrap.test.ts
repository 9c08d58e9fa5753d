import { describe, expect, it } from 'vitest';
import { columnsOf, renderTable, wrapWords } from '../../../src/answer/formats/wrap.js';
import { processorSeconds } from '../../support/processor-time.js';

describe('wrapWords', () => {
  it.each<[text: string, width: number | undefined, indent: string, wrapped: string]>([
    ['one two three', 7, '', 'one two\nthree'],
    ['one two three', 8, '  ', 'one two\n  three'],
    ['one two three four', 9, '  ', 'one two\n  three\n  four'],
    ['  one   two three', 11, '  ', '  one   two\n  three'],
    ['unbreakable one', 5, '', 'unbreakable\none'],
    ['one two three', undefined, '', 'one two three'],
    ['', 5, '', ''],
    ['漢字 かな', 8, '', '漢字\nかな'],
    ['漢字 かな', 9, '', '漢字 かな'],
  ])('%j in %j', (text, width, indent, wrapped) => {
    expect(wrapWords(text, width, indent)).toBe(wrapped);
  });
});

describe('columns of a terminal', () => {
  it.each([
    ['', 0],
    ['plain text', 10],
    ['żółć', 4],
    ['漢字', 4],
    ['ｱｲｳ', 3],
    ['１２', 4],
    ['🎉', 2],
    ['❤️', 2],
    ['🇩🇪', 2],
    ['👍🏽', 2],
    ['👨‍👩‍👧', 2],
    ['e\u0301', 1],
    ['… –', 3],
  ])('%j takes %i', (text, columns) => {
    expect(columnsOf(text)).toBe(columns);
  });

  it('measures a million characters in less than a second', () => {
    const seconds = processorSeconds(() => expect(columnsOf('漢'.repeat(1_000_000))).toBe(2_000_000));
    expect(seconds).toBeLessThan(1);
  });
});

it('a table lines up what is wider or narrower than its length, and makes text from outside harmless', () => {
  const rows = [
    ['漢字', 'a'],
    ['👨‍👩‍👧', 'd'],
    ['Zoe\u0308', 'e'],
    ['\u001b[31m', 'f'],
  ];
  expect(renderTable(['名前', 'X'], rows)).toBe(
    ['名前        X', '漢字        a', '👨‍👩‍👧          d', 'Zoe\u0308         e', '\\u001b[31m  f', ''].join(
      '\n',
    ),
  );
});
