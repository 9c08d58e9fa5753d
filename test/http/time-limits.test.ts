import { channel } from 'node:diagnostics_channel';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startTimeLimits, type TimeLimits } from '../../src/http/time-limits.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const url = new URL('https://example.org/a');
const request = { method: 'GET', origin: 'https://example.org', path: '/a' };
const timeouts = { connectMs: 1000, totalMs: 5000, wholeMs: 6000 };

const steps: Readonly<Record<string, (limits: TimeLimits) => void>> = {
  asked: (limits) => limits.connecting('GET', url),
  connecting: () => channel('undici:request:create').publish({ request: { ...request } }),
  sent: () => {
    const sent = { request: { ...request } };
    channel('undici:request:create').publish(sent);
    channel('undici:client:sendHeaders').publish(sent);
  },
  answered: (limits) => limits.answered(),
  received: (limits) => limits.received(7),
};

describe('each stage has its limit', () => {
  it.each<[taken: string[], afterMs: number, message: string, isConnectionError: boolean]>([
    [['asked', 'connecting'], 1000, 'no connection within 1 s', true],
    [['asked'], 5000, 'connected, but no answer within 6 s', false],
    [['asked', 'sent'], 5000, 'connected, but no answer within 6 s', false],
    [['asked', 'answered'], 5000, 'no complete body within 6 s', false],
    [['asked', 'answered', 'received'], 5000, 'no complete body (7 bytes received) within 6 s', false],
    [[], 5000, 'no connection within 6 s', false],
  ])('%j', (taken, afterMs, message, isConnectionError) => {
    const limits = startTimeLimits(timeouts, undefined);
    for (const step of taken) steps[step]?.(limits);
    vi.advanceTimersByTime(afterMs - 1);
    expect(limits.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(limits.signal.reason).toMatchObject({
      ...{ code: 'timeout', message, isConnectionError },
      hint: '--timeout sets how long to wait.',
    });
    limits.stop();
  });
});

describe('startTimeLimits', () => {
  it.each<[taken: string[], neverSent: boolean]>([
    [['asked', 'connecting'], true],
    [['asked', 'sent'], false],
    // A fetch that says nothing of its connections may have sent it.
    [['asked'], false],
  ])('%j: nothing was sent: %s', (taken, neverSent) => {
    const limits = startTimeLimits(timeouts, undefined);
    for (const step of taken) steps[step]?.(limits);
    expect(limits.neverSent()).toBe(neverSent);
    limits.stop();
  });

  it('takes a wait that no timer can hold for the longest that one can', () => {
    const month = 30 * 86_400_000;
    const limits = startTimeLimits({ connectMs: month, totalMs: month, wholeMs: month }, undefined);
    limits.connecting('GET', url);
    vi.advanceTimersByTime(86_400_000);
    expect(limits.signal.aborted).toBe(false);
    limits.stop();
  });

  it('aborts with the reason of the signal it is given', () => {
    const outer = new AbortController();
    const limits = startTimeLimits(timeouts, outer.signal);
    outer.abort(new Error('Ctrl-C'));
    expect(limits.signal.reason).toMatchObject({ message: 'Ctrl-C' });
    limits.stop();
  });

  it('leaves no timer behind', () => {
    const limits = startTimeLimits(timeouts, undefined);
    limits.connecting('GET', url);
    limits.stop();
    expect(vi.getTimerCount()).toBe(0);
  });
});
