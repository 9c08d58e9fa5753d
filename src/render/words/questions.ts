import { releaseStatuses } from '../../release-safety/kinds.js';
import type { UpgradeReport } from '../../release-safety/report.js';
import { questionOf, type SpanResult } from '../../release-safety/span.js';
import { countOf } from '../phrase.js';
import { describeBlock, describeHole, describeIssue, describeReason, reasonsOfKind } from './reasons.js';
import { releaseStatusWords } from './release-status.js';

/** One of the two questions about a span, or the one about an instance. */
export interface Answer {
  readonly question: 'Direct upgrade' | 'Rolling update' | 'Preflight';
  readonly answer: 'yes' | 'no' | 'unknown';
  /** What speaks against it, one line each. */
  readonly why: readonly string[];
}

type Answers = readonly [direct: Answer, rolling: Answer];

/** Lists releases that are all of one kind: how many, or which. */
export type ListReleases = (kind: string, versions: readonly string[]) => string;

/**
 * The answers of the index to the two questions.
 *
 * @param disputes what the artifacts say against both
 */
export function answersOfSpan(
  span: SpanResult,
  list: ListReleases,
  disputes: readonly string[] = [],
): Answers {
  const versionsOf = (kind: 'unsafe-release' | 'unknown-release') =>
    reasonsOfKind(span.reasons, kind).map(({ version }) => version);
  const againstRolling = [
    ...describeUnproven(versionsOf('unsafe-release'), versionsOf('unknown-release'), list),
    ...(span.missingRanges.length === 0 ? [] : ['the index does not cover the whole span (span rule 7)']),
  ];
  return compose(span, againstRolling, { direct: disputes, rolling: disputes });
}

/** The answers of index and artifacts to the two questions: release by release, and by the number of each status. */
export function answersOfReport(report: UpgradeReport): Answers {
  const { span, counts, indexAlone, blockedBy, fromVersion, toVersion } = report;
  const againstRolling = [
    ...releaseStatuses
      .filter((status) => status !== 'proven' && counts[status] > 0)
      .map((status) => {
        const { label, brief } = releaseStatusWords[status];
        return `${countOf(counts[status], 'release')} ${label}: ${brief}`;
      }),
    ...span.missingRanges.map((range) => `${describeHole(range)} (span rule 7)`),
    ...(blockedBy !== null && toVersion === fromVersion ? [describeBlock(blockedBy)] : []),
  ];
  // If the index alone says no as well, the artifacts make no difference.
  const disputes =
    span.disagreements.length === 0
      ? []
      : [
          `the index alone says yes; ${countOf(span.disagreements.length, 'disagreement')} with the artifacts`,
        ];
  return compose(span, againstRolling, {
    direct: indexAlone.jump === true ? disputes : [],
    rolling: indexAlone.rolling ? disputes : [],
  });
}

function compose(
  { fromVersion, reasons, jump, rolling }: SpanResult,
  againstRolling: readonly string[],
  disputes: { readonly direct: readonly string[]; readonly rolling: readonly string[] },
): Answers {
  const againstDirect = reasons
    .filter((reason) => questionOf(reason) === 'jump')
    .map((reason) => describeReason(reason, fromVersion));
  const issuesAgainstRolling = reasonsOfKind(reasons, 'known-issue')
    .filter((issue) => questionOf(issue) === 'rolling')
    .map(describeIssue);
  return [
    {
      question: 'Direct upgrade',
      answer: jump === true ? 'yes' : jump === false ? 'no' : 'unknown',
      why: [...againstDirect, ...disputes.direct],
    },
    {
      question: 'Rolling update',
      answer: rolling ? 'yes' : 'no',
      why: [...againstRolling, ...issuesAgainstRolling, ...disputes.rolling],
    },
  ];
}

/** The releases that are not proven safe to roll, one line for each of the two rules. */
export function describeUnproven(
  unsafe: readonly string[],
  unknown: readonly string[],
  list: ListReleases,
): string[] {
  return [
    ...(unsafe.length === 0 ? [] : [list('unsafe to roll (span rule 2)', unsafe)]),
    ...(unknown.length === 0 ? [] : [list('unknown, which counts as unsafe (span rule 1)', unknown)]),
  ];
}

/** A question with its answer, and below it why. */
export function linesOfAnswer({ question, answer, why }: Answer): string[] {
  return [`${question}: ${answer}`, ...why.map((line) => `  - ${line}`)];
}

/** The answer to both at once. */
export function describeVerdict({ safe }: { readonly safe: boolean }): 'SAFE' | 'UNSAFE' {
  return safe ? 'SAFE' : 'UNSAFE';
}
