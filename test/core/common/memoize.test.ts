import { expect, it } from 'vitest';
import { memoize, memoizeByObject } from '../../../src/core/common/memoize.js';

it('reads each text once', () => {
  const asked: string[] = [];
  const lengthOf = memoize((text) => {
    asked.push(text);
    return text.length;
  });
  expect(['a', 'bc', 'a'].map(lengthOf)).toEqual([1, 2, 1]);
  expect(asked).toEqual(['a', 'bc']);
});

it('reads each object once, also one that gives nothing, and one that is equal to it by itself', () => {
  const asked: object[] = [];
  const keysOf = memoizeByObject((of: object) => {
    asked.push(of);
    return undefined;
  });
  const [one, other] = [{ a: 1 }, { a: 1 }];
  for (const of of [one, other, one]) expect(keysOf(of)).toBeUndefined();
  expect(asked).toEqual([one, other]);
});
