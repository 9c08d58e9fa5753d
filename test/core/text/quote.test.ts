import { describe, expect, it } from 'vitest';
import { quote } from '../../../src/core/text/quote.js';

describe('quote', () => {
  it.each<[rule: string, text: string, expected: string]>([
    ['a text stands in quotes', 'orders', '"orders"'],
    ['on one line', 'a\nb', '"a\\nb"'],
    ['whole up to 60 characters', 'x'.repeat(60), `"${'x'.repeat(60)}"`],
    ['cut to 60 from there', 'x'.repeat(61), `"${'x'.repeat(57)}..."`],
  ])('%s', (_, text, expected) => {
    expect(quote(text)).toBe(expected);
  });
});
