import type { Exchanged } from './exchange.js';
import { HttpFault } from './fault.js';
import { parseHttpDate } from './http-date.js';

/** How often a request is made again, at most. */
export const maxRetries = 3;

export interface RetryCircumstances {
  readonly method: 'GET' | 'POST';
  /** How often the request has been made. */
  readonly tries: number;
  /** At least 0 and less than 1. */
  readonly random: number;
  /** Milliseconds since 1970, against which a `Retry-After` date is read. */
  readonly now: number;
}

/**
 * How long to wait before the request is made again, in milliseconds; undefined if it must not be, as a POST never is.
 *
 * The wait doubles with each try, and its second half is chance, so that many clients that failed together do not come
 * back together. A `Retry-After` that is longer counts.
 */
export function pauseBeforeRetry(
  outcome: HttpFault | Exchanged,
  { method, tries, random, now }: RetryCircumstances,
): number | undefined {
  const longest = firstPauseMs * 2 ** (tries - 1);
  const backoff = longest / 2 + (longest / 2) * random;
  // No answer says for sure that nothing was done with it.
  if (method === 'POST') return undefined;
  if (outcome instanceof HttpFault) return outcome.isConnectionError ? backoff : undefined;
  const { status, headers } = outcome;
  const retryAfter = readRetryAfter(headers.get('retry-after'), now);
  const mayPass = status === 408 || status === 429 || status >= 500;
  return mayPass ? Math.max(retryAfter ?? 0, backoff) : undefined;
}

const firstPauseMs = 400;

/** `Retry-After` in milliseconds from now, from its seconds or its date. */
function readRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = parseHttpDate(value);
  return date === undefined ? undefined : Math.max(0, date - now);
}
