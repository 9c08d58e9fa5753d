import { parseHttpDate } from '../http/http-date.js';

/** What is kept of an answer beside its body. Times are in milliseconds since 1970. */
export interface StoredResponse {
  /** Where it came from, after redirects: origin and path. */
  readonly address: string;
  readonly redirected: boolean;
  readonly requestedAt: number;
  readonly answeredAt: number;
  /** By lower-case name; those of `keptHeaders` that it had. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The headers that freshness and revalidation need. No others are kept. */
export const keptHeaders = [
  'age',
  'cache-control',
  'date',
  'etag',
  'expires',
  'last-modified',
  'vary',
] as const;

/** Whether HTTP lets a private cache keep this answer at all (RFC 9111, section 3). */
export function mayBeStored({ headers }: StoredResponse): boolean {
  if (directivesOf(headers).has('no-store')) return false;
  return !(headers.vary ?? '').split(',').some((name) => name.trim() === '*');
}

/**
 * Whether an answer may be used without asking again (RFC 9111, section 4.2). Nothing is guessed: without an explicit
 * lifetime it is not fresh, nor where a header of it cannot be read (libraries repair those: docs/dependencies.md).
 *
 * An answer that a redirect led to is never fresh, for the redirect may lead elsewhere by now.
 */
export function isFresh(response: StoredResponse, now: number): boolean {
  if (response.redirected || now < response.answeredAt) return false;
  if (directivesOf(response.headers).has('no-cache')) return false;
  return ageOf(response, now) < lifetimeOf(response);
}

/**
 * The age by RFC 9111, section 4.2.3: the larger of what `Age` and `Date` say, and the time since. It is boundless where
 * one of them is there and cannot be read.
 */
function ageOf({ headers, requestedAt, answeredAt }: StoredResponse, now: number): number {
  const date = headers.date === undefined ? answeredAt : parseHttpDate(headers.date);
  const age = headers.age === undefined ? 0 : secondsOf(headers.age);
  if (date === undefined || age === undefined) return Infinity;
  const apparentAge = Math.max(0, answeredAt - date);
  const ageOnArrival = age + (answeredAt - requestedAt);
  return Math.max(apparentAge, ageOnArrival) + (now - answeredAt);
}

/** No index is good for longer unasked, whatever a server or a cache before it says. */
const longestLifetimeMs = 7 * 86_400_000;

function lifetimeOf(response: StoredResponse): number {
  return Math.min(statedLifetimeOf(response), longestLifetimeMs);
}

/** A lifetime that cannot be read, or is given twice, is none. */
function statedLifetimeOf({ headers, answeredAt }: StoredResponse): number {
  const maxAge = directivesOf(headers).get('max-age');
  if (maxAge !== undefined) return secondsOf(maxAge) ?? 0;
  const expires = parseHttpDate(headers.expires ?? '');
  return expires === undefined ? 0 : expires - (parseHttpDate(headers.date ?? '') ?? answeredAt);
}

/** Asks whether an answer still holds, by both of its validators; undefined where it has none. */
export function revalidationHeaders({ headers }: StoredResponse): Record<string, string> | undefined {
  const { etag, 'last-modified': lastModified } = headers;
  if (etag === undefined && lastModified === undefined) return undefined;
  return {
    ...(etag === undefined ? {} : { 'if-none-match': etag }),
    ...(lastModified === undefined ? {} : { 'if-modified-since': lastModified }),
  };
}

function directivesOf(headers: StoredResponse['headers']): Map<string, string> {
  const directives = new Map<string, string>();
  for (const directive of (headers['cache-control'] ?? '').split(',')) {
    const [name = '', value = ''] = directive.split('=', 2);
    const key = name.trim().toLowerCase();
    directives.set(key, directives.has(key) ? 'given twice' : value.trim().replace(/^"(.*)"$/, '$1'));
  }
  return directives;
}

function secondsOf(text: string): number | undefined {
  return /^\d{1,12}$/.test(text.trim()) ? Number(text) * 1000 : undefined;
}
