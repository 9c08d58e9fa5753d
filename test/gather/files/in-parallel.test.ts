import { describe, expect, it } from 'vitest';
import { inParallel, parallelism } from '../../../src/gather/files/in-parallel.js';

const items = Array.from({ length: 30 }, (_, i) => i);

describe('inParallel', () => {
  it('begins in order, so many at a time and no more', async () => {
    const begun: number[] = [];
    let underWay = 0;
    let most = 0;
    await inParallel(items, async (item) => {
      begun.push(item);
      most = Math.max(most, ++underWay);
      await new Promise((done) => setImmediate(done));
      underWay -= 1;
    });
    expect(begun).toEqual(items);
    expect(most).toBe(parallelism);
  });

  it('begins no more once one has failed, and throws what it threw', async () => {
    const begun: number[] = [];
    const work = inParallel(items, async (item) => {
      begun.push(item);
      await new Promise((done) => setImmediate(done));
      if (item === 3) throw new Error('the fourth');
      await new Promise((done) => setImmediate(done));
    });
    await expect(work).rejects.toThrow('the fourth');
    await new Promise((done) => setTimeout(done, 20));
    expect(begun.length).toBeLessThan(items.length);
  });

  it('has nothing to do for no items', async () => {
    await inParallel([], () => expect.fail('there is none'));
  });
});
