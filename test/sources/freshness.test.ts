import { describe, expect, it } from 'vitest';
import { isFresh, mayBeStored, revalidationHeaders } from '../../src/sources/freshness.js';

const answeredAt = Date.parse('2026-09-06T12:00:00Z');
const answer = (headers: Record<string, string>, more = {}) => ({
  address: 'https://example.org/i',
  redirected: false,
  requestedAt: answeredAt,
  answeredAt,
  headers,
  ...more,
});
const at = (seconds: number) => answeredAt + seconds * 1000;

describe('isFresh', () => {
  it.each<[string, Record<string, string>, number, boolean]>([
    ['within max-age', { 'cache-control': 'max-age=300' }, 299, true],
    ['at once', { 'cache-control': 'max-age=300' }, 0, true],
    ['at the end of max-age', { 'cache-control': 'max-age=300' }, 300, false],
    ['Age counts', { 'cache-control': 'max-age=300', age: '200' }, 100, false],
    ['Age counts, within', { 'cache-control': 'max-age=300', age: '200' }, 99, true],
    [
      'Date counts, where it says more than Age',
      { 'cache-control': 'max-age=300', age: '1', date: 'Sun, 06 Sep 2026 11:59:00 GMT' },
      240,
      false,
    ],
    [
      'Date of a server whose clock is ahead',
      { 'cache-control': 'max-age=300', date: 'Sun, 06 Sep 2026 13:00:00 GMT' },
      299,
      true,
    ],
    ['no lifetime: nothing is guessed', { 'last-modified': 'Sat, 06 Sep 2025 12:00:00 GMT' }, 0, false],
    ['no-cache', { 'cache-control': 'max-age=300, no-cache' }, 0, false],
    ['must-revalidate, within', { 'cache-control': 'max-age=300, must-revalidate' }, 299, true],
    ['must-revalidate, after', { 'cache-control': 'max-age=300, must-revalidate' }, 300, false],
    ['names in any case, and quotes', { 'cache-control': 'Public, MAX-AGE="300"' }, 299, true],
    ['s-maxage is for shared caches', { 'cache-control': 's-maxage=300' }, 0, false],
    ['max-age twice', { 'cache-control': 'max-age=300, max-age=600' }, 0, false],
    ['max-age that is no number', { 'cache-control': 'max-age=-1' }, 0, false],
    [
      'Expires',
      { expires: 'Sun, 06 Sep 2026 12:05:00 GMT', date: 'Sun, 06 Sep 2026 12:00:00 GMT' },
      299,
      true,
    ],
    [
      'Expires, after',
      { expires: 'Sun, 06 Sep 2026 12:05:00 GMT', date: 'Sun, 06 Sep 2026 12:00:00 GMT' },
      300,
      false,
    ],
    [
      'Expires by the clock of its server',
      { expires: 'Sun, 06 Sep 2026 13:05:00 GMT', date: 'Sun, 06 Sep 2026 13:00:00 GMT' },
      300,
      false,
    ],
    ['Expires: 0', { expires: '0' }, 0, false],
    ['max-age in quotes, with spaces', { 'cache-control': 'max-age= "300" ' }, 299, true],
    ['Age with spaces', { 'cache-control': 'max-age=300', age: ' 200 ' }, 99, true],
    ['max-age with something behind it', { 'cache-control': 'max-age=300x' }, 0, false],
    [
      'a Date of yesterday',
      { 'cache-control': 'max-age=300', date: 'Sat, 05 Sep 2026 12:00:00 GMT' },
      0,
      false,
    ],
    ['Expires that is no date, but a year to Date.parse', { expires: '3600' }, 0, false],
    ['Expires twice', { expires: 'Sun, 06 Sep 2026 12:05:00 GMT, Sun, 06 Sep 2026 12:05:00 GMT' }, 0, false],
    ['Age that cannot be read', { 'cache-control': 'max-age=300', age: 'old' }, 0, false],
    ['Age twice', { 'cache-control': 'max-age=300', age: '7200, 0' }, 0, false],
    ['Date that cannot be read', { 'cache-control': 'max-age=300', date: 'today' }, 0, false],
    [
      'max-age wins over Expires',
      { 'cache-control': 'max-age=0', expires: 'Sun, 06 Sep 2026 13:00:00 GMT' },
      0,
      false,
    ],
    ['this clock was set back', { 'cache-control': 'max-age=300' }, -1, false],
  ])('%s', (_, headers, seconds, fresh) => {
    expect(isFresh(answer(headers), at(seconds))).toBe(fresh);
  });

  it.each<[string, Record<string, string>]>([
    ['max-age', { 'cache-control': 'max-age=999999999999' }],
    ['Expires', { expires: 'Sun, 06 Sep 2066 13:00:00 GMT' }],
  ])('%s counts for a week at most', (_, headers) => {
    const week = 7 * 86_400;
    expect([isFresh(answer(headers), at(week - 1)), isFresh(answer(headers), at(week))]).toEqual([
      true,
      false,
    ]);
  });

  it('the time that the answer took counts', () => {
    const slow = answer({ 'cache-control': 'max-age=300' }, { requestedAt: at(-100) });
    expect([isFresh(slow, at(199)), isFresh(slow, at(200))]).toEqual([true, false]);
  });

  it('an answer that a redirect led to is asked about again', () => {
    expect(isFresh(answer({ 'cache-control': 'max-age=300' }, { redirected: true }), at(0))).toBe(false);
  });
});

it.each<[Record<string, string>, boolean]>([
  [{}, true],
  [{ 'cache-control': 'no-cache' }, true],
  [{ vary: 'Authorization,Accept-Encoding' }, true],
  [{ 'cache-control': 'private, No-Store' }, false],
  [{ vary: 'a*' }, true],
  [{ vary: '*' }, false],
  [{ vary: 'Accept-Encoding, *' }, false],
])('%j may be stored: %s', (headers, stored) => {
  expect(mayBeStored(answer(headers))).toBe(stored);
});

it.each<[Record<string, string>, Record<string, string> | undefined]>([
  [{}, undefined],
  [{ etag: 'W/"a"' }, { 'if-none-match': 'W/"a"' }],
  [{ 'last-modified': 'then' }, { 'if-modified-since': 'then' }],
  [
    { etag: '"a"', 'last-modified': 'then' },
    { 'if-none-match': '"a"', 'if-modified-since': 'then' },
  ],
])('%j is asked about with %j', (headers, asked) => {
  expect(revalidationHeaders(answer(headers))).toEqual(asked);
});
