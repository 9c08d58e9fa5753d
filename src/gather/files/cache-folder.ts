import { realpathSync, statSync } from 'node:fs';
import { dirname, posix, win32 } from 'node:path';
import type { Env } from '../../core/common/env.js';

/**
 * Where answers are stored: `LIGHTSPAN_CACHE_DIR`, else lightspan's folder in the cache folder of the platform;
 * undefined if there is none, for instance if `HOME` is empty. The working folder is never used as a home.
 */
export function cacheFolder(env: Env, platform: NodeJS.Platform = process.platform): string | undefined {
  if (env.LIGHTSPAN_CACHE_DIR) return env.LIGHTSPAN_CACHE_DIR;
  const { isAbsolute, join } = platform === 'win32' ? win32 : posix;
  const folder = platformCacheFolder(env, platform);
  return isAbsolute(folder) ? join(folder, 'lightspan') : undefined;
}

function platformCacheFolder(env: Env, platform: NodeJS.Platform): string {
  if (platform === 'darwin') return posix.join(env.HOME ?? homeOfUser(), 'Library', 'Caches');
  if (platform === 'win32') {
    return env.LOCALAPPDATA || win32.join(env.USERPROFILE ?? homeOfUser(), 'AppData', 'Local');
  }
  // The XDG base directory specification: a path that is not absolute is ignored.
  const xdg = env.XDG_CACHE_HOME ?? '';
  return posix.isAbsolute(xdg) ? xdg : posix.join(env.HOME ?? homeOfUser(), '.cache');
}

function homeOfUser(): string {
  try {
    // No start waits for it that has HOME.
    return process.getBuiltinModule('node:os').homedir();
  } catch {
    return '';
  }
}

export const compiledFolder = 'compiled';

/**
 * The real path of a folder in which nobody else can create or replace anything. The rule is that of OpenSSH for keys
 * (StrictModes): the folder and all folders above it belong to this user or to root, and others may not write any of
 * them. A parent folder may be like /tmp, in which others cannot rename what is not theirs. Windows has no such
 * modes: there a profile is closed to others.
 */
export function requireOwnFolder(folder: string, self = process.geteuid?.()): string {
  const real = realpathSync(folder);
  if (self === undefined) return real;
  for (let path = real; ; path = dirname(path)) {
    const { uid, mode } = statSync(path);
    if (uid !== self && uid !== 0) throw new Error(`${path} belongs to another user`);
    if ((mode & 0o022) !== 0 && (path === real || (mode & 0o1000) === 0)) {
      throw new Error(`others may write ${path} (chmod go-w stops that)`);
    }
    if (path === dirname(path)) return real;
  }
}
