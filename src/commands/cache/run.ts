import { type ExitCode, exitCodes } from '../../exit-codes.js';
import type { CacheClearResult, CacheStatusResult } from '../../render/json/cache-result-schemas.js';
import { renderDocument } from '../../render/json/document.js';
import { renderCacheClearText, renderCacheStatusText } from '../../render/text/cache.js';
import { type CacheContents, cacheContents, clearCache } from '../../sources/cache-contents.js';
import { cacheFolder } from '../../sources/cache-folder.js';
import type { CommandContext } from '../context.js';

export interface CacheOptions {
  readonly json?: true;
}

/** `lightspan cache status` */
export async function cacheStatus(
  { json }: CacheOptions,
  { stdout, env }: CommandContext,
): Promise<ExitCode> {
  const { folder, files, bytes, others } = look(cacheContents, env);
  const status = { folder, files, bytes, others };
  stdout.write(json === true ? renderDocument<CacheStatusResult>(status) : renderCacheStatusText(status));
  return exitCodes.yes;
}

/** `lightspan cache clear` */
export async function cacheClear({ json }: CacheOptions, { stdout, env }: CommandContext): Promise<ExitCode> {
  const { folder, files, bytes, others } = look(clearCache, env);
  const cleared = { folder, removed: files, bytes, others };
  stdout.write(json === true ? renderDocument<CacheClearResult>(cleared) : renderCacheClearText(cleared));
  return exitCodes.yes;
}

function look(inFolder: (folder: string) => CacheContents, env: CommandContext['env']) {
  const folder = cacheFolder(env);
  const { own, others } = folder === undefined ? { own: [], others: 0 } : inFolder(folder);
  return {
    folder: folder ?? null,
    files: own.length,
    bytes: own.reduce((sum, { bytes }) => sum + bytes, 0),
    others,
  };
}
