import { describe, expect, it } from 'vitest';
import { type Page, readAllPages, requireConsistentPage } from '../../src/lightdash-api/pages.js';

const told = { page: undefined, pageSize: undefined, totalPageCount: undefined, totalResults: undefined };

describe('a page', () => {
  it.each([
    [1, 'page 1 came for page 2'],
    [3, 'page 3 came for page 2'],
  ])('that says that it is %i is refused for 2', (page, message) => {
    expect(() => requireConsistentPage('users', 2, { items: [], pagination: { ...told, page } })).toThrow(
      message,
    );
  });

  it.each([2, undefined])('that says that it is %s is taken for 2', (page) => {
    requireConsistentPage('users', 2, { items: ['a'], pagination: { ...told, page, totalResults: 1 } });
  });

  it('holds no more than there is', () => {
    const pagination = { ...told, totalResults: 1 };
    expect(() => requireConsistentPage('users', 1, { items: ['a', 'b'], pagination })).toThrow(
      'its count of items is 1, but page 1 alone has 2',
    );
  });
});

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
    [
      'fewer pages than before',
      [page(['a'], { totalPageCount: 3 }), page(['b'], { totalPageCount: 2 })],
      'page 2 has other counts than those before it',
    ],
    [
      'no count of pages any more',
      [page(['a'], { totalPageCount: 3 }), page(['b'])],
      'page 2 has other counts than those before it',
    ],
    [
      'another count than before',
      [page(['a'], { totalResults: 3 }), page(['b'], { totalResults: 2 })],
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
});
