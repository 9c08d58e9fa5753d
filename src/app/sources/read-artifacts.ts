import { renderProgress } from '../../answer/outputs/messages.js';
import type { ArtifactDisagreement, ArtifactOutcome } from '../../core/artifact/reconcile.js';
import type { Version } from '../../core/field-schemas.js';
import { LightspanError } from '../../core/lightspan-error.js';
import type { Notice } from '../../core/notice.js';
import type { Span } from '../../core/span.js';
import { type CommandContext, createProgress, isAscii } from '../../door/context.js';
import {
  type ArtifactSource,
  artifactsByUrl,
  artifactsInMirror,
  loadArtifacts,
  type TimeLimitOfAll,
} from '../../gather/publisher/artifacts.js';
import { fetchCached } from '../../gather/publisher/fetch-cached.js';
import { isUrlOrTemplate, publicArtifactUrl } from '../../gather/publisher/publisher-urls.js';
import type { IndexPlace } from '../../question/evidence.js';
import type { Network } from '../../question/network.js';
import { describeDisagreement } from '../../words/evidence/release.js';
import { fetchOptions } from './read-index.js';

/**
 * The source of artifacts at a URL or in a mirror folder; by default the mirror that the index is read from, else the
 * publisher.
 *
 * @param limit of the time of all requests together; without it, each request has the timeout of the network
 */
export async function openArtifactSource(
  statedPlace: string | undefined,
  index: IndexPlace,
  network: Network,
  world: CommandContext,
  limit?: TimeLimitOfAll,
): Promise<ArtifactSource> {
  const place = statedPlace ?? (index.isFolder ? index.source : publicArtifactUrl);
  if (!isUrlOrTemplate(place)) return artifactsInMirror(place, network.maxBytes);
  const fetching = fetchOptions(network, world);
  const reported = new Set<string>();
  // A notice about one of hundreds of artifacts also applies to the others, so it is shown once.
  const notify = (notice: Notice) => {
    if (!reported.has(notice.kind)) fetching.notify(notice);
    reported.add(notice.kind);
  };
  return artifactsByUrl(
    place,
    (url, timeoutMs = fetching.timeoutMs) => fetchCached(url, { ...fetching, notify, timeoutMs }),
    limit,
  );
}

/** Loads artifacts of releases. Every requested release has an outcome. */
export type LoadArtifacts = (versions: readonly Version[]) => Promise<Map<string, ArtifactOutcome>>;

/** A loader that shows its progress. All that it loads is limited by the time of one request. */
export async function openArtifacts(
  place: string | undefined,
  index: IndexPlace,
  network: Network,
  world: CommandContext,
): Promise<LoadArtifacts> {
  const limit = { totalMs: network.timeoutMs, monotonicMs: world.monotonicMs };
  const source = await openArtifactSource(place, index, network, world, limit);
  return (versions) => withProgress(world, (onProgress) => loadArtifacts(versions, source, { onProgress }));
}

export async function withProgress<T>(
  context: Pick<CommandContext, 'stderr' | 'env' | 'monotonicMs'>,
  work: (onProgress: (done: number, total: number) => void) => Promise<T>,
): Promise<T> {
  const progress = createProgress(context);
  try {
    const started = context.monotonicMs();
    return await work((done, total) => {
      const seconds = (context.monotonicMs() - started) / 1000;
      progress.show(renderProgress({ done, total, seconds }, isAscii(context.env)));
    });
  } finally {
    progress.clear();
  }
}

/** The failure of `--verify-artifacts` where artifacts of the span could not be read. */
export function notRead(
  unread: readonly ArtifactDisagreement[],
  of: number,
  { from, to }: Span,
): LightspanError {
  const [first] = unread.map(describeDisagreement);
  return new LightspanError(
    'unread-artifacts',
    `--verify-artifacts needs every artifact of the span, but ${unread.length} of ${of} could not be read; the first: ${first}`,
    {
      hint:
        'Those that were read contradict nothing. Try again, or use a mirror that has them (on a machine with a network: ' +
        `lightspan index mirror --out ./mirror --from ${from} --to ${to}). Without --verify-artifacts, the index alone ` +
        'decides.',
    },
  );
}
