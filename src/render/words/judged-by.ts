import { countOf, number } from '../phrase.js';
import { printable } from '../printable.js';

/** How much an answer rests on. */
export interface JudgedBy {
  /** When the index was generated, ISO 8601; null if none was read. */
  readonly index: string | null;
  /** How many records count; null if they were left out. */
  readonly knownIssues: number | null;
  /** Of the releases that have one. */
  readonly artifacts: { readonly read: number; readonly of: number };
  /** Those of the instance; null if there are none. */
  readonly facts: { readonly source: string; readonly collectedAt: string } | null;
}

/** `index of 2026-09-06, 12 known issues, 0 of 60 artifacts, no facts` */
export function describeJudgedBy({ index, knownIssues, artifacts, facts }: JudgedBy): string {
  const by =
    index === null
      ? ['the files alone']
      : [
          `index of ${index.slice(0, 'YYYY-MM-DD'.length)}`,
          knownIssues === null ? 'no known issues' : countOf(knownIssues, 'known issue'),
          artifacts.of === 0
            ? 'no artifacts'
            : `${number(artifacts.read)} of ${countOf(artifacts.of, 'artifact')}`,
          facts === null ? 'no facts' : `facts of ${facts.collectedAt} (${printable(facts.source)})`,
        ];
  return by.join(', ');
}

/** The line that every answer has. */
export function judgedByLine(judgedBy: JudgedBy): string {
  return `Judged by: ${describeJudgedBy(judgedBy)}`;
}
