import { parseMergeRequest } from './parse.js';
import type { MergeRequest } from './request.js';
import { type BrokenRule, checkMergeRules } from './rules.js';
import { formatPath, type SchemaProblem } from './schema-problem.js';

/** A place in a text; both numbers start at 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Something wrong at a place of a merge file. `path` leads to the value at fault, and is empty for the whole. */
export interface Fault extends Position {
  readonly path: string;
  readonly message: string;
}

/** A broken rule, as the API would report it, with its place in the file. */
export type RuleFault = Fault & Pick<BrokenRule, 'kind' | 'fieldIds' | 'sourceId'>;

/** All that can be said of a merge without the server, in the order of its text. */
export type MergeCheck =
  | { readonly status: 'valid'; readonly request: MergeRequest }
  | { readonly status: 'breaks-rules'; readonly request: MergeRequest; readonly faults: readonly RuleFault[] }
  | { readonly status: 'no-merge-request'; readonly faults: readonly Fault[] };

/** Checks the shape of a compose merge request, and then, where it has that shape, the rules of its merge. */
export function checkMerge(
  json: unknown,
  positionOf: (path: SchemaProblem['path'], about: SchemaProblem['about']) => Position,
): MergeCheck {
  const parsed = parseMergeRequest(json);
  if (!parsed.ok) {
    const faults = parsed.problems.map(({ path, about, message }) => ({
      ...positionOf(path, about),
      path: formatPath(path),
      message,
    }));
    return { status: 'no-merge-request', faults: faults.sort(byPosition) };
  }
  const request = parsed.value;
  const faults = checkMergeRules(request.mergeQuery).map(({ path, ...error }) => ({
    ...positionOf(path, 'value'),
    path: formatPath(path),
    ...error,
  }));
  if (faults.length === 0) return { status: 'valid', request };
  return { status: 'breaks-rules', request, faults: faults.sort(byPosition) };
}

function byPosition(a: Position, b: Position): number {
  return a.line - b.line || a.column - b.column;
}
