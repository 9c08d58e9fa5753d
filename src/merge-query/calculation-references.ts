import { didYouMean } from '../shared/did-you-mean.js';
import { quote, shorten } from '../shared/quote.js';
import type { TextPart } from '../shared/schema-problem.js';
import {
  isMetricSource,
  type MergeQuery,
  type MergeQuerySource,
  type MetricQuery,
  mergedTableId,
} from './request.js';

/** A reference in the SQL of a calculation that does not resolve. */
export interface ReferenceFault {
  readonly message: string;
  readonly fieldIds: readonly string[];
  /** The source that it names, whether or not the merge has one of that id; null if it names none. */
  readonly sourceId: string | null;
  /** The text of the reference, at its first place in the SQL. */
  readonly part: TextPart;
}

/**
 * The references of a calculation, `${sourceId.fieldId}`, that do not resolve, in the order of the SQL. References that
 * only the server can judge are not included.
 */
export function* findReferenceFaults(sql: string, mergeQuery: MergeQuery): Generator<ReferenceFault> {
  for (const reference of findReferences(sql)) {
    const fault = faultOf(reference, mergeQuery);
    if (fault !== undefined) yield { ...fault, part: reference.part };
  }
}

export interface Reference {
  /** The text between the braces, as written; if they never close, what follows the first brace. */
  readonly text: string;
  readonly closed: boolean;
  readonly part: TextPart;
}

/**
 * Each text once. A reference ends at the first closing brace; ids may contain anything else, including spaces and
 * dots. The contract has no escape for a brace. A reference never closes if another one opens first.
 */
export function findReferences(sql: string): Reference[] {
  const references = new Map<string, Reference>();
  for (const match of sql.matchAll(/\$\{((?:(?!\$\{)[^}])*)(\}?)/g)) {
    const [written, text = '', brace] = match;
    if (references.has(written)) continue;
    references.set(written, {
      text,
      closed: brace !== '',
      part: { text: written, offset: match.index },
    });
  }
  return [...references.values()];
}

/** Why a reference does not resolve; undefined if it does, or if only the server can judge it. */
function faultOf(
  { text, closed }: Reference,
  { sources, joinKey, tableCalculations }: MergeQuery,
): Omit<ReferenceFault, 'part'> | undefined {
  if (!closed) {
    return { message: `\${${shorten(text)} has no closing brace`, fieldIds: [], sourceId: null };
  }
  const written = `\${${shorten(text)}}`;
  const reference = text.trim();

  // An id may contain dots, so `a.b.c` is a field of source `a` or of source `a.b`: either is accepted.
  const named = sources.filter(({ id }) => reference.startsWith(`${id}.`));
  const fieldOf = ({ id }: MergeQuerySource) => reference.slice(id.length + 1);
  if (named.some((source) => mayHave(source, fieldOf(source)))) return undefined;
  const [nearest] = named.filter(isMetricSource).sort((a, b) => b.id.length - a.id.length);
  if (nearest !== undefined) {
    const fieldId = fieldOf(nearest);
    const suggestion = didYouMean(fieldId, [...(knownFieldIds(nearest.metricQuery) ?? [])]);
    return {
      message: `${written}: source ${quote(nearest.id)} has no field ${quote(fieldId)}${suggestion}`,
      fieldIds: [fieldId],
      sourceId: nearest.id,
    };
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
    return {
      message: `${written} names no source; a reference is \${sourceId.fieldId}`,
      fieldIds: reference === '' ? [] : [reference],
      sourceId: null,
    };
  }
  const sourceId = reference.slice(0, dot);
  const sourceIds = sources.map(({ id }) => id);
  return {
    message: `${written}: there is no source ${quote(sourceId)}${didYouMean(sourceId, sourceIds)}`,
    fieldIds: [reference.slice(dot + 1)],
    sourceId,
  };
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
