import type { CheckedFile, Fault } from '../../merge-query/merge-check.js';
import type { MergeRequest } from '../../merge-query/request.js';
import { countOf } from '../phrase.js';
import { printable } from '../printable.js';

/** The faults, for a person and for an editor that reads `file:line:column: message`: one line per fault. */
export function renderMergeChecksText(files: readonly CheckedFile[]): string {
  const isAnyValid = files.some(({ check }) => check.status === 'valid');
  const lines = [...files.flatMap(describeCheck), ...(isAnyValid ? [onlyTheServer] : [])];
  return linesOf(lines) + files.map(renderMergeWarnings).join('');
}

const onlyTheServer = 'Only the server checks types, granularity, result sources and parameters.';

/** The same for what a server may refuse. */
export function renderMergeWarnings({ check, name }: CheckedFile): string {
  const warnings = check.status === 'no-merge-request' ? [] : check.warnings;
  return linesOf(warnings.map((warning) => `${describePlace(warning, name)}: warning: ${warning.message}`));
}

function linesOf(lines: readonly string[]): string {
  return lines.map((line) => `${printable(line)}\n`).join('');
}

function describeCheck({ check, name }: CheckedFile): string[] {
  switch (check.status) {
    case 'valid':
      return [`${name}: valid: ${describeMerge(check.request)}`];
    case 'breaks-rules':
      return check.faults.map((fault) => `${describePlace(fault, name)}: ${fault.kind}: ${fault.message}`);
    case 'no-merge-request':
      return [
        ...check.faults.map((fault) => `${describePlace(fault, name)}: ${fault.message}`),
        ...(check.faults.some(({ unknownKey }) => unknownKey === true)
          ? ['To send a key that lightspan does not know, unchanged: merge submit --no-validate']
          : []),
      ];
  }
}

function describePlace({ line, column, path }: Fault, name: string): string {
  return `${name}:${line}:${column}${path === '' ? '' : `: ${path}`}`;
}

function describeMerge({ mergeQuery }: MergeRequest): string {
  const { sources, joinType, joinKey, tableCalculations } = mergeQuery;
  const key = joinKey.map(({ name }) => name).join(', ');
  const joined = `${countOf(sources.length, 'source')}, ${joinType} join on ${key}`;
  return tableCalculations.length === 0
    ? joined
    : `${joined}, ${countOf(tableCalculations.length, 'calculation')}`;
}
