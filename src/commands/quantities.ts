const unitMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/**
 * Reads a duration in the forms of DESIGN: `30` (seconds), `30s`, `10m`, `6h`, `7d`.
 *
 * @returns milliseconds, or undefined for anything else, zero included
 */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d{1,9})([smhd]?)$/.exec(text);
  if (match === null) return undefined;
  const unit = (match[2] || 's') as keyof typeof unitMs;
  const duration = Number(match[1]) * unitMs[unit];
  return duration > 0 ? duration : undefined;
}

const unitBytes = { '': 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 } as const;

/**
 * Reads a number of bytes: `1000000`, `512KiB`, `64MiB`, `1GiB`.
 *
 * @returns undefined for anything else, zero included
 */
export function parseByteCount(text: string): number | undefined {
  const match = /^(\d{1,12})(KiB|MiB|GiB|)$/.exec(text);
  if (match === null) return undefined;
  const bytes = Number(match[1]) * unitBytes[match[2] as keyof typeof unitBytes];
  return bytes > 0 ? bytes : undefined;
}
