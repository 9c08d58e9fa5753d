import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;

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

/** A container may run as a user that its system does not know. */
function homeOfUser(): string {
  try {
    return homedir();
  } catch {
    return '';
  }
}

/** In the cache: where Node keeps the compiled program. */
export const compiledFolder = 'compiled';
