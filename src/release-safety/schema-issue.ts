import type * as z from 'zod/mini';
import { describeIssue } from '../shared/describe-issue.js';
import { formatPath } from '../shared/schema-problem.js';

/** One fault that a schema found, for one line of text: the path of the field, what was expected, what it was. */
export interface FieldFault {
  /** For example `migrations.files[2].heaviness.locksTable`; empty for the whole document. */
  readonly field: string;
  /** For example `expected true, false or "unknown", got "maybe"`. */
  readonly fault: string;
}

/** The faults of `json`, in the order in which the schema met them. */
export function describeIssues(error: z.core.$ZodError, json: unknown): FieldFault[] {
  return error.issues
    .flatMap((issue) => describeIssue(issue, json))
    .map(({ path, message }) => ({ field: formatPath(path), fault: message }));
}
