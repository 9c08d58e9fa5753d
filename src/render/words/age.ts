import { countOf } from '../phrase.js';

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
    if (number > 0) return `${countOf(number, unit)} old`;
  }
  return 'less than a minute old';
}
