import * as z from 'zod/mini';
import type { DeepReadonly } from '../core/deep-readonly.js';
import { formatPath, mostProblems, type SchemaProblem, type TextPart } from '../core/json/schema-problem.js';
import { compact } from '../core/text/compact.js';
import { quote, shorten } from '../core/text/quote.js';
import { type MergeQuery, type MergeRequest, parseMergeRequest } from './request.js';
import { type BrokenRule, checkMergeRules, findReferences, mergeRules } from './rules.js';

/** A place in a text; both numbers start at 1. */
const place = {
  path: z.string().check(z.describe('Path to the value at fault; empty for the whole file.')),
  line: z.int().check(z.gte(1)),
  column: z.int().check(z.gte(1)),
};

export type Fault = DeepReadonly<z.infer<typeof faultSchema>>;
export const faultSchema = z.strictObject({ ...place, message: z.string() });

/** A broken rule in the form of the API, with its place in the file. */
export type RuleFault = DeepReadonly<z.infer<typeof ruleFaultSchema>>;
export const ruleFaultSchema = z.strictObject({
  kind: z.enum(mergeRules),
  message: z.string(),
  fieldIds: z.array(z.string()),
  /** Null for errors about the merge as a whole. */
  sourceId: z.nullable(z.string()),
  ...place,
});

/** What the contract allows but a server may refuse. */
const mergeWarningKinds = ['unusual_source_id', 'unusual_reference', 'more_than_two_sources'] as const;

export type PlacedWarning = DeepReadonly<z.infer<typeof placedWarningSchema>>;
export const placedWarningSchema = z.strictObject({
  kind: z.enum(mergeWarningKinds),
  message: z.string(),
  ...place,
});

export type Position = Pick<Fault, 'line' | 'column'>;

/**
 * The position of the value at a path, of its key, or of a part of its text; if there is none, of the innermost value
 * around it.
 */
export type PositionOf = (
  path: SchemaProblem['path'],
  about: SchemaProblem['about'],
  part?: TextPart,
) => Position;

/** All that can be said of a merge without the server, in the order of its text. */
export type MergeCheck =
  | { readonly status: 'valid'; readonly request: MergeRequest; readonly warnings: readonly PlacedWarning[] }
  | {
      readonly status: 'breaks-rules';
      readonly request: MergeRequest;
      readonly faults: readonly RuleFault[];
      readonly warnings: readonly PlacedWarning[];
    }
  | { readonly status: 'no-merge-request'; readonly faults: readonly Fault[] };

export interface CheckedFile {
  readonly name: string;
  readonly check: MergeCheck;
}

/** The status of files together: the worst. */
export function statusOfChecks(files: readonly CheckedFile[]): MergeCheck['status'] {
  const statuses = files.map(({ check }) => check.status);
  return (['no-merge-request', 'breaks-rules'] as const).find((worst) => statuses.includes(worst)) ?? 'valid';
}

export function checkMerge(json: unknown, positionOf: PositionOf): MergeCheck {
  const parsed = parseMergeRequest(json);
  if (!parsed.ok) {
    // In the order of the text, but what is missing comes last: an unknown key may be its misspelling.
    const faults = [false, true].flatMap((isMissing) =>
      parsed.problems
        .filter(({ about }) => (about === 'missing') === isMissing)
        .map((problem) => placeProblem(problem, positionOf))
        .sort(byPosition),
    );
    return { status: 'no-merge-request', faults };
  }
  const request = parsed.value;
  const place = <T extends BrokenRule | MergeWarning>({ path, part, ...rest }: T) => ({
    ...rest,
    path: formatPath(path),
    ...positionOf(path, 'value', part),
  });
  const faults = checkMergeRules(request.mergeQuery).map(place).sort(byPosition);
  const warnings = findMergeWarnings(request.mergeQuery).map(place).sort(byPosition);
  if (faults.length === 0) return { status: 'valid', request, warnings };
  return { status: 'breaks-rules', request, faults, warnings };
}

export function placeProblem({ path, about, message }: SchemaProblem, positionOf: PositionOf): Fault {
  return { path: formatPath(path), ...positionOf(path, about), message };
}

function byPosition(a: Position, b: Position): number {
  return a.line - b.line || a.column - b.column;
}

export type MergeWarning = Pick<PlacedWarning, 'kind' | 'message'> & Pick<BrokenRule, 'path' | 'part'>;

/**
 * What a server may refuse in a merge although it breaks no documented rule: the contract limits neither the characters
 * of an id nor the number of sources, yet has an error for too many sources. A hundred at most.
 */
export function findMergeWarnings({ sources, tableCalculations }: MergeQuery): MergeWarning[] {
  const isUsual = (text: string) => /^[\w.-]+$/.test(text);
  const ids = sources.flatMap(({ id }, i): MergeWarning[] => {
    const message = `source id ${quote(id)} does not consist of letters, digits, "_", "." and "-" only: a server may refuse it`;
    const path = ['mergeQuery', 'sources', i, 'id'];
    return isUsual(id) ? [] : [{ kind: 'unusual_source_id', message, path }];
  });
  const count = compact<MergeWarning>(
    sources.length > 2 && {
      kind: 'more_than_two_sources',
      message: `the merge has ${sources.length} sources: a server may take no more than two`,
      path: ['mergeQuery', 'sources', 2],
    },
  );
  const references = tableCalculations.flatMap(({ name, sql }, i) =>
    // A reference that never closes breaks a rule.
    findReferences(sql).flatMap(({ text, closed, part }): MergeWarning[] => {
      const what = /\s/.test(text) ? 'blanks' : 'unusual characters';
      const message = `calculation ${quote(name)}: \${${shorten(text)}} holds ${what}: a server may refuse it`;
      const path = ['mergeQuery', 'tableCalculations', i, 'sql'];
      return closed && !isUsual(text) ? [{ kind: 'unusual_reference', message, path, part }] : [];
    }),
  );
  return [...ids, ...count, ...references].slice(0, mostProblems);
}
