import { type ExitCode, exitCodes } from '../../exit-codes.js';
import type { CacheClearResult } from '../../render/json/cache-result-schemas.js';
import { renderDocument } from '../../render/json/document.js';
import { renderCacheClearText } from '../../render/text/cache.js';
import { clearCache } from '../../sources/cache-contents.js';
import { cacheFolder } from '../../sources/cache-folder.js';
import type { CacheOptions } from '../cache-status/declaration.js';
import type { CommandContext } from '../context.js';

/** `lightspan cache clear` */
export async function cacheClear({ json }: CacheOptions, { stdout, env }: CommandContext): Promise<ExitCode> {
  const folder = cacheFolder(env);
  const { own, others } = folder === undefined ? { own: [], others: 0 } : clearCache(folder);
  const cleared = {
    folder: folder ?? null,
    removed: own.length,
    bytes: own.reduce((sum, { bytes }) => sum + bytes, 0),
    others,
  };
  stdout.write(json === true ? renderDocument<CacheClearResult>(cleared) : renderCacheClearText(cleared));
  return exitCodes.yes;
}
