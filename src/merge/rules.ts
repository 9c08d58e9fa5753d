import { mostProblems, type SchemaProblem, type TextPart } from '../core/json/schema-problem.js';
import { didYouMean } from '../core/text/did-you-mean.js';
import { quote, shorten } from '../core/text/quote.js';
import {
  isMetricSource,
  type MergeJoinKeyPart,
  type MergeQuery,
  type MergeQuerySource,
  type MetricQuery,
  mergedTableId,
} from './request.js';
import type { MergeErrorKind } from './response.js';

/**
 * The kinds of error that can be found without the server. Not among them are types, granularity, result sources and
 * parameters, nor a key that a source does not select: whether that is an error depends on the release.
 */
export const mergeRules = [
  'too_few_sources',
  'too_many_sources',
  'duplicate_source_id',
  'reserved_source_id',
  'empty_join_key',
  'join_key_coverage',
  'unknown_source_in_join_key',
  'fan_out',
  'duplicate_calculation_name',
  'unresolved_calculation_reference',
  'calculation_formula_too_long',
] as const satisfies readonly MergeErrorKind[];

/** A rule of merges that is checked without the server. */
export type MergeRule = (typeof mergeRules)[number];

/** A rule that a merge breaks, in the form in which the API reports it (MergeQueryError), and where. */
export interface BrokenRule {
  readonly kind: MergeRule;
  readonly message: string;
  readonly fieldIds: readonly string[];
  /** Null for errors about the merge as a whole. */
  readonly sourceId: string | null;
  readonly path: SchemaProblem['path'];
  /** The part of that value at fault, if it is not all of it. */
  readonly part?: TextPart;
}

/**
 * The rules that a merge breaks, as far as can be known without the server, and a hundred at most: rule by rule, and
 * within a rule in the order of the merge. The document names the rules but not exactly what breaks them. If two
 * readings are possible, the one that refuses less is taken: the server has the last word.
 */
export function checkMergeRules(mergeQuery: MergeQuery): BrokenRule[] {
  const broken: BrokenRule[] = [];
  for (const kind of mergeRules) {
    for (const { message, fieldIds = [], sourceId = null, path, ...part } of checks[kind](mergeQuery)) {
      broken.push({ kind, message, fieldIds, sourceId, path: ['mergeQuery', ...path], ...part });
      if (broken.length === mostProblems) return broken;
    }
  }
  return broken;
}

/** A broken rule. No fields and no source unless it names them; the path begins in the merge. */
type Fault = Pick<BrokenRule, 'message' | 'path' | 'part'> &
  Partial<Pick<BrokenRule, 'fieldIds' | 'sourceId'>>;

/**
 * Rules that compare everything with everything yield one fault at a time: a hostile merge breaks them millions of
 * times.
 */
const checks: Record<MergeRule, (mergeQuery: MergeQuery) => Iterable<Fault>> = {
  *too_few_sources({ sources: { length } }) {
    if (length >= 2) return;
    const found = length === 0 ? 'none' : 'one';
    yield { message: `a merge joins two sources; this one has ${found}`, path: ['sources'] };
  },

  *too_many_sources({ sources: { length } }) {
    if (length <= 2) return;
    yield { message: `a merge joins two sources; this one has ${length}`, path: ['sources', 2] };
  },

  duplicate_source_id: ({ sources }) =>
    repeated(sources.map(({ id }) => id)).map(({ value, position }) => ({
      message: `source id ${quote(value)} appears more than once; every source needs its own id`,
      sourceId: value,
      path: ['sources', position, 'id'],
    })),

  *reserved_source_id({ sources }) {
    for (const [i, { id }] of sources.entries()) {
      if (id !== mergedTableId) continue;
      const message = `source id ${quote(id)} is reserved: it is the table of the merged result`;
      yield { message, sourceId: id, path: ['sources', i, 'id'] };
    }
  },

  *empty_join_key({ joinKey }) {
    if (joinKey.length > 0) return;
    const message = 'the join key has no parts, but the sources need at least one column to join on';
    yield { message, path: ['joinKey'] };
  },

  *join_key_coverage({ joinKey, sources }) {
    const sourceIds = new Set(sources.map(({ id }) => id));
    for (const [i, { name, fieldIdBySourceId }] of joinKey.entries()) {
      for (const id of sourceIds) {
        if (Object.hasOwn(fieldIdBySourceId, id)) continue;
        const message =
          `join key part ${quote(name)} names no field of source ${quote(id)}; ` +
          'it needs one for every source';
        yield { message, sourceId: id, path: ['joinKey', i, 'fieldIdBySourceId'] };
      }
    }
  },

  *unknown_source_in_join_key({ joinKey, sources }) {
    const sourceIds = new Set(sources.map(({ id }) => id));
    for (const [i, { name, fieldIdBySourceId }] of joinKey.entries()) {
      for (const id of Object.keys(fieldIdBySourceId)) {
        if (sourceIds.has(id)) continue;
        const message =
          `join key part ${quote(name)} names a field of ${quote(id)}, which is not a source of this ` +
          `merge${didYouMean(id, [...sourceIds])}`;
        yield { message, sourceId: id, path: ['joinKey', i, 'fieldIdBySourceId', id] };
      }
    }
  },

  *fan_out({ joinKey, sources }) {
    for (const [i, source] of sources.entries()) {
      // A source that repeats its values allows several rows of the other one.
      const isAllowed = sources.some(
        (otherSource) => otherSource !== source && isGiven(otherSource.repeatValues),
      );
      if (!isMetricSource(source) || isAllowed) continue;
      const { id, metricQuery } = source;
      const inKey = new Set(joinKey.map((part) => fieldOf(part, id)));
      const fieldIds = [...new Set(metricQuery.dimensions)].filter((fieldId) => !inKey.has(fieldId));
      const [first] = fieldIds;
      if (first === undefined) continue;
      const [noun, verb] = fieldIds.length === 1 ? ['dimension', 'is'] : ['dimensions', 'are'];
      const message =
        `source ${quote(id)} may have several rows for one join key: its ` +
        `${noun} ${fieldIds.map(quote).join(', ')} ${verb} not in the key`;
      const at = metricQuery.dimensions.indexOf(first);
      yield { message, fieldIds, sourceId: id, path: ['sources', i, 'metricQuery', 'dimensions', at] };
    }
  },

  duplicate_calculation_name: ({ tableCalculations }) =>
    repeated(tableCalculations.map(({ name }) => name)).map(({ value, position }) => ({
      message: `calculation ${quote(value)} appears more than once; every calculation needs its own name`,
      fieldIds: [value],
      path: ['tableCalculations', position, 'name'],
    })),

  *unresolved_calculation_reference(mergeQuery) {
    for (const [i, { name, sql }] of mergeQuery.tableCalculations.entries()) {
      for (const reference of findReferences(sql)) {
        const fault = faultOfReference(reference, mergeQuery);
        if (fault === undefined) continue;
        const [message, sourceId, ...fieldIds] = fault;
        const path = ['tableCalculations', i, 'sql'];
        const { part } = reference;
        yield { message: `calculation ${quote(name)}: ${message}`, fieldIds, sourceId, path, part };
      }
    }
  },

  *calculation_formula_too_long({ tableCalculations }) {
    for (const [i, { name, formula = '' }] of tableCalculations.entries()) {
      if (formula.length <= longestFormula) continue;
      const message =
        `calculation ${quote(name)}: its formula has ${formula.length} characters; at most ` +
        `${longestFormula} are allowed`;
      yield { message, fieldIds: [name], path: ['tableCalculations', i, 'formula'] };
    }
  },
};

const longestFormula = 10_000;

/** Whether a field that the contract does not know asks for something. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false;
}

export function fieldOf({ fieldIdBySourceId }: MergeJoinKeyPart, sourceId: string): string | undefined {
  return Object.hasOwn(fieldIdBySourceId, sourceId) ? fieldIdBySourceId[sourceId] : undefined;
}

/** Every occurrence of a value after its first, with its position. */
function repeated(values: readonly string[]): { readonly value: string; readonly position: number }[] {
  const seen = new Set<string>();
  return values.flatMap((value, position) => {
    if (seen.has(value)) return [{ value, position }];
    seen.add(value);
    return [];
  });
}

/** What is written as a reference in the SQL of a calculation, `${sourceId.fieldId}`. */
interface Reference {
  /** The text between the braces, as written; if they never close, what follows the first brace. */
  readonly text: string;
  readonly closed: boolean;
  /** Whether the server takes it for one; if not, it stays in the SQL as it stands. */
  readonly isReference: boolean;
  /** At its first place in the SQL. */
  readonly part: TextPart;
}

/**
 * Each text once, until the first closing brace; it never closes if another one opens first. Between the braces of a
 * reference are letters, digits, `_`, `.` and `-` only.
 */
export function findReferences(sql: string): Reference[] {
  const references = new Map<string, Reference>();
  for (const match of sql.matchAll(/\$\{((?:(?!\$\{)[^}])*)(\}?)/g)) {
    const [written, text = '', brace] = match;
    if (references.has(written)) continue;
    const closed = brace !== '';
    const isReference = closed && hasUsualCharacters(text);
    references.set(written, { text, closed, isReference, part: { text: written, offset: match.index } });
  }
  return [...references.values()];
}

/** Whether a reference may contain the text. */
export function hasUsualCharacters(text: string): boolean {
  return /^[\w.-]+$/.test(text);
}

/**
 * Why a reference does not resolve, with the source that it names (null if it names none) and the field; undefined if
 * it does, or if only the server can judge it.
 */
function faultOfReference(
  { text: reference, isReference }: Reference,
  { sources, joinKey, tableCalculations }: MergeQuery,
): [message: string, sourceId: string | null, ...fieldIds: string[]] | undefined {
  if (!isReference) return undefined;
  const written = `\${${shorten(reference)}}`;

  // An id may contain dots, so `a.b.c` is a field of source `a` or of source `a.b`: either is accepted.
  const named = sources.filter(({ id }) => reference.startsWith(`${id}.`));
  const fieldIn = ({ id }: MergeQuerySource) => reference.slice(id.length + 1);
  if (named.some((source) => mayHave(source, fieldIn(source)))) return undefined;
  const [nearest] = named.filter(isMetricSource).sort((a, b) => b.id.length - a.id.length);
  if (nearest !== undefined) {
    const fieldId = fieldIn(nearest);
    const suggestion = didYouMean(fieldId, [...(knownFieldIds(nearest.metricQuery) ?? [])]);
    const message = `${written}: source ${quote(nearest.id)} has no field ${quote(fieldId)}${suggestion}`;
    return [message, nearest.id, fieldId];
  }

  // The document has no other form of reference than a source's field. Only the server can judge whether a reference
  // may also name a column of the merged result, alone or as a field of its table, or what Lightdash has under its own
  // name (parameters and user attributes).
  const mergedColumns = [...joinKey, ...tableCalculations].map(({ name }) => name);
  if (mergedColumns.some((column) => reference === column || reference === `${mergedTableId}.${column}`)) {
    return undefined;
  }
  if (/^(lightdash|ld)\./.test(reference)) return undefined;

  const dot = reference.indexOf('.');
  if (dot === -1) {
    return [`${written} names no source; a reference is \${sourceId.fieldId}`, null, reference];
  }
  const sourceId = reference.slice(0, dot);
  const suggestion = didYouMean(
    sourceId,
    sources.map(({ id }) => id),
  );
  const message = `${written}: there is no source ${quote(sourceId)}${suggestion}`;
  return [message, sourceId, reference.slice(dot + 1)];
}

function mayHave(source: MergeQuerySource, fieldId: string): boolean {
  return !isMetricSource(source) || (knownFieldIds(source.metricQuery)?.has(fieldId) ?? true);
}

/**
 * The ids of all fields that a metric query returns: those it selects, and those it defines inline.
 *
 * @returns undefined if not all of them can be known, because an inline definition (whose shape the contract does not
 *   show) has neither a name nor an id that we recognise
 */
function knownFieldIds(metricQuery: MetricQuery): ReadonlySet<string> | undefined {
  const {
    dimensions,
    metrics,
    additionalMetrics = [],
    tableCalculations,
    customDimensions = [],
  } = metricQuery;
  const inline = [...tableCalculations, ...customDimensions].map(({ id, name }) =>
    [id, name].filter((value) => typeof value === 'string'),
  );
  if (inline.some((names) => names.length === 0)) return undefined;
  // Lightdash's id of a metric is its table and name. The contract does not say so; the bare name counts too.
  const additional = additionalMetrics.flatMap(({ table, name }) => [`${table}_${name}`, name]);
  return new Set([...dimensions, ...metrics, ...additional, ...inline.flat()]);
}
