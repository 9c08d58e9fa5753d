import { compact } from '../../core/text/compact.js';
import { printable } from '../../core/text/printable.js';
import type { Horizon } from '../../known-issues/records.js';
import { countOf, formatNumber } from '../phrase.js';
import { type AcceptedRisk, factOfAcceptance } from './accepted.js';

export interface JudgedBy {
  /** When the index was generated, ISO 8601; null if none was read. */
  readonly index: string | null;
  /** How many records count; null if they were left out. */
  readonly knownIssues: number | null;
  /** How far they reach; absent if they were left out. */
  readonly knownThrough?: Horizon | undefined;
  /** How many artifacts were read, of how many releases that have one. */
  readonly artifacts: { readonly read: number; readonly of: number };
  /** The facts of the instance; null if there are none. */
  readonly facts: { readonly source: string; readonly collectedAt: string } | null;
  /** The file of settings that changed the answer; absent if none did. */
  readonly settings?: string;
  readonly accepted?: readonly AcceptedRisk[];
}

/** The names of the acceptances that count in this answer: with any, it never says proven. */
export function namesOfAccepted({ accepted = [] }: Pick<JudgedBy, 'accepted'>): readonly string[] {
  return accepted.filter(({ state }) => state === 'counts').map(({ name }) => printable(name));
}

/**
 * `index of 2026-09-06, 12 known issues of releases up to 2.134.2 (as of 2026-11-27), 0 of 60 artifacts; your database
 * and deployment were not checked`
 */
function describeJudgedBy({
  index,
  knownIssues,
  knownThrough,
  artifacts,
  facts,
  accepted = [],
}: JudgedBy): string {
  const counting = namesOfAccepted({ accepted }).length;
  const words = compact(
    index === null
      ? 'the files alone'
      : [
          `index of ${index.slice(0, 'YYYY-MM-DD'.length)}`,
          knownIssues === null
            ? 'no known issues'
            : compact(countOf(knownIssues, 'known issue'), knownThrough && describeReach(knownThrough)).join(
                ' ',
              ),
          artifacts.of === 0
            ? 'no artifacts'
            : `${formatNumber(artifacts.read)} of ${countOf(artifacts.of, 'artifact')}`,
          facts !== null && `facts of ${facts.collectedAt} (${printable(facts.source)})`,
        ],
    counting > 0 && countOf(counting, 'accepted risk'),
  ).join(', ');
  return index !== null && facts === null ? `${words}; your database and deployment were not checked` : words;
}

function describeReach({ version, asOf }: Horizon): string {
  return `of releases up to ${version} (as of ${asOf})`;
}

export function factsOfJudgedBy(
  judgedBy: JudgedBy,
): readonly { readonly label: string; readonly text: string }[] {
  const { settings, accepted = [] } = judgedBy;
  return [
    { label: 'Based on', text: describeJudgedBy(judgedBy) },
    ...(settings === undefined ? [] : [{ label: 'Settings', text: printable(settings) }]),
    ...accepted.map(factOfAcceptance),
  ];
}
