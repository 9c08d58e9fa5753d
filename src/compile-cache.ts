import { mkdirSync, statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';

import type { Invocation } from './invocation.js';
import { cacheFolder, compiledFolder, requireOwnFolder } from './sources/cache-folder.js';

type Env = Readonly<Record<string, string | undefined>>;

/** Available from Node 22.8 on. */
interface CompileCache {
  readonly enableCompileCache?: (folder: string) => unknown;
  readonly getCompileCacheDir?: () => string | undefined;
}

/**
 * Makes Node store the compiled program in a folder that only this user can write, because anyone who can write there
 * runs code as this user. Without such a folder, or with `--no-cache`, nothing is stored.
 *
 * @returns the folder that others may write, if Node has already taken code from one because of `NODE_COMPILE_CACHE`:
 *   then any code that is loaded from now on may be someone else's
 */
export function keepCompiledCode({ cache: mayCache }: Invocation, env: Env): string | undefined {
  const node: CompileCache & Pick<typeof import('node:module'), 'builtinModules'> =
    process.getBuiltinModule('node:module');
  const self = process.getuid?.();
  // On other systems, the owner of a folder cannot be determined.
  if (self === undefined) return undefined;
  const inUse = node.getCompileCacheDir?.();
  if (inUse !== undefined) return isOnlyWritableBy(self, inUse) ? undefined : inUse;
  if (node.enableCompileCache === undefined || !mayCache) return undefined;
  const cache = cacheFolder(env);
  if (cache === undefined) return undefined;
  const folder = join(cache, compiledFolder);
  if (makeOwn(folder, self)) node.enableCompileCache(folder);
  return undefined;
}

/** Creates the folder if it does not exist. @returns whether it belongs to `self` alone, with no link on its path */
export function makeOwn(folder: string, self: number): boolean {
  if (!isAbsolute(folder)) return false;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { uid, mode } = statSync(folder);
    return uid === self && (mode & 0o077) === 0 && requireOwnFolder(folder, self) === resolve(folder);
  } catch {
    return false;
  }
}

/** Whether none but `self` and root can write a folder, or replace it. */
export function isOnlyWritableBy(self: number, folder: string): boolean {
  try {
    requireOwnFolder(folder, self);
    return true;
  } catch {
    return false;
  }
}
