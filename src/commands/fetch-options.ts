import { packageVersion } from '../package-version.js';
import { renderNotice } from '../render/text/notice.js';
import type { FetchOptions } from '../sources/fetch-cached.js';
import type { CommandContext } from './context.js';
import type { SourceOptions } from './shared-options.js';

/** How this command line reaches its sources; what a person should know of it is said on stderr. */
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
