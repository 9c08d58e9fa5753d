import { describe, expect, it } from 'vitest';
import { pauseBeforeRetry } from '../../src/http/client.js';
import { HttpFault } from '../../src/http/fault.js';

const now = Date.parse('2026-09-06T12:00:00Z');
const answered = (status: number, headers: Record<string, string> = {}) => ({
  status,
  statusText: '',
  headers: new Headers(headers),
  url: new URL('https://example.org/'),
  redirectedTo: undefined,
  body: new Uint8Array(),
});
const lost = new HttpFault('network', 'reset', { isConnectionError: true });
const refused = new HttpFault('network', 'certificate not trusted');

describe('pauseBeforeRetry', () => {
  const get = { method: 'GET', tries: 1, random: 0, now } as const;
  const post = { ...get, method: 'POST' } as const;

  it.each([
    ['a lost connection', lost, get, 200],
    ['a lost connection, unlucky', lost, { ...get, random: 0.5 }, 300],
    ['a second time, twice as long', lost, { ...get, tries: 2 }, 400],
    ['a third time, four times as long', lost, { ...get, tries: 3 }, 800],
    ['408', answered(408), get, 200],
    ['429', answered(429), get, 200],
    ['500', answered(500), get, 200],
    ['599', answered(599), get, 200],
    ['Retry-After in seconds', answered(503, { 'retry-after': '7' }), get, 7000],
    ['Retry-After as a date', answered(429, { 'retry-after': 'Sun, 06 Sep 2026 12:00:05 GMT' }), get, 5000],
    ['Retry-After in the past', answered(429, { 'retry-after': 'Sun, 06 Sep 2026 11:00:00 GMT' }), get, 200],
    ['a fault that will not pass', refused, get, undefined],
    ['200', answered(200), get, undefined],
    ['304', answered(304), get, undefined],
    ['404', answered(404), get, undefined],
    ['POST: a lost connection', lost, post, undefined],
    ['POST: 500', answered(500), post, undefined],
    ['POST: 503 with Retry-After', answered(503, { 'retry-after': '1' }), post, undefined],
  ])('%s', (_, outcome, circumstances, pause) => {
    expect(pauseBeforeRetry(outcome, circumstances)).toBe(pause);
  });

  it.each(['soon', '7 s', 'in 7', '-7', '7.5', ''])('Retry-After that is no time: "%s"', (retryAfter) => {
    expect(pauseBeforeRetry(answered(503, { 'retry-after': retryAfter }), get)).toBe(200);
  });
});
