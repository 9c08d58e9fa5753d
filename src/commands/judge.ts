import type { Question } from '../answer/answer.js';
import type { Preflight } from '../checks/checks.js';
import { LightspanError } from '../errors.js';
import { judgeRoute, judgeSpan, type RouteJudgement, type SpanJudgement } from '../release-safety/judge.js';
import { planRoute, type RouteRequest } from '../release-safety/route.js';
import type { Span, SpanResult } from '../release-safety/span.js';
import type { FindingFields } from '../render/json/answer-schemas.js';
import type { JudgedBy } from '../render/words/judged-by.js';
import type { CommandContext } from './context.js';
import type { EvidenceSource, SeenEvidence } from './evidence.js';

/** The answer for a span, and the evidence that it was judged by. */
export interface JudgedSpan extends SpanJudgement<Preflight> {
  readonly evidence: SeenEvidence;
}

/**
 * The answer for a span, by all that the options give.
 *
 * @throws {LightspanError} `unread-artifacts` if only artifacts are missing that `--verify-artifacts` asks for
 */
export async function judgeGivenSpan(
  { evidenceFor }: EvidenceSource,
  span: Span,
  { stderr }: Pick<CommandContext, 'stderr'>,
): Promise<JudgedSpan> {
  const evidence = await evidenceFor(span);
  const judgement = judgeSpan(evidence, span);
  if (judgement.unconfirmed) throw await notAllRead(judgement);
  const { result } = judgement;
  const versions = 'strategyContradictions' in result ? result.strategyContradictions : [];
  if (versions.length > 0) {
    const { renderNotice } = await import('../render/words/notices.js');
    stderr.write(renderNotice({ kind: 'strategy-contradiction', versions }));
  }
  return { ...judgement, evidence };
}

/** The answer for a route, and the evidence that it was judged by. */
export interface JudgedRoute extends RouteJudgement<Preflight> {
  readonly evidence: SeenEvidence;
}

/** The answer for a route, by all that the options give. */
export async function judgeGivenRoute(
  { index, evidenceFor }: EvidenceSource,
  { from, to }: RouteRequest,
): Promise<JudgedRoute> {
  // What is read can only take away: no route leads further than that of the index alone.
  const { toVersion } = planRoute(index, { from, to });
  const evidence = await evidenceFor({ from, to: toVersion });
  return { ...judgeRoute(evidence, { from, to }), evidence };
}

/** Findings in words. The words of checks are loaded only if there is one. */
export async function describeStops(
  stops: SpanJudgement<Preflight>['stops'],
): Promise<readonly FindingFields[]> {
  if (stops.length === 0) return [];
  const { findingFields } = await import('../render/json/upgrade.js');
  return stops.map(findingFields);
}

/**
 * Reports on stderr which known issues apply to spans, what of the instance stops them, and what is accepted: the nine
 * keys of `upgrade-check --json` have no place for it.
 */
export async function noticeReasons(
  results: readonly SpanResult[],
  stops: readonly FindingFields[],
  { accepted = [] }: Pick<JudgedBy, 'accepted'>,
  { stderr }: Pick<CommandContext, 'stderr'>,
): Promise<void> {
  const issues = results.flatMap(({ reasons }) => reasons.filter((reason) => reason.kind === 'known-issue'));
  if (issues.length + stops.length + accepted.length === 0) return;
  const { factOfAcceptance } = await import('../render/words/accepted.js');
  const { renderNotice } = await import('../render/words/notices.js');
  const { linesOfStops } = await import('../answer/questions.js');
  const notices = issues.map((issue) => renderNotice({ kind: 'known-issue', issue }));
  for (const notice of new Set(notices)) stderr.write(notice);
  for (const line of linesOfStops(stops)) stderr.write(`${line}\n`);
  for (const { label, text } of accepted.map(factOfAcceptance)) stderr.write(`${label}: ${text}\n`);
}

/** What the facts of the instance say, in words; undefined if none were seen. */
export async function instanceAnswer(
  preflight: Preflight | undefined,
  stops: readonly FindingFields[],
): Promise<Question | undefined> {
  if (preflight === undefined) return undefined;
  const { questionOfInstance } = await import('../answer/questions.js');
  return questionOfInstance(preflight, stops);
}

async function notAllRead({
  unread,
  artifacts: { of },
}: Pick<SpanJudgement, 'unread' | 'artifacts'>): Promise<LightspanError> {
  const { describeDisagreement } = await import('../render/words/release.js');
  const { firstOf } = await import('../render/words/lists.js');
  const which = firstOf(unread.map(describeDisagreement), 1);
  return new LightspanError(
    'unread-artifacts',
    `--verify-artifacts needs every artifact of the span, and ${unread.length} of ${of} could not be read: ${which}`,
    {
      hint: 'Nothing that was read is a no. Try again, or use a mirror that has them (lightspan index mirror); without --verify-artifacts the index alone decides.',
    },
  );
}
