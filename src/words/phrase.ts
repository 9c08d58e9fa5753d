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
