import { questionOf, type SpanResult } from '../../core/span.js';
import { compact } from '../../core/text/compact.js';
import { describeIssue, describeReason, describeUnproven, reasonsOfKind } from '../../words/route/reasons.js';
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
