import { describe, expect, it } from 'vitest';
import { type Page, readAllPages } from '../../src/lightdash-api/pages.js';

const told = { page: undefined, pageSize: undefined, totalPageCount: undefined, totalResults: undefined };

describe('all pages', () => {
  const readFrom = (...pages: readonly Page<string>[]) =>
    readAllPages('users', async (page) => pages[page - 1] ?? { items: [], pagination: undefined });
  const page = (items: readonly string[], more: Partial<typeof told> | object = {}): Page<string> => ({
    items,
    pagination: { ...told, ...more },
  });

  it.each<[ends: string, pages: readonly Page<string>[], items: readonly string[]]>([
    ['where its count of pages says so', [page(['a'], { totalPageCount: 1 }), page(['b'])], ['a']],
    ['where its count of items is met', [page(['a'], { totalResults: 1 }), page(['b'])], ['a']],
    ['at an empty page, and not at a short one', [page(['a', 'b']), page(['c']), page([])], ['a', 'b', 'c']],
    ['at once where it is empty', [page([])], []],
    ['with what one page holds twice', [page(['a', 'a'], { totalResults: 2 })], ['a', 'a']],
  ])('end %s', async (_, pages, items) => {
    expect(await readFrom(...pages)).toEqual(items);
  });

  it.each<[what: string, pages: readonly Page<string>[], message: string]>([
    ['the same page again', [page(['a']), page(['a'])], 'page 2 repeats an item of page 1'],
    [
      'an item that moved, and so hid another',
      [page(['a', 'b'], { totalResults: 4 }), page(['b', 'd'], { totalResults: 4 })],
      'page 2 repeats an item of page 1',
    ],
    ['another page', [page([], { page: 2 })], 'page 2 came for page 1'],
    ['more items than were counted', [page(['a', 'b'], { totalResults: 1 })], 'page 1 alone has 2'],
    [
      'other counts than before',
      [page(['a'], { totalPageCount: 3 }), page(['b'])],
      'page 2 has other counts than those before it',
    ],
    [
      'an empty page too early',
      [page(['a'], { totalPageCount: 3 }), page([], { totalPageCount: 3 })],
      'page 2 is empty',
    ],
    [
      'fewer items than were counted',
      [page(['a'], { totalResults: 2 }), page([], { totalResults: 2 })],
      'its count of items is 2, but up to page 2 there were 1',
    ],
  ])('that hold %s are refused', async (_, pages, message) => {
    await expect(readFrom(...pages)).rejects.toMatchObject({
      code: 'invalid-response',
      message: expect.stringContaining(message),
    });
  });

  it('that never end are not followed for ever', async () => {
    let read = 0;
    const endless = async (number: number) => {
      read = number;
      return page([String(number)]);
    };
    await expect(readAllPages('users', endless)).rejects.toThrow('users: it has more than 1000 pages');
    expect(read).toBe(1000);
  });
});
