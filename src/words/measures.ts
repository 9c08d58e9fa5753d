import { countOf } from './phrase.js';

/** A number of seconds in its largest fitting unit: `75 seconds`, `5 minutes`, `26 hours`, `3 days`. */
export function describeSeconds(seconds: number, round: (number: number) => number = Math.floor): string {
  if (round(seconds) < 120) return countOf(round(seconds), 'second');
  if (round(seconds / 60) < 120) return countOf(round(seconds / 60), 'minute');
  if (round(seconds / 3600) < 48) return countOf(round(seconds / 3600), 'hour');
  return countOf(round(seconds / 86_400), 'day');
}

/** A number of milliseconds; whole seconds are shown as such: `500 ms`, `30 seconds`. */
export function describeMilliseconds(milliseconds: number): string {
  return milliseconds % 1000 === 0 ? describeSeconds(milliseconds / 1000) : `${milliseconds} ms`;
}

/** A number of bytes, in binary units: `512 bytes`, `3.4 GiB`. */
export function describeBytes(bytes: number, digits = 1): string {
  const power = powerOf(bytes);
  const amount = bytes / 1024 ** power;
  return `${Number.isInteger(amount) ? amount : amount.toFixed(digits)} ${units[power]}`;
}

/** Two numbers of bytes, with enough digits that different numbers look different. */
export function describeBytesApart(one: number, other: number): readonly [string, string] {
  const digits = [1, 2, 3].find((count) => rounded(one, count) !== rounded(other, count));
  return one === other || digits !== undefined
    ? [describeBytes(one, digits), describeBytes(other, digits)]
    : [countOf(one, 'byte'), countOf(other, 'byte')];
}

const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];

function powerOf(bytes: number): number {
  let power = 0;
  while (power < units.length - 1 && bytes >= 1024 ** (power + 1)) power++;
  return power;
}

function rounded(bytes: number, digits: number): number {
  const unit = 1024 ** powerOf(bytes);
  return Number((bytes / unit).toFixed(digits)) * unit;
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
    if (number > 0) return `${countOf(number, unit)} old`;
  }
  return 'less than a minute old';
}
