/** `1 release`, `3,598 releases`. */
export function countOf(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatNumber(count)} ${count === 1 ? singular : plural}`;
}

/** `3598` as `3,598`. */
export function formatNumber(value: number): string {
  return String(value).replaceAll(/\B(?=(\d{3})+$)/g, ',');
}

/** Cuts text from outside, which may be of any length, and appends how much was cut. */
export function truncate(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const end = /[\uD800-\uDBFF]/.test(text.charAt(longest - 1)) ? longest - 1 : longest;
  return `${text.slice(0, end)}... (${formatNumber(text.length - end)} characters more)`;
}

export function capitalize(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

export function listNames(names: readonly string[], most = 3): string {
  const first = names.slice(0, most).join(', ');
  return names.length <= most ? first : `${first} and ${formatNumber(names.length - most)} more`;
}

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
