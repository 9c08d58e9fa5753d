import type * as z from 'zod/mini';
import { describeValue } from './json-value.js';

/** One fault that a schema found, in a line: the field by its path, what was expected, what came. */
export interface FieldFault {
  /** Such as `migrations.files[2].heaviness.locksTable`; empty where it is the whole document. */
  readonly field: string;
  /** Such as `expected true, false or "unknown", got "maybe"`. */
  readonly fault: string;
}

/** The faults of `json`, in the order in which the schema met them. */
export function describeIssues(error: z.core.$ZodError, json: unknown): FieldFault[] {
  return error.issues.flatMap((issue) => {
    const { path, message } = issue;
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({ field: formatPath([...path, key]), fault: 'there is no such key' }));
    }
    return [{ field: formatPath(path), fault: `${message}, got ${describeValue(valueAt(json, path))}` }];
  });
}

function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((field, key) => {
    if (typeof key === 'number') return `${field}[${key}]`;
    return field === '' ? String(key) : `${field}.${String(key)}`;
  }, '');
}

function valueAt(json: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce((value, key) => Reflect.get(Object(value), key), json);
}
