import { describe, expect, it } from 'vitest';
import { didYouMean } from '../../../src/core/text/did-you-mean.js';

describe('didYouMean', () => {
  it.each<[rule: string, found: string, candidates: string[], expected: string | undefined]>([
    ['the nearest, anywhere', 'orders_count', ['orders_counts_x', 'orders_counts'], 'orders_counts'],
    ['the first of two as near', 'abcd', ['abce', 'abcf'], 'abce'],
    ['case counts for nothing', 'ORDERS', ['orders'], 'orders'],
    ['a third of the letters may differ', 'abcxyz', ['abcdez'], 'abcdez'],
    ['more may not', 'abxyzw', ['abcdef'], undefined],
    ['two of five may', 'abcxy', ['abcde'], 'abcde'],
    ['two of four may not', 'abxy', ['abcd'], undefined],
    ['none of none', 'a', [], undefined],
    ['the start of a long text', `${'a'.repeat(200)}${'b'.repeat(300)}`, ['a'.repeat(200)], 'a'.repeat(200)],
  ])('%s', (_, found, candidates, expected) => {
    expect(didYouMean(found, candidates)).toBe(
      expected === undefined ? '' : `; did you mean \`${expected}\`?`,
    );
  });
});
