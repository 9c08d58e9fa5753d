import { questionOf, type SpanResult } from '../../release-safety/span.js';
import { describeIssue, describeReason, reasonsOfKind } from './reasons.js';

/** One of the two questions that are asked of a span. */
export interface Answer {
  readonly question: 'Direct upgrade' | 'Rolling update';
  readonly answer: 'yes' | 'no' | 'unknown';
  /** What the index says against it, a line each. */
  readonly why: readonly string[];
}

/** Tells of releases that are all of one kind: of how many, or of which. */
type TellReleases = (kind: string, versions: readonly string[]) => string;

/** The two questions, as the index answers them. */
export function answersOfSpan(
  { fromVersion, reasons, missingRanges, jump, rolling }: SpanResult,
  tell: TellReleases,
): readonly [direct: Answer, rolling: Answer] {
  const versionsOf = (kind: 'unsafe-release' | 'unknown-release') =>
    reasonsOfKind(reasons, kind).map(({ version }) => version);
  return [
    {
      question: 'Direct upgrade',
      answer: jump === true ? 'yes' : jump === false ? 'no' : 'unknown',
      why: reasons
        .filter((reason) => questionOf(reason) === 'jump')
        .map((reason) => describeReason(reason, fromVersion)),
    },
    {
      question: 'Rolling update',
      answer: rolling ? 'yes' : 'no',
      why: [
        ...describeUnproven(versionsOf('unsafe-release'), versionsOf('unknown-release'), tell),
        ...reasonsOfKind(reasons, 'known-issue')
          .filter((issue) => questionOf(issue) === 'rolling')
          .map(describeIssue),
        ...(missingRanges.length === 0 ? [] : ['the index does not cover the whole span (span rule 7)']),
      ],
    },
  ];
}

/** The releases that are not proven safe to roll, a line for each of the two rules. */
export function describeUnproven(
  unsafe: readonly string[],
  unknown: readonly string[],
  tell: TellReleases,
): string[] {
  return [
    ...(unsafe.length === 0 ? [] : [tell('unsafe to roll (span rule 2)', unsafe)]),
    ...(unknown.length === 0 ? [] : [tell('unknown, which counts as unsafe (span rule 1)', unknown)]),
  ];
}
