const unitMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/**
 * Reads a duration as DESIGN settles it: `30` (seconds), `30s`, `10m`, `6h`, `7d`.
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
