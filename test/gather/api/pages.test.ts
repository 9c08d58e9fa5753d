import { describe, expect, it } from 'vitest';
import { readAllPages } from '../../../src/gather/api/pages.js';

describe('readAllPages', () => {
  const readFrom = (...pages: readonly (readonly string[])[]) =>
    readAllPages('users', async (page) => pages[page - 1] ?? []);

  it.each<[ends: string, pages: readonly (readonly string[])[], items: readonly string[]]>([
    ['at an empty page, and not at a short one', [['a', 'b'], ['c'], [], ['d']], ['a', 'b', 'c']],
    ['at once where it is empty', [[]], []],
    ['with what one page holds twice', [['a', 'a'], []], ['a', 'a']],
  ])('ends %s', async (_, pages, items) => {
    expect(await readFrom(...pages)).toEqual(items);
  });

  it.each([
    ['the same page again', [['a'], ['a']]],
    [
      'an item that moved, and so hid another',
      [
        ['a', 'b'],
        ['b', 'd'],
      ],
    ],
  ])('refuses %s', async (_, pages) => {
    await expect(readFrom(...pages)).rejects.toMatchObject({
      code: 'invalid-response',
      message: 'users: page 2 repeats an item of page 1',
    });
  });

  it('does not follow a list that never ends', async () => {
    let read = 0;
    const endless = async (page: number) => {
      read = page;
      return [String(page)];
    };
    await expect(readAllPages('users', endless)).rejects.toThrow('users: it has more than 1000 pages');
    expect(read).toBe(1000);
  });
});
