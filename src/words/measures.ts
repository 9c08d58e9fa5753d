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

/** A number of bytes, in binary units: `512 bytes`, `3.42 GiB`. */
export function describeBytes(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  const power = units.findIndex((_, i) => bytes < 1024 ** (i + 1) || i === units.length - 1);
  return `${Number((bytes / 1024 ** power).toFixed(2))} ${units[power]}`;
}

/** An age, such as `3 days old`. */
export function describeAge(ageMs: number): string {
  return ageMs < 0 ? 'in the future' : `${describeSeconds(ageMs / 1000)} old`;
}
