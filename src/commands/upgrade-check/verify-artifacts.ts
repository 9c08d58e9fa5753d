import type { ReleaseSafetyIndex } from '../../release-safety/parse-index.js';
import {
  type ReconciledSpanResult,
  reconcileSpan,
  releasesToVerify,
} from '../../release-safety/reconcile.js';
import type { Span } from '../../release-safety/span.js';
import { renderNotice } from '../../render/words/notices.js';
import { loadArtifacts } from '../../sources/artifacts.js';
import type { CommandContext } from '../context.js';
import { openArtifactSource, withProgress } from '../read-artifacts.js';
import type { ArtifactOptions, SourceOptions } from '../shared-options.js';

/** The span by the index and by the artifact of every release in it. */
export async function verifyArtifacts(
  index: ReleaseSafetyIndex,
  span: Span,
  options: SourceOptions & ArtifactOptions,
  context: CommandContext,
): Promise<ReconciledSpanResult> {
  const { stderr } = context;
  const source = await openArtifactSource(options, context);
  const outcomes = await withProgress('Artifacts', context, (onProgress) =>
    loadArtifacts(releasesToVerify(index, span), source, { onProgress }),
  );
  const result = reconcileSpan(index, span, outcomes);
  const { strategyContradictions: versions } = result;
  if (versions.length > 0) stderr.write(renderNotice({ kind: 'strategy-contradiction', versions }));
  return result;
}
