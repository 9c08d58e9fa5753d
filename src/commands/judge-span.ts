import { LightspanError } from '../errors.js';
import type { ReleaseSafetyIndex } from '../release-safety/parse-index.js';
import type { JoinedIndex, ReconciledSpanResult } from '../release-safety/reconcile.js';
import { evaluateSpan, type Span, type SpanResult } from '../release-safety/span.js';
import type { CommandContext } from './context.js';
import type { JudgeOptions } from './judge-options.js';

/** The result for a span: by the index and, with `--verify-artifacts`, by the artifact of every release in it. */
export async function judgeSpan(
  index: ReleaseSafetyIndex,
  span: Span,
  options: JudgeOptions,
  context: CommandContext,
): Promise<SpanResult | ReconciledSpanResult> {
  return options.verifyArtifacts === true
    ? verifyArtifacts(index, span, options, context)
    : evaluateSpan(index, span);
}

/**
 * Reports on stderr which known issues apply to spans: the nine keys of `upgrade-check --json` have no place for them.
 */
export async function noticeKnownIssues(
  results: readonly SpanResult[],
  { stderr }: Pick<CommandContext, 'stderr'>,
): Promise<void> {
  const { renderNotice } = await import('../render/words/notices.js');
  const issues = results.flatMap(({ reasons }) => reasons.filter((reason) => reason.kind === 'known-issue'));
  const notices = issues.map((issue) => renderNotice({ kind: 'known-issue', issue }));
  for (const notice of new Set(notices)) stderr.write(notice);
}

async function verifyArtifacts(
  index: ReleaseSafetyIndex,
  span: Span,
  options: JudgeOptions,
  context: CommandContext,
): Promise<ReconciledSpanResult> {
  const { evaluateJoined, evaluateStrictly, joinArtifacts, releasesToVerify } = await import(
    '../release-safety/reconcile.js'
  );
  const { openArtifacts } = await import('./read-artifacts.js');
  const { stderr } = context;
  const load = await openArtifacts(options, context);
  const outcomes = await load(releasesToVerify(index, span));
  const joined = joinArtifacts(index, span, outcomes);
  // What was read may be a no already; it is never a yes without the rest.
  if (joined.unread.length > 0 && evaluateJoined(joined, span).safe)
    throw await notAllRead(joined, outcomes.size);
  const result = evaluateStrictly(joined, span);
  const { strategyContradictions: versions } = result;
  if (versions.length > 0) {
    const { renderNotice } = await import('../render/words/notices.js');
    stderr.write(renderNotice({ kind: 'strategy-contradiction', versions }));
  }
  return result;
}

async function notAllRead({ unread }: Pick<JoinedIndex, 'unread'>, of: number): Promise<LightspanError> {
  const { describeDisagreement } = await import('../render/words/disagreements.js');
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
