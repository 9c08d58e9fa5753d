import { parseHttpDate } from '../http/http-date.js';

/** What is stored of an answer besides its body. Times are in milliseconds since 1970. */
export interface StoredResponse {
  /** Where it came from, after redirects: origin and path. */
  readonly address: string;
  readonly redirected: boolean;
  readonly requestedAt: number;
  readonly answeredAt: number;
  /** By lower-case name: those of `keptHeaders` that the answer had. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The headers that freshness and revalidation need. No others are stored. */
export const keptHeaders = [
  'age',
  'cache-control',
  'date',
  'etag',
  'expires',
  'last-modified',
  'vary',
] as const;

/** Whether HTTP lets a private cache store this answer at all (RFC 9111, section 3). */
export function mayBeStored({ headers }: StoredResponse): boolean {
  if (directivesOf(headers).has('no-store')) return false;
  return !(headers.vary ?? '').split(',').some((name) => name.trim() === '*');
}

/**
 * Whether an answer may be used without revalidation (RFC 9111, section 4.2). Nothing is guessed: an answer without an
 * explicit lifetime is not fresh, nor one whose headers cannot be read (libraries repair those: docs/dependencies.md).
 *
 * An answer after a redirect is never fresh, because the redirect may lead elsewhere by now.
 */
export function isFresh(response: StoredResponse, now: number): boolean {
  if (response.redirected || now < response.answeredAt) return false;
  if (directivesOf(response.headers).has('no-cache')) return false;
  return ageOf(response, now) < lifetimeOf(response);
}

/**
 * The age by RFC 9111, section 4.2.3: the larger of what `Age` and `Date` say, plus the time since. It is infinite if
 * one of them is present and cannot be read.
 */
function ageOf({ headers, requestedAt, answeredAt }: StoredResponse, now: number): number {
  const date = headers.date === undefined ? answeredAt : parseHttpDate(headers.date);
  const age = headers.age === undefined ? 0 : secondsOf(headers.age);
  if (date === undefined || age === undefined) return Infinity;
  const apparentAge = Math.max(0, answeredAt - date);
  const ageOnArrival = age + (answeredAt - requestedAt);
  return Math.max(apparentAge, ageOnArrival) + (now - answeredAt);
}

/** No index is used for longer without revalidation, whatever a server or another cache says. */
const longestLifetimeMs = 7 * 86_400_000;

function lifetimeOf(response: StoredResponse): number {
  return Math.min(statedLifetimeOf(response), longestLifetimeMs);
}

/** A lifetime that cannot be read, or occurs twice, counts as none. */
function statedLifetimeOf({ headers, answeredAt }: StoredResponse): number {
  const maxAge = directivesOf(headers).get('max-age');
  if (maxAge !== undefined) return secondsOf(maxAge) ?? 0;
  const expires = parseHttpDate(headers.expires ?? '');
  return expires === undefined ? 0 : expires - (parseHttpDate(headers.date ?? '') ?? answeredAt);
}

/** The headers that revalidate an answer, with both of its validators; undefined if it has none. */
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
