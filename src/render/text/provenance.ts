import { printable } from '../printable.js';

/** Where an answer came from. */
export interface Provenance {
  readonly source: string;
  /** ISO 8601. */
  readonly generatedAt: string;
  readonly now: Date;
  readonly entries: number;
  /** Hex, of the bytes as they were read. */
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

/** An age in its largest whole unit, such as `3 days old`. */
export function describeAge(ageMs: number): string {
  if (ageMs < 0) return 'in the future';
  const units = [
    ['day', 86_400_000],
    ['hour', 3_600_000],
    ['minute', 60_000],
  ] as const;
  for (const [unit, unitMs] of units) {
    const number = Math.floor(ageMs / unitMs);
    if (number > 0) return `${number} ${unit}${number === 1 ? '' : 's'} old`;
  }
  return 'less than a minute old';
}
