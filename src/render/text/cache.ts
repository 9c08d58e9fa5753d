import type { DeepReadonly } from '../../shared/deep-readonly.js';
import type { CacheClearResult, CacheStatusResult } from '../json/cache-result-schemas.js';
import { countOf } from '../phrase.js';
import { printable } from '../printable.js';

/** A summary of the cache, for a person. */
export function renderCacheStatusText({
  folder,
  files,
  bytes,
  others,
}: DeepReadonly<Omit<CacheStatusResult, 'schemaVersion'>>): string {
  if (folder === null) return noFolder;
  return [
    `Cache: ${printable(folder)}`,
    `Kept: ${describeFiles(files, bytes)}`,
    ...(others === 0 ? [] : [`Other entries in the folder: ${others}`]),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

export function renderCacheClearText({
  folder,
  removed,
  bytes,
  others,
}: DeepReadonly<Omit<CacheClearResult, 'schemaVersion'>>): string {
  if (folder === null) return noFolder;
  const left = others === 0 ? '' : `; ${countOf(others, 'other entry', 'other entries')} left alone`;
  return `Removed: ${describeFiles(removed, bytes)}, from ${printable(folder)}${left}\n`;
}

const noFolder =
  'Cache: none, because there is no home folder; set LIGHTSPAN_CACHE_DIR to a folder to keep answers in\n';

function describeFiles(files: number, bytes: number): string {
  if (files === 0) return 'nothing';
  const size = bytes < 100_000 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
  return `${countOf(files, 'file')}, ${size}`;
}
