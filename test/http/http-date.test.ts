import { expect, it } from 'vitest';
import { parseHttpDate } from '../../src/http/http-date.js';

it.each([
  ['Sun, 06 Nov 1994 08:49:37 GMT', '1994-11-06T08:49:37.000Z'],
  ['Sunday, 06-Nov-94 08:49:37 GMT', '1994-11-06T08:49:37.000Z'],
  ['Sun Nov  6 08:49:37 1994', '1994-11-06T08:49:37.000Z'],
  ['Wed Nov 16 08:49:37 1994', '1994-11-16T08:49:37.000Z'],
])('%s is %s', (text, date) => {
  expect(new Date(parseHttpDate(text) ?? Number.NaN).toISOString()).toBe(date);
});

it.each([
  '3600',
  '0',
  '-1',
  'soon 5',
  '',
  '2026-09-06T12:00:00Z',
  '06 Nov 1994 08:49:37 GMT',
  'Sun, 06 Nov 1994 08:49:37',
  'Sun, 06 Nov 1994 08:49:37 GMT+1',
  'Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 2094 08:49:37 GMT',
  'Sun, 06 Nov 1994 25:49:37 GMT',
])('%j is none', (text) => {
  expect(parseHttpDate(text)).toBeUndefined();
});
