import { type CheckedFile, statusOfChecks } from '../../merge-query/merge-check.js';
import { renderDocument } from './document.js';
import type { MergeValidateResult } from './merge-schemas.js';

/**
 * `merge validate --json`: one line. `faults` concern the shape; `errors` are broken rules, in the form of the API's
 * own with their place. At most one of the two is not empty for a file. `warnings` are what a server may refuse.
 */
export function renderMergeChecksJson(files: readonly CheckedFile[]): string {
  const status = statusOfChecks(files);
  return renderDocument<MergeValidateResult>({
    valid: status === 'valid',
    status,
    faults: files.flatMap(({ name: file, check }) =>
      check.status !== 'no-merge-request'
        ? []
        : check.faults.map(({ path, line, column, message }) => ({ file, path, line, column, message })),
    ),
    errors: files.flatMap(({ name: file, check }) =>
      check.status !== 'breaks-rules'
        ? []
        : check.faults.map(({ kind, message, fieldIds, sourceId, path, line, column }) => {
            return { file, kind, message, fieldIds, sourceId, path, line, column };
          }),
    ),
    warnings: files.flatMap(({ name: file, check }) =>
      check.status === 'no-merge-request'
        ? []
        : check.warnings.map(({ kind, message, path, line, column }) => {
            return { file, kind, message, path, line, column };
          }),
    ),
  });
}
