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
    return [faultAt(path, `${issue.message}, got ${describeValue(valueAt(json, path))}`)];
  });
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
