import { createHash } from 'node:crypto';

/** The digest of the concatenated bytes, in hex. Loading this takes 4 ms, which a check of a file need not wait for. */
export function sha256(...parts: readonly Uint8Array[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}
