import type { Exchanged } from './exchange.js';
import { HttpFault } from './fault.js';

/** The maximum number of retries of a request. */
export const maxRetries = 3;

export interface RetryCircumstances {
  readonly method: 'GET' | 'POST';
  /** How often the request has been made. */
  readonly tries: number;
  /** At least 0 and less than 1. */
  readonly random: number;
  /** Milliseconds since 1970, the reference for a `Retry-After` date. */
  readonly now: number;
}

/**
 * How long to wait before a retry, in milliseconds; undefined if there must be none, as for every POST.
 *
 * The wait doubles with each try, and its second half is random, so that many clients that failed together do not retry
 * together. A longer `Retry-After` takes precedence.
 */
export function pauseBeforeRetry(
  outcome: HttpFault | Exchanged,
  { method, tries, random, now }: RetryCircumstances,
): number | undefined {
  const longest = firstPauseMs * 2 ** (tries - 1);
  const backoff = longest / 2 + (longest / 2) * random;
  // No answer proves that the request had no effect.
  if (method === 'POST') return undefined;
  if (outcome instanceof HttpFault) return outcome.isConnectionError ? backoff : undefined;
  const { status, headers } = outcome;
  const retryAfter = readRetryAfter(headers.get('retry-after'), now);
  const mayPass = status === 408 || status === 429 || status >= 500;
  return mayPass ? Math.max(retryAfter ?? 0, backoff) : undefined;
}

const firstPauseMs = 400;

/** `Retry-After` in milliseconds from now, given as seconds or as a date (RFC 9110); nothing if it is another text. */
function readRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = / GMT$/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
