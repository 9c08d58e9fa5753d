import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;

/** Where answers are kept: `LIGHTSPAN_CACHE_DIR`, else lightspan's folder in the cache folder of the platform. */
export function cacheFolder(env: Env, platform: NodeJS.Platform = process.platform): string {
  const { join } = platform === 'win32' ? win32 : posix;
  return env.LIGHTSPAN_CACHE_DIR || join(platformCacheFolder(env, platform), 'lightspan');
}

function platformCacheFolder(env: Env, platform: NodeJS.Platform): string {
  const home = () => env.HOME || homedir();
  if (platform === 'darwin') return posix.join(home(), 'Library', 'Caches');
  if (platform === 'win32') {
    return env.LOCALAPPDATA || win32.join(env.USERPROFILE || homedir(), 'AppData', 'Local');
  }
  // The XDG base directory specification: a path that is not absolute is ignored.
  const xdg = env.XDG_CACHE_HOME ?? '';
  return posix.isAbsolute(xdg) ? xdg : posix.join(home(), '.cache');
}
