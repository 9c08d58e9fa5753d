import { renderProgress } from '../answer/outputs/messages.js';
import { type CommandContext, createProgress } from '../cli/context.js';
import type { ArtifactOptions, SourceOptions } from '../cli/options.js';
import type { ArtifactOutcome } from '../core/artifact/reconcile.js';
import type { Version } from '../core/field-schemas.js';
import type { Notice } from '../core/notice.js';
import { isFolder } from '../read/files/read-file.js';
import {
  type ArtifactSource,
  artifactsByUrl,
  artifactsInMirror,
  loadArtifacts,
  type TimeLimitOfAll,
} from '../read/publisher/artifacts.js';
import { fetchCached } from '../read/publisher/fetch-cached.js';
import { isUrlOrTemplate, publicArtifactUrl } from '../read/publisher/publisher-urls.js';
import { fetchOptions, indexRequest } from './read-index.js';

/**
 * The source of artifacts by the options: `--artifact-url`, else the mirror the index is read from, else the publisher.
 *
 * @param limit without it, each request may take as long as `--timeout` says
 */
export async function openArtifactSource(
  options: SourceOptions & ArtifactOptions,
  context: CommandContext,
  limit?: TimeLimitOfAll,
): Promise<ArtifactSource> {
  const { source: index } = indexRequest(options, context);
  const place = options.artifactUrl ?? (isFolder(index) ? index : publicArtifactUrl);
  if (!isUrlOrTemplate(place)) return artifactsInMirror(place, options.maxBytes);
  const fetching = fetchOptions(options, context);
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

/** A loader for the source by the options, which shows its progress. All that it loads is limited by `--timeout`. */
export async function openArtifacts(
  options: SourceOptions & ArtifactOptions,
  context: CommandContext,
): Promise<LoadArtifacts> {
  const { timeout: totalMs } = options;
  const source = await openArtifactSource(options, context, { totalMs, monotonicMs: context.monotonicMs });
  return (versions) => withProgress(context, (onProgress) => loadArtifacts(versions, source, { onProgress }));
}

export async function withProgress<T>(
  context: Pick<CommandContext, 'stderr' | 'env'>,
  work: (onProgress: (done: number, total: number) => void) => Promise<T>,
): Promise<T> {
  const progress = createProgress(context);
  try {
    return await work((done, total) => progress.show(renderProgress(done, total)));
  } finally {
    progress.clear();
  }
}
