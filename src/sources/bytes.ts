import { isAscii, isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { ReleaseSafetyError } from '../release-safety/errors.js';

/** The digest of the concatenated bytes, in hex. */
export function sha256(...parts: readonly Uint8Array[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}

/**
 * The text of an index, an artifact or a known issue, without a byte order mark.
 *
 * @param what its name in messages
 * @throws {ReleaseSafetyError} `invalid-json` if the bytes are not UTF-8
 */
export function decodeUtf8(bytes: Uint8Array, what: string): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isAscii(buffer)) return buffer.toString('latin1');
  if (!isUtf8(buffer)) throw new ReleaseSafetyError('invalid-json', `${what} is not UTF-8 text`);
  return buffer.toString('utf8').replace(/^\uFEFF/, '');
}
