import { LightspanError } from '../errors.js';

/** How a token is sent. A personal access token is an `ApiKey`; some service accounts have a `Bearer`. */
export const authSchemes = ['ApiKey', 'Bearer'] as const;

export type AuthScheme = (typeof authSchemes)[number];

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
    hint: 'Was more than the token copied, such as a line break or a quotation mark?',
  });
}

/** A token for display: its last 4 characters, or none if it is so short that they would be half of it. */
export function maskToken(token: string): string {
  return token.length < 12 ? '****' : `****${token.slice(-4)}`;
}
