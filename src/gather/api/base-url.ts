import { LightspanError } from '../../core/lightspan-error.js';
import { quote } from '../../core/text/quote.js';
import { parseInstanceAddress, requireAllowedScheme } from '../http/address.js';

/**
 * The address of an instance for requests with a token: an origin and nothing else, because a token belongs to an
 * origin, and the endpoints have their own paths.
 *
 * @throws {LightspanError} `usage`, saying what to write instead; credentials are never repeated
 */
export function parseBaseUrl(text: string, { allowHttp }: { readonly allowHttp: boolean }): URL {
  const url = parseInstanceAddress(text, 'the Lightdash URL');
  requireAllowedScheme(url, allowHttp);
  if (url.pathname === '/') return url;
  throw new LightspanError('usage', `the Lightdash URL has a path (${url.pathname})`, {
    hint: `Give ${url.origin} alone.`,
  });
}

const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/**
 * An id that must be a UUID version 4 by the contract; it is checked before it is sent.
 *
 * @param what its name in the message, such as `project`
 * @throws {LightspanError} `usage`
 */
export function requireUuid(id: string, what: string): string {
  if (uuidV4.test(id)) return id;
  throw new LightspanError('usage', `the ${what} UUID ${quote(id)} is not a UUID version 4`, {
    hint: 'It looks like 0b1f9a52-3c5e-4f6a-9d2b-7c8e1a2b3c4d, and is in the address bar of the browser.',
  });
}

/**
 * One segment of a path, with any content: it can neither end its segment nor lead out of it.
 *
 * @throws {LightspanError} `usage` for texts that cannot be encoded: the empty text, `.` and `..` (which URLs resolve
 *   even if they are escaped), and half of a surrogate pair
 */
export function pathSegment(text: string, what: string): string {
  if (text === '' || text === '.' || text === '..' || /\p{Cs}/u.test(text)) {
    throw new LightspanError('usage', `the ${what} ${quote(text)} cannot be part of a URL`);
  }
  return encodeURIComponent(text);
}

/** How a token is sent: a personal access token as `ApiKey`, that of a service account as `Bearer`. */
export const authSchemes = ['ApiKey', 'Bearer'] as const;

export type AuthScheme = (typeof authSchemes)[number];

/** How a token is sent by its kind, which its prefix shows. */
export function schemeOfToken(token: string): AuthScheme {
  return token.trim().startsWith('ldsvc_') ? 'Bearer' : 'ApiKey';
}

/**
 * A secret for a header, checked before fetch sees it: fetch's own message for a malformed header repeats the value.
 *
 * @param what its name in the message; the secret itself is never repeated
 * @throws {LightspanError} `usage`
 */
export function requireHeaderText(secret: string, what: string): string {
  const trimmed = secret.trim();
  if (trimmed === '') throw new LightspanError('usage', `the ${what} is empty`);
  if (/^[\x20-\x7E]+$/.test(trimmed)) return trimmed;
  throw new LightspanError('usage', `the ${what} contains a character that no header can carry`, {
    hint: 'Did you copy more than the token, such as a line break or a quotation mark?',
  });
}

/** A token for display: its last 4 characters, or none if it is so short that they would be half of it. */
export function maskToken(token: string): string {
  return token.length < 12 ? '****' : `****${token.slice(-4)}`;
}
