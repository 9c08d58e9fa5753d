import { packageVersion } from '../package-version.js';
import { renderProvenance } from '../render/text/messages.js';
import { renderNotice } from '../render/words/notices.js';
import type { FetchOptions } from '../sources/fetch-cached.js';
import { describeSource, type IndexRequest, type LoadedIndex, loadIndex } from '../sources/index-source.js';
import { publicIndexUrl } from '../sources/publisher-urls.js';
import type { CommandContext } from './context.js';
import type { OutputOptions, SourceOptions } from './options.js';

/** The request for the index, by the options and the environment. */
export function indexRequest(options: SourceOptions, context: CommandContext): IndexRequest {
  return {
    source: options.index ?? (context.env.LIGHTSPAN_INDEX || publicIndexUrl),
    stdin: context.stdin,
    maxAgeMs: options.maxAge,
    ...fetchOptions(options, context),
  };
}

/** Reads the index that the options and the environment name; with `--verbose`, its source goes to stderr. */
export async function readIndex(
  options: SourceOptions & Pick<OutputOptions, 'verbose'>,
  context: CommandContext,
): Promise<LoadedIndex> {
  const { stderr, now } = context;
  const loaded = await loadIndex(indexRequest(options, context));
  if (options.verbose === true) {
    const { sha256 } = await import('../sources/bytes.js');
    stderr.write(
      renderProvenance({
        source: describeSource(loaded.source),
        generatedAt: loaded.index.generatedAt,
        now: now(),
        entries: loaded.index.entries.length,
        sha256: sha256(loaded.bytes),
      }),
    );
  }
  return loaded;
}

/** How this command line reaches its sources; notices go to stderr. */
export function fetchOptions(
  options: SourceOptions,
  { env, now, stderr }: Pick<CommandContext, 'env' | 'now' | 'stderr'>,
): FetchOptions {
  return {
    timeoutMs: options.timeout,
    maxBytes: options.maxBytes,
    allowHttp: options.allowHttp === true,
    cache: options.cache,
    offline: options.offline === true,
    env,
    userAgent: `lightspan/${packageVersion}`,
    now,
    notify: (notice) => stderr.write(renderNotice(notice)),
  };
}
