import { printable } from '../printable.js';
import { describeAge } from '../words/age.js';

/** Where an answer came from. */
export interface Provenance {
  readonly source: string;
  /** ISO 8601. */
  readonly generatedAt: string;
  readonly now: Date;
  readonly entries: number;
  /** The digest, in hex, of the bytes as they were read. */
  readonly sha256: string;
}

export function renderProvenance({ source, generatedAt, now, entries, sha256 }: Provenance): string {
  return [
    `Index: ${printable(source)}`,
    `Generated: ${generatedAt} (${describeAge(now.getTime() - Date.parse(generatedAt))})`,
    `Releases: ${entries}`,
    `SHA-256: ${sha256}`,
    '',
  ].join('\n');
}
