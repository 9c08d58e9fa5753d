import { quote, shorten } from '../shared/quote.js';
import { mostProblems, type SchemaProblem, type TextPart } from '../shared/schema-problem.js';
import { findReferences } from './calculation-references.js';
import type { MergeQuery } from './request.js';

/** What the contract allows but a server may refuse. */
export const mergeWarningKinds = ['unusual_source_id', 'unusual_reference', 'more_than_two_sources'] as const;

export type MergeWarningKind = (typeof mergeWarningKinds)[number];

export interface MergeWarning {
  readonly kind: MergeWarningKind;
  readonly message: string;
  /** The path of the value in a compose merge request. */
  readonly path: SchemaProblem['path'];
  /** The part of that value, if it is not all of it. */
  readonly part?: TextPart;
}

/**
 * What a server may refuse in a merge although it breaks no documented rule: the contract limits neither the characters
 * of an id nor the number of sources, yet has an error for too many sources. A hundred at most.
 */
export function findMergeWarnings({ sources, tableCalculations }: MergeQuery): MergeWarning[] {
  const warnings: MergeWarning[] = [];
  for (const [i, { id }] of sources.entries()) {
    if (isUsual(id)) continue;
    warnings.push({
      kind: 'unusual_source_id',
      message: `source id ${quote(id)} does not consist of letters, digits, "_", "." and "-" only: a server may refuse it`,
      path: ['mergeQuery', 'sources', i, 'id'],
    });
  }
  if (sources.length > 2) {
    warnings.push({
      kind: 'more_than_two_sources',
      message: `the merge has ${sources.length} sources: a server may take no more than two`,
      path: ['mergeQuery', 'sources', 2],
    });
  }
  for (const [i, { name, sql }] of tableCalculations.entries()) {
    for (const { text, closed, part } of findReferences(sql)) {
      // A reference that never closes breaks a rule.
      if (!closed || isUsual(text)) continue;
      warnings.push({
        kind: 'unusual_reference',
        message: `calculation ${quote(name)}: \${${shorten(text)}} holds ${/\s/.test(text) ? 'blanks' : 'unusual characters'}: a server may refuse it`,
        path: ['mergeQuery', 'tableCalculations', i, 'sql'],
        part,
      });
    }
  }
  return warnings.slice(0, mostProblems);
}

function isUsual(text: string): boolean {
  return /^[\w.-]+$/.test(text);
}
