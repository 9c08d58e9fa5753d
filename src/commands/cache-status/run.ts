import { type ExitCode, exitCodes } from '../../exit-codes.js';
import type { CacheStatusResult } from '../../render/json/cache-result-schemas.js';
import { renderDocument } from '../../render/json/document.js';
import { renderCacheStatusText } from '../../render/text/cache.js';
import { cacheContents } from '../../sources/cache-contents.js';
import { cacheFolder } from '../../sources/cache-folder.js';
import type { CommandContext } from '../context.js';
import type { CacheOptions } from './declaration.js';

/** `lightspan cache status` */
export async function cacheStatus(
  { json }: CacheOptions,
  { stdout, env }: CommandContext,
): Promise<ExitCode> {
  const folder = cacheFolder(env);
  const { own, others } = folder === undefined ? { own: [], others: 0 } : cacheContents(folder);
  const status = {
    folder: folder ?? null,
    files: own.length,
    bytes: own.reduce((sum, { bytes }) => sum + bytes, 0),
    others,
  };
  stdout.write(json === true ? renderDocument<CacheStatusResult>(status) : renderCacheStatusText(status));
  return exitCodes.yes;
}
