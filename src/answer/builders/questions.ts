import type { Preflight } from '../../checks/checks.js';
import { type Decision, decide, decisionWords, describeCounts } from '../../checks/decision.js';
import type { FindingInWords } from '../../checks/describe.js';
import type { UpgradeReport } from '../../core/report.js';
import { questionOf, type SpanResult } from '../../core/span.js';
import { compact } from '../../core/text/compact.js';
import { countOf } from '../../words/phrase.js';
import {
  describeBlock,
  describeIssue,
  describeReason,
  describeUnproven,
  reasonsOfKind,
} from '../../words/route/reasons.js';
import type { Fact, Question } from '../answer.js';

/**
 * The two questions about a span.
 *
 * @param disputes what the artifacts say against a rolling update
 * @param whole whether every release is named
 */
export function questionsOfSpan(
  { fromVersion, reasons, jump, rolling, missingRanges }: SpanResult,
  {
    disputes = [],
    verbose = false,
  }: { readonly disputes?: readonly string[]; readonly verbose?: boolean } = {},
): readonly [direct: Question, rolling: Question] {
  const versionsOf = (kind: 'unsafe-release' | 'unknown-release') =>
    reasonsOfKind(reasons, kind).map(({ version }) => version);
  return [
    {
      name: 'Direct upgrade',
      answer: jump === true ? 'yes' : jump === false ? 'no' : 'unknown',
      yes: jump === true,
      why: reasons
        .filter((reason) => questionOf(reason) === 'jump')
        .map((reason) => describeReason(reason, fromVersion)),
    },
    {
      name: 'Rolling update',
      answer: rolling ? 'yes' : 'no',
      yes: rolling,
      why: compact(
        describeUnproven(versionsOf('unsafe-release'), versionsOf('unknown-release'), { verbose }),
        missingRanges.length > 0 && 'the index does not cover the whole span (span rule 7)',
        reasonsOfKind(reasons, 'known-issue')
          .filter((issue) => questionOf(issue) === 'rolling')
          .map(describeIssue),
        disputes,
      ),
    },
  ];
}

/** The same by index and artifacts together. */
export function questionsOfReport({ span, indexAlone, blockedBy, fromVersion, toVersion }: UpgradeReport) {
  const { length } = span.disagreements;
  const disputes = compact(
    blockedBy !== null && toVersion === fromVersion && describeBlock(blockedBy),
    // If the index alone says no as well, the artifacts make no difference.
    indexAlone.rolling &&
      length > 0 &&
      `the index alone says yes; ${countOf(length, 'disagreement')} with the artifacts`,
  );
  return questionsOfSpan(span, { disputes });
}

/**
 * What the facts of an instance say to an answer about releases: only a stop is a no there.
 *
 * @param stops those of its findings; a route settles others
 */
export function questionOfInstance(
  { checks, counts }: Preflight,
  stops: readonly FindingInWords[],
): Question {
  const settled = checks.filter(
    ({ id, status }) => status === 'stop' && !stops.some(({ check }) => check === id),
  );
  const findings = stops.map(({ status }) => ({ status }));
  const answer = answers[decide({ checks, findings }, 'stop')];
  return {
    name: checks.every(({ id }) => id === 'majors') ? 'No major' : 'Preflight',
    answer,
    yes: answer !== 'no',
    why: compact(
      linesOfStops(stops),
      settled.length > 0 && `the route settles ${settled.map(({ id }) => id).join(' and ')}`,
      describeCounts(counts),
      answer === 'not checked' && notAllChecked,
    ),
  };
}

/** Of an instance of which facts were given. */
export const notAllChecked = 'not everything that can stop it was checked';

const answers: Record<Decision, Question['answer']> = {
  go: 'yes',
  'go-with-care': 'yes',
  stop: 'no',
  'not-known': 'not checked',
};

/**
 * The answer to both questions at once, in the word of the contract. What rests on something accepted is not called
 * safe.
 *
 * @param isAllowed whether it is one direct upgrade, with a downtime: then the word is no alarm
 */
export function factOfVerdict(safe: boolean, isAccepted: boolean, isAllowed = false): Fact {
  if (!safe) return { label: 'Verdict', text: 'UNSAFE', tone: isAllowed ? 'warn' : 'bad' };
  return {
    label: 'Verdict',
    ...(isAccepted ? { text: 'ACCEPTED', tone: 'warn' } : { text: 'SAFE', tone: 'good' }),
  };
}

/** What stops an upgrade, one line each, with what to do about it. A line that several checks share stands once. */
export function linesOfStops(stops: readonly FindingInWords[]): string[] {
  const lines = stops.flatMap(({ check, description, remedy }) => [
    `${decisionWords.stop.label}: ${check}: ${description}`,
    ...(remedy === null ? [] : [`To do: ${remedy.text}`]),
  ]);
  return [...new Set(lines)];
}
