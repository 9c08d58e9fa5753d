/** A text from outside, quoted, on one line and short enough for a message. */
export function quote(text: string): string {
  return JSON.stringify(shorten(text));
}

export function shorten(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 57)}...`;
}

/** A value from outside, short and on one line. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'string' ? quote(value) : String(value);
}

/** What is wrong with a value that is not what was expected. */
export function describeMisfit(expected: string, value: unknown): string {
  return value === undefined
    ? `missing; expected ${expected}`
    : `expected ${expected}, got ${describeValue(value)}`;
}
