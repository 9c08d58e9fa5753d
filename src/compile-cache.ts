import { mkdirSync, statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { cacheFolder } from './sources/cache-folder.js';
import { requireOwnFolder } from './sources/own-folder.js';

type Env = Readonly<Record<string, string | undefined>>;

/** What Node has from 22.8 on. */
interface CompileCache {
  readonly enableCompileCache?: (folder: string) => unknown;
  readonly getCompileCacheDir?: () => string | undefined;
}

/**
 * Has Node keep the program as it has compiled it, in a folder of this user's alone: whoever can write there runs code
 * as this user. Where there is no such folder, or with `--no-cache`, nothing is kept.
 *
 * @returns the folder that others may write, where `NODE_COMPILE_CACHE` has had Node take code from one already: what
 *   is loaded from now on may be anybody's
 */
export function keepCompiledCode(argv: readonly string[], env: Env): string | undefined {
  const node: CompileCache & Pick<typeof import('node:module'), 'builtinModules'> =
    process.getBuiltinModule('node:module');
  const self = process.getuid?.();
  // Elsewhere, who owns a folder cannot be seen.
  if (self === undefined) return undefined;
  const inUse = node.getCompileCacheDir?.();
  if (inUse !== undefined) return isOnlyWritableBy(self, inUse) ? undefined : inUse;
  if (node.enableCompileCache === undefined || argv.includes('--no-cache')) return undefined;
  const cache = cacheFolder(env);
  if (cache === undefined) return undefined;
  const folder = join(cache, 'compiled');
  if (makeOwn(folder, self)) node.enableCompileCache(folder);
  return undefined;
}

/** Makes the folder where it is not there. @returns whether it is `self`'s alone, with no link on the way */
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

/** Whether none but `self` and root can write a folder, or put another in its place. */
export function isOnlyWritableBy(self: number, folder: string): boolean {
  try {
    requireOwnFolder(folder, self);
    return true;
  } catch {
    return false;
  }
}
