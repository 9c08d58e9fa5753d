import { describe, expect, it } from 'vitest';
import { wrapWords } from '../../src/render/wrap.js';

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
