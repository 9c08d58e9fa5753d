import { formatPath, type SchemaProblem, type TextPart } from '../shared/schema-problem.js';
import type { Fault, PlacedWarning, Position, RuleFault } from './check-results.js';
import { parseMergeRequest } from './parse.js';
import type { MergeRequest } from './request.js';
import { type BrokenRule, checkMergeRules } from './rules.js';
import { findMergeWarnings, type MergeWarning } from './warnings.js';

export type { Fault, Position };

/**
 * The position of the value at a path, of its key, or of a part of its text; if there is none, of the innermost value
 * around it.
 */
export type PositionOf = (
  path: SchemaProblem['path'],
  about: SchemaProblem['about'],
  part?: TextPart,
) => Position;

/** A fault in the shape of a merge file. */
export type ShapeFault = Fault & {
  /** Whether the fault is a key that the contract does not have. */
  readonly unknownKey?: boolean;
};

/** All that can be said of a merge without the server, in the order of its text. */
export type MergeCheck =
  | { readonly status: 'valid'; readonly request: MergeRequest; readonly warnings: readonly PlacedWarning[] }
  | {
      readonly status: 'breaks-rules';
      readonly request: MergeRequest;
      readonly faults: readonly RuleFault[];
      readonly warnings: readonly PlacedWarning[];
    }
  | { readonly status: 'no-merge-request'; readonly faults: readonly ShapeFault[] };

/** A file and what can be said of it. */
export interface CheckedFile {
  /** Its name in messages. */
  readonly name: string;
  readonly check: MergeCheck;
}

/** The status of files together: the worst. */
export function statusOfChecks(files: readonly CheckedFile[]): MergeCheck['status'] {
  const statuses = files.map(({ check }) => check.status);
  return (['no-merge-request', 'breaks-rules'] as const).find((worst) => statuses.includes(worst)) ?? 'valid';
}

/** Checks the shape of a compose merge request. If the shape is right, checks the rules of its merge. */
export function checkMerge(json: unknown, positionOf: PositionOf): MergeCheck {
  const parsed = parseMergeRequest(json);
  if (!parsed.ok) return { status: 'no-merge-request', faults: placeProblems(parsed.problems, positionOf) };
  const request = parsed.value;
  const place = <T extends BrokenRule | MergeWarning>({ path, part, ...rest }: T) => ({
    ...positionOf(path, 'value', part),
    path: formatPath(path),
    ...rest,
  });
  const faults = checkMergeRules(request.mergeQuery).map(place).sort(byPosition);
  const warnings = findMergeWarnings(request.mergeQuery).map(place).sort(byPosition);
  if (faults.length === 0) return { status: 'valid', request, warnings };
  return { status: 'breaks-rules', request, faults, warnings };
}

/**
 * In the order of the text, except that a missing key comes after unknown keys next to it, which may be its
 * misspelling.
 */
function placeProblems(problems: readonly SchemaProblem[], positionOf: PositionOf): ShapeFault[] {
  const placed = problems.map(({ path, about, message }) => ({
    about,
    object: formatPath(path.slice(0, -1)),
    fault: {
      ...positionOf(path, about),
      path: formatPath(path),
      message,
      ...(about === 'key' ? { unknownKey: true } : {}),
    },
  }));
  const lastUnknown = new Map<string, Position>();
  for (const { about, object, fault } of placed.toSorted((a, b) => byPosition(a.fault, b.fault))) {
    if (about === 'key') lastUnknown.set(object, fault);
  }
  return placed
    .map(({ about, object, fault }) => {
      const unknown = about === 'missing' ? lastUnknown.get(object) : undefined;
      return { fault, at: unknown ?? fault, follows: Number(unknown !== undefined) };
    })
    .sort((a, b) => byPosition(a.at, b.at) || a.follows - b.follows)
    .map(({ fault }) => fault);
}

function byPosition(a: Position, b: Position): number {
  return a.line - b.line || a.column - b.column;
}
