import * as z from 'zod/mini';
import type { DeepReadonly } from '../core/common/deep-readonly.js';
import { formatPath, mostProblems, type SchemaProblem, type TextPart } from '../core/json/schema-problem.js';
import { didYouMean } from '../core/text/did-you-mean.js';
import { quote, shorten } from '../core/text/quote.js';
import {
  contractVersion,
  isMetricSource,
  type MergeQuery,
  type MergeRequest,
  parseMergeRequest,
} from './request.js';
import {
  type BrokenRule,
  checkMergeRules,
  fieldOf,
  findReferences,
  hasUsualCharacters,
  mergeRules,
} from './rules.js';

/** A place in a text; both numbers start at 1. */
const positionShape = {
  path: z.string().check(z.describe('Path to the value at fault; empty for the whole file.')),
  line: z.int().check(z.gte(1)),
  column: z.int().check(z.gte(1)),
};

export type Fault = DeepReadonly<z.infer<typeof faultSchema>>;
export const faultSchema = z.strictObject({ ...positionShape, message: z.string() });

/** A broken rule in the form of the API, with its place in the file. */
type RuleFault = DeepReadonly<z.infer<typeof ruleFaultSchema>>;
export const ruleFaultSchema = z.strictObject({
  kind: z.enum(mergeRules),
  message: z.string(),
  fieldIds: z.array(z.string()),
  /** Null for errors about the merge as a whole. */
  sourceId: z.nullable(z.string()),
  ...positionShape,
});

/** What is no error, but may not do what was meant: the server has the last word. */
const mergeWarningKinds = ['unusual_source_id', 'unusual_reference', 'newer_than_contract'] as const;

type PlacedWarning = DeepReadonly<z.infer<typeof placedWarningSchema>>;
export const placedWarningSchema = z.strictObject({
  kind: z.enum(mergeWarningKinds),
  message: z.string(),
  ...positionShape,
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

/** Everything about a merge that can be checked without the server, in the order of its text. */
export type MergeCheck =
  | { readonly status: 'valid'; readonly request: MergeRequest; readonly warnings: readonly PlacedWarning[] }
  | {
      readonly status: 'breaks-rules';
      readonly request: MergeRequest;
      readonly faults: readonly RuleFault[];
      readonly warnings: readonly PlacedWarning[];
    }
  | {
      readonly status: 'no-merge-request';
      readonly faults: readonly Fault[];
      /** A key that the contract has not may be one that a newer server knows. */
      readonly hasUnknownKeys: boolean;
    };

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
    const hasUnknownKeys = parsed.problems.some(({ about }) => about === 'key');
    return { status: 'no-merge-request', faults, hasUnknownKeys };
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

type MergeWarning = Pick<PlacedWarning, 'kind' | 'message'> & Pick<BrokenRule, 'path' | 'part'>;

/** What breaks no rule, and only the server can judge. A hundred at most. */
export function findMergeWarnings(mergeQuery: MergeQuery): MergeWarning[] {
  const ids = mergeQuery.sources.flatMap(({ id }, i): MergeWarning[] => {
    const message =
      `source id ${quote(id)} has characters other than letters, digits, "_", "." and "-": no calculation can ` +
      'refer to it';
    const path = ['mergeQuery', 'sources', i, 'id'];
    return hasUsualCharacters(id) ? [] : [{ kind: 'unusual_source_id', message, path }];
  });
  const references = mergeQuery.tableCalculations.flatMap(({ name, sql }, i) =>
    findReferences(sql).flatMap(({ text, closed, isReference, part }): MergeWarning[] => {
      const what = closed
        ? `\${${shorten(text)}} is not a reference (letters, digits, "_", "." and "-" only)`
        : `\${${shorten(text)} has no closing brace and is not a reference`;
      const message = `calculation ${quote(name)}: ${what}; it stays in the SQL as written`;
      const path = ['mergeQuery', 'tableCalculations', i, 'sql'];
      return isReference ? [] : [{ kind: 'unusual_reference', message, path, part }];
    }),
  );
  return [...newerThanContract(mergeQuery), ...ids, ...references].slice(0, mostProblems);
}

/** One warning for all that newer servers take and the contract does not have; it stands at the first. */
function newerThanContract(mergeQuery: MergeQuery): MergeWarning[] {
  const newerFields: Newer[] = [];
  for (const newer of findNewer(mergeQuery)) {
    newerFields.push(newer);
    if (newerFields.length > mostNewer) break;
  }
  const [first] = newerFields;
  if (first === undefined) return [];
  const named = newerFields
    .slice(0, mostNewer)
    .map(({ path, why = '' }) => `${formatPath(['mergeQuery', ...path])}${why}`);
  const each = [...named, ...(newerFields.length > mostNewer ? ['and more'] : [])].join('; ');
  const message = `newer than the contract (${contractVersion}), sent unchanged; the server judges it: ${each}`;
  return [{ kind: 'newer_than_contract', message, path: ['mergeQuery', ...first.path] }];
}

/** As many are named in one message. */
const mostNewer = 5;

interface Newer {
  readonly path: SchemaProblem['path'];
  readonly why?: string;
}

/** In the order of the contract's fields. A server that selects the key itself takes one that is not selected. */
function* findNewer({ joinKey, sources, tableCalculations, sorts }: MergeQuery): Generator<Newer> {
  for (const { id, metricQuery } of sources.filter(isMetricSource)) {
    const dimensions = new Set(metricQuery.dimensions);
    for (const [i, part] of joinKey.entries()) {
      const fieldId = fieldOf(part, id);
      if (fieldId === undefined || dimensions.has(fieldId)) continue;
      const path = ['joinKey', i, 'fieldIdBySourceId', id];
      const why =
        ` (${quote(fieldId)} is not selected by source ${quote(id)}; older servers refuse it: ` +
        `join_key_not_selected${didYouMean(fieldId, metricQuery.dimensions)})`;
      yield { path, why };
    }
  }
  for (const [i, { repeatValues }] of sources.entries()) {
    if (repeatValues !== undefined) yield { path: ['sources', i, 'repeatValues'] };
  }
  if (sorts !== undefined) yield { path: ['sorts'] };
  for (const [i, { formula }] of tableCalculations.entries()) {
    if (formula !== undefined) yield { path: ['tableCalculations', i, 'formula'] };
  }
}
