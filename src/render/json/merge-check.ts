import type { MergeCheck } from '../../merge-query/merge-check.js';
import { renderDocument } from './document.js';
import type { MergeValidateResult } from './merge-result-schemas.js';

/**
 * `merge validate --json`: one line. `faults` concern the shape; `errors` are broken rules, in the form of the API's
 * own (`kind`, `message`, `fieldIds`, `sourceId`) with their place. At most one of the two is not empty. `warnings` are
 * what a server may refuse.
 */
export function renderMergeCheckJson(check: MergeCheck): string {
  const faults = check.status === 'no-merge-request' ? check.faults : [];
  const errors = check.status === 'breaks-rules' ? check.faults : [];
  const warnings = check.status === 'no-merge-request' ? [] : check.warnings;
  return renderDocument<MergeValidateResult>({
    valid: check.status === 'valid',
    status: check.status,
    faults: faults.map(({ path, line, column, message }) => ({ path, line, column, message })),
    errors: errors.map(({ kind, message, fieldIds, sourceId, path, line, column }) => ({
      kind,
      message,
      fieldIds,
      sourceId,
      path,
      line,
      column,
    })),
    warnings: warnings.map(({ kind, message, path, line, column }) => ({
      kind,
      message,
      path,
      line,
      column,
    })),
  });
}
