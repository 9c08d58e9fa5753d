import { didYouMean } from '../shared/did-you-mean.js';
import { quote } from '../shared/quote.js';
import { mostProblems, type SchemaProblem, type TextPart } from '../shared/schema-problem.js';
import { findReferenceFaults } from './calculation-references.js';
import { isMetricSource, type MergeJoinKeyPart, type MergeQuery, mergedTableId } from './request.js';
import type { MergeQueryErrorKind } from './response.js';

/**
 * The kinds of error that can be found without the server. Not among them are types, granularity, result sources,
 * parameters, and the maximum number of sources.
 */
export const mergeRules = [
  'too_few_sources',
  'duplicate_source_id',
  'reserved_source_id',
  'empty_join_key',
  'join_key_coverage',
  'unknown_source_in_join_key',
  'join_key_not_selected',
  'fan_out',
  'duplicate_calculation_name',
  'unresolved_calculation_reference',
] as const satisfies readonly MergeQueryErrorKind[];

/** A rule that `checkMergeRules` checks. */
export type MergeRule = (typeof mergeRules)[number];

/** A rule that a merge breaks, in the form in which the API reports it (MergeQueryError), and where. */
export interface BrokenRule {
  readonly kind: MergeRule;
  readonly message: string;
  readonly fieldIds: readonly string[];
  /** Null for errors about the merge as a whole. */
  readonly sourceId: string | null;
  /** The path of the value at fault in a compose merge request. */
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
  for (const rule of mergeRules) {
    for (const fault of checks[rule](mergeQuery)) {
      broken.push(fault);
      if (broken.length === mostProblems) return broken;
    }
  }
  return broken;
}

/**
 * Rules that compare everything with everything yield one fault at a time: a hostile merge breaks them millions of
 * times.
 */
const checks: Record<MergeRule, (mergeQuery: MergeQuery) => Iterable<BrokenRule>> = {
  too_few_sources: ({ sources }) => {
    if (sources.length >= 2) return [];
    const found = sources.length === 0 ? 'none' : 'one';
    return [
      {
        kind: 'too_few_sources',
        message: `a merge joins two or more sources, but this one has ${found}`,
        fieldIds: [],
        sourceId: null,
        path: ['mergeQuery', 'sources'],
      },
    ];
  },

  duplicate_source_id: ({ sources }) =>
    repeated(sources.map(({ id }) => id)).map(({ value, position }) => ({
      kind: 'duplicate_source_id',
      message: `source id ${quote(value)} appears more than once; every source needs its own id`,
      fieldIds: [],
      sourceId: value,
      path: ['mergeQuery', 'sources', position, 'id'],
    })),

  reserved_source_id: ({ sources }) =>
    [...sources.entries()]
      .filter(([, { id }]) => id === mergedTableId)
      .map(([i, { id }]) => ({
        kind: 'reserved_source_id',
        message: `source id ${quote(id)} is reserved: it is the table of the merged result`,
        fieldIds: [],
        sourceId: id,
        path: ['mergeQuery', 'sources', i, 'id'],
      })),

  empty_join_key: ({ joinKey }) => {
    if (joinKey.length > 0) return [];
    return [
      {
        kind: 'empty_join_key',
        message: 'the join key has no parts, but the sources need at least one column to join on',
        fieldIds: [],
        sourceId: null,
        path: ['mergeQuery', 'joinKey'],
      },
    ];
  },

  *join_key_coverage({ joinKey, sources }) {
    const sourceIds = new Set(sources.map(({ id }) => id));
    for (const [i, { name, fieldIdBySourceId }] of joinKey.entries()) {
      for (const id of sourceIds) {
        if (Object.hasOwn(fieldIdBySourceId, id)) continue;
        yield {
          kind: 'join_key_coverage',
          message: `join key part ${quote(name)} names no field of source ${quote(id)}; it needs one for every source`,
          fieldIds: [],
          sourceId: id,
          path: ['mergeQuery', 'joinKey', i, 'fieldIdBySourceId'],
        };
      }
    }
  },

  *unknown_source_in_join_key({ joinKey, sources }) {
    const sourceIds = new Set(sources.map(({ id }) => id));
    for (const [i, { name, fieldIdBySourceId }] of joinKey.entries()) {
      for (const [id, fieldId] of Object.entries(fieldIdBySourceId)) {
        if (sourceIds.has(id)) continue;
        yield {
          kind: 'unknown_source_in_join_key',
          message: `join key part ${quote(name)} names a field of ${quote(id)}, which is no source of this merge${didYouMean(id, [...sourceIds])}`,
          fieldIds: [fieldId],
          sourceId: id,
          path: ['mergeQuery', 'joinKey', i, 'fieldIdBySourceId', id],
        };
      }
    }
  },

  *join_key_not_selected({ joinKey, sources }) {
    for (const { id, metricQuery } of sources.filter(isMetricSource)) {
      const dimensions = new Set(metricQuery.dimensions);
      for (const [i, part] of joinKey.entries()) {
        const fieldId = fieldOf(part, id);
        if (fieldId === undefined || dimensions.has(fieldId)) continue;
        yield {
          kind: 'join_key_not_selected',
          message: `source ${quote(id)} joins on ${quote(fieldId)}, which is not among its dimensions${didYouMean(fieldId, metricQuery.dimensions)}`,
          fieldIds: [fieldId],
          sourceId: id,
          path: ['mergeQuery', 'joinKey', i, 'fieldIdBySourceId', id],
        };
      }
    }
  },

  fan_out: ({ joinKey, sources }) => {
    // Without a key, every dimension would be outside it. That is one fault, and `empty_join_key` reports it.
    if (joinKey.length === 0) return [];
    return [...sources.entries()].flatMap(([i, source]) => {
      if (!isMetricSource(source)) return [];
      const { id, metricQuery } = source;
      const inKey = new Set(joinKey.map((part) => fieldOf(part, id)));
      const outside = [...new Set(metricQuery.dimensions)].filter((fieldId) => !inKey.has(fieldId));
      const [first] = outside;
      if (first === undefined) return [];
      return [
        {
          kind: 'fan_out' as const,
          message: `source ${quote(id)} may have several rows for one join key: its ${outside.length === 1 ? 'dimension' : 'dimensions'} ${outside.map(quote).join(', ')} ${outside.length === 1 ? 'is' : 'are'} not in the key`,
          fieldIds: outside,
          sourceId: id,
          path: [
            'mergeQuery',
            'sources',
            i,
            'metricQuery',
            'dimensions',
            metricQuery.dimensions.indexOf(first),
          ],
        },
      ];
    });
  },

  duplicate_calculation_name: ({ tableCalculations }) =>
    repeated(tableCalculations.map(({ name }) => name)).map(({ value, position }) => ({
      kind: 'duplicate_calculation_name',
      message: `calculation ${quote(value)} appears more than once; every calculation needs its own name`,
      fieldIds: [value],
      sourceId: null,
      path: ['mergeQuery', 'tableCalculations', position, 'name'],
    })),

  *unresolved_calculation_reference(mergeQuery) {
    for (const [i, { name, sql }] of mergeQuery.tableCalculations.entries()) {
      for (const { message, fieldIds, sourceId, part } of findReferenceFaults(sql, mergeQuery)) {
        yield {
          kind: 'unresolved_calculation_reference',
          message: `calculation ${quote(name)}: ${message}`,
          fieldIds,
          sourceId,
          path: ['mergeQuery', 'tableCalculations', i, 'sql'],
          part,
        };
      }
    }
  },
};

function fieldOf({ fieldIdBySourceId }: MergeJoinKeyPart, sourceId: string): string | undefined {
  return Object.hasOwn(fieldIdBySourceId, sourceId) ? fieldIdBySourceId[sourceId] : undefined;
}

/** The values that occur more than once, each once, with the position of the second occurrence. */
function repeated(values: readonly string[]): { readonly value: string; readonly position: number }[] {
  const seconds = new Map<string, number>();
  const seen = new Set<string>();
  for (const [position, value] of values.entries()) {
    if (seen.has(value) && !seconds.has(value)) seconds.set(value, position);
    seen.add(value);
  }
  return [...seconds].map(([value, position]) => ({ value, position }));
}
