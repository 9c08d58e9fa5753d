import type { ReleaseSafetyIndex } from '../release-safety/parse-index.js';
import type { ReconciledSpanResult } from '../release-safety/reconcile.js';
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
  const { reconcileSpan, releasesToVerify } = await import('../release-safety/reconcile.js');
  const { openArtifacts } = await import('./read-artifacts.js');
  const { stderr } = context;
  const load = await openArtifacts(options, context);
  const outcomes = await load(releasesToVerify(index, span));
  const result = reconcileSpan(index, span, outcomes);
  const { strategyContradictions: versions } = result;
  if (versions.length > 0) {
    const { renderNotice } = await import('../render/words/notices.js');
    stderr.write(renderNotice({ kind: 'strategy-contradiction', versions }));
  }
  return result;
}
