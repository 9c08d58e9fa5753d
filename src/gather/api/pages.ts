import { stringifyExactJson } from '../../core/json/exact-json.js';
import { LightspanError } from '../../core/lightspan-error.js';

/** More pages than any list has: a server that never ends its list is not followed for ever. */
const mostPages = 1000;

/**
 * Every item of a list that comes in pages. It ends at a page without items: the contract has no counts, and a short
 * page is not the end.
 *
 * @param what the name of the list in messages
 * @param readPage counted from 1
 * @throws {LightspanError} `invalid-response` for a list that repeats an item of another page, and for too many pages
 */
export async function readAllPages<T>(
  what: string,
  readPage: (page: number) => Promise<readonly T[]>,
): Promise<T[]> {
  const items: T[] = [];
  const pageOf = new Map<string, number>();
  for (let page = 1; page <= mostPages; page += 1) {
    const rowsOfPage = await readPage(page);
    if (rowsOfPage.length === 0) return items;
    for (const item of rowsOfPage) {
      const text = stringifyExactJson(item);
      const before = pageOf.get(text) ?? page;
      // An item that moved to this page may have moved an unseen one to the page before it.
      if (before !== page) throw contradiction(`${what}: page ${page} repeats an item of page ${before}`);
      pageOf.set(text, page);
      items.push(item);
    }
  }
  throw contradiction(`${what}: it has more than ${mostPages} pages`);
}

function contradiction(why: string): LightspanError {
  return new LightspanError('invalid-response', why, {
    hint: 'It may have changed while being read: run the command again.',
  });
}
