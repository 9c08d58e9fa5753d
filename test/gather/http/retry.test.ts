import { expect, it, onTestFinished, vi } from 'vitest';
import { LightspanError } from '../../../src/core/lightspan-error.js';
import { pauseBeforeRetry } from '../../../src/gather/http/client.js';

const answered = (status: number, retryAfter?: string) => ({
  status,
  headers: new Headers(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
});
const failed = (code: string) =>
  new LightspanError('network', code, { cause: Object.assign(new Error(code), { code }) });
const lost = failed('ECONNRESET');
const first = { tries: 1, random: 0 };

it.each([
  ['a lost connection', lost, first, 200],
  ['a lost connection, unlucky', lost, { ...first, random: 0.5 }, 300],
  ['a second time, twice as long', lost, { ...first, tries: 2 }, 400],
  ['a third time, four times as long', lost, { ...first, tries: 3 }, 800],
  ['408', answered(408), first, 200],
  ['429', answered(429), first, 200],
  ['500', answered(500), first, 200],
  ['599', answered(599), first, 200],
  ['Retry-After in seconds', answered(503, '7'), first, 7000],
  ['Retry-After as a date', answered(429, 'Sun, 06 Sep 2026 12:00:05 GMT'), first, 5000],
  ['Retry-After in the past', answered(429, 'Sun, 06 Sep 2026 11:00:00 GMT'), first, 200],
  ...['soon', 'soon GMT', '7 s', 'in 7', '-7', '7.5', ''].map(
    (retryAfter) =>
      [`Retry-After that is no time: "${retryAfter}"`, answered(503, retryAfter), first, 200] as const,
  ),
  ['a fault that will not pass', failed('SELF_SIGNED_CERT_IN_CHAIN'), first, undefined],
  ['200', answered(200), first, undefined],
  ['304', answered(304), first, undefined],
  ['404', answered(404), first, undefined],
] as const)('before a GET is retried, it waits: %s', (_, outcome, circumstances, pause) => {
  vi.useFakeTimers({ now: Date.parse('2026-09-06T12:00:00Z') });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  expect(pauseBeforeRetry(outcome, circumstances)).toBe(pause);
});
