import { isLosslessNumber, LosslessNumber, parse, stringify } from 'lossless-json';

/**
 * A JSON number that a double writes otherwise, such as 9007199254740993, 1.50 or 1e3: its text, as `toString` gives
 * it. Every other number is a plain one.
 */
export type ExactNumber = LosslessNumber;

export const isExactNumber: (value: unknown) => value is ExactNumber = isLosslessNumber;

/** @param text a number as JSON writes it */
export function exactNumber(text: string): number | ExactNumber {
  const double = Number(text);
  return String(double) === text ? double : new LosslessNumber(text);
}

/**
 * `JSON.parse` that keeps every number as it is written. Of two equal keys the last counts, as there.
 *
 * @throws {SyntaxError} for what is no JSON
 */
export function parseExactJson(text: string): unknown {
  return parse(text, undefined, {
    parseNumber: exactNumber,
    onDuplicateKey: ({ newValue }) => newValue,
  });
}

/**
 * `JSON.stringify` that writes every number as it was read.
 *
 * @param space how many blanks an inner line is indented by; none is one line
 */
export function stringifyExactJson(value: unknown, space?: number): string {
  return stringify(value, undefined, space) ?? 'null';
}

/** A value as `T` describes it, whose numbers may be exact ones. */
export type Exact<T> = T extends number
  ? T | ExactNumber
  : T extends object
    ? { [K in keyof T]: Exact<T[K]> }
    : T;

/** The double that is nearest to a number. */
export function doubleOf(number: number | ExactNumber): number {
  return Number(number.toString());
}

/** The value as `JSON.parse` would have read it. */
export function withDoubles(value: unknown): unknown {
  if (isExactNumber(value)) return doubleOf(value);
  if (Array.isArray(value)) return value.map(withDoubles);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withDoubles(inner)]));
}
