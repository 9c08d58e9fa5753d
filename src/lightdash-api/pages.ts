import { LightspanError } from '../errors.js';
import { doubleOf, isExactNumber, stringifyExactJson } from '../shared/exact-json.js';
import { isRecord } from '../shared/is-record.js';

/** What an answer says about its page. The contract leaves it open: another form counts as missing. */
export interface Pagination {
  /** Counted from 1. */
  readonly page: number | undefined;
  readonly pageSize: number | undefined;
  readonly totalPageCount: number | undefined;
  readonly totalResults: number | undefined;
}

/** @returns undefined if the answer has no page data */
export function readPagination(told: unknown): Pagination | undefined {
  if (!isRecord(told)) return undefined;
  const count = (value: unknown) => {
    const number = isExactNumber(value) ? doubleOf(value) : value;
    return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
  };
  return {
    page: count(told.page),
    pageSize: count(told.pageSize),
    totalPageCount: count(told.totalPageCount),
    totalResults: count(told.totalResults),
  };
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly pagination: Pagination | undefined;
}

/** More pages than any list has: a server that never ends its list is not followed for ever. */
const mostPages = 1000;

/**
 * Every item of a list that comes in pages. It ends by the server's count of pages or of items. Without a count, it
 * ends at a page without items; a short page is not the end.
 *
 * @param what the name of the list in messages
 * @param readPage counted from 1
 * @throws {LightspanError} `invalid-response` for pages that contradict themselves or each other, and for too many
 */
export async function readAllPages<T>(
  what: string,
  readPage: (page: number) => Promise<Page<T>>,
): Promise<T[]> {
  const refuse = (why: string) => contradiction(what, why);
  const items: T[] = [];
  const pageOf = new Map<string, number>();
  let counts: readonly (number | undefined)[] = [];
  for (let page = 1; page <= mostPages; page += 1) {
    const { items: found, pagination } = await readPage(page);
    requireConsistentPage(what, page, { items: found, pagination });
    const { totalPageCount, totalResults: total } = pagination ?? {};
    if (page > 1 && (totalPageCount !== counts[0] || total !== counts[1]))
      throw refuse(`page ${page} has other counts than those before it`);
    counts = [totalPageCount, total];
    for (const item of found) {
      const text = stringifyExactJson(item);
      const before = pageOf.get(text) ?? page;
      // An item that moved to this page may have moved an unseen one to the page before it.
      if (before !== page) throw refuse(`page ${page} repeats an item of page ${before}`);
      pageOf.set(text, page);
      items.push(item);
    }
    const isLast =
      totalPageCount !== undefined
        ? page >= totalPageCount
        : total !== undefined
          ? items.length >= total
          : found.length === 0;
    if (isLast || found.length === 0) {
      if (!isLast || (total !== undefined && items.length !== total)) {
        throw refuse(
          total === undefined
            ? `its count of pages is ${totalPageCount}, and page ${page} is empty`
            : `its count of items is ${total}, but up to page ${page} there were ${items.length}`,
        );
      }
      return items;
    }
  }
  throw refuse(`it has more than ${mostPages} pages`);
}

/**
 * Checks a page against the request, and against its own statements about the whole list.
 *
 * @throws {LightspanError} `invalid-response`
 */
export function requireConsistentPage(
  what: string,
  page: number,
  { items, pagination }: Page<unknown>,
): void {
  const { page: told = page, totalResults = items.length } = pagination ?? {};
  if (told !== page) throw contradiction(what, `page ${told} came for page ${page}`);
  if (items.length > totalResults) {
    throw contradiction(
      what,
      `its count of items is ${totalResults}, but page ${page} alone has ${items.length}`,
    );
  }
}

function contradiction(what: string, why: string): LightspanError {
  return new LightspanError('invalid-response', `${what}: ${why}`, {
    hint: 'It may have changed while it was read: run the command again.',
  });
}
