import type * as z from 'zod/mini';
import { describeValue } from './json-value.js';

/** One fault that a schema found, for one line of text: the path of the field, what was expected, what it was. */
export interface FieldFault {
  /** For example `migrations.files[2].heaviness.locksTable`; empty for the whole document. */
  readonly field: string;
  /** For example `expected true, false or "unknown", got "maybe"`. */
  readonly fault: string;
  /** The path of the field in parts, for readers that resolve it in the document. */
  readonly path: readonly (string | number)[];
}

/** The faults of `json`, in the order in which the schema met them. */
export function describeIssues(error: z.core.$ZodError, json: unknown): FieldFault[] {
  return error.issues.flatMap((issue) => {
    const path = issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key));
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => faultAt([...path, key], 'there is no such key'));
    }
    return [faultAt(path, `${expectedBy(issue)}, got ${describeValue(valueAt(json, path))}`)];
  });
}

/** What zod says of a value if the schema has no words of its own. */
const wordless = 'Invalid input';

function expectedBy(issue: z.core.$ZodIssue): string {
  if (issue.message !== wordless) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${nounOf[issue.expected] ?? 'another value'}`;
    case 'invalid_value':
      return expectedOneOf(issue.values);
    case 'invalid_union':
      return expectedOneOf('options' in issue ? (issue.options ?? []) : []);
    case 'too_small':
      return `expected ${issue.minimum} or more`;
    default:
      return 'expected another value';
  }
}

const nounOf: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
};

function expectedOneOf(values: readonly unknown[]): string {
  const words = values.map((value) => JSON.stringify(value));
  const last = words.pop();
  return last === undefined
    ? 'expected another value'
    : `expected ${words.length === 0 ? last : `${words.join(', ')} or ${last}`}`;
}

function faultAt(path: readonly (string | number)[], fault: string): FieldFault {
  return { field: formatPath(path), fault, path };
}

export function formatPath(path: readonly (string | number)[]): string {
  return path.reduce<string>((field, key) => {
    if (typeof key === 'number') return `${field}[${key}]`;
    return field === '' ? key : `${field}.${key}`;
  }, '');
}

function valueAt(json: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce((value, key) => Reflect.get(Object(value), key), json);
}
