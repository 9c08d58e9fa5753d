import type { IndexPlace } from '../question/evidence.js';
import type { Network } from '../question/network.js';
import { isFolder } from '../read/files/read-file.js';
import { publicIndexUrl } from '../read/publisher/publisher-urls.js';
import type { CommandContext } from './context.js';
import type { SourceOptions } from './options.js';

/** Options as questions: what several commands translate alike. Below this, nothing knows an option. */

interface NetworkOptions extends Pick<SourceOptions, 'timeout' | 'maxBytes' | 'cache' | 'allowHttp'> {
  readonly offline?: true | undefined;
}

export function networkOf({ timeout, maxBytes, cache, allowHttp, offline }: NetworkOptions): Network {
  return {
    timeoutMs: timeout,
    maxBytes,
    cache,
    allowHttp: allowHttp === true,
    offline: offline === true,
  };
}

interface IndexOptions extends Pick<SourceOptions, 'index'> {
  readonly maxAge?: number | undefined;
  readonly verbose?: true | undefined;
}

export function indexPlaceOf(
  { index, maxAge, verbose }: IndexOptions,
  { LIGHTSPAN_INDEX }: CommandContext['env'],
): IndexPlace {
  const source = index ?? (LIGHTSPAN_INDEX || publicIndexUrl);
  return { source, isFolder: isFolder(source), maxAgeMs: maxAge, verbose: verbose === true };
}

/** Where known issues are read from besides the built-in ones and those of a mirror. */
export function recordSourcesOf(
  { knownIssues = [] }: { readonly knownIssues?: readonly string[] | undefined },
  { LIGHTSPAN_KNOWN_ISSUES }: CommandContext['env'],
): readonly string[] {
  return LIGHTSPAN_KNOWN_ISSUES ? [LIGHTSPAN_KNOWN_ISSUES, ...knownIssues] : knownIssues;
}
