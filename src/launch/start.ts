import { fstatSync, mkdirSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Env } from '../core/common/env.js';
import { type Invocation, readInvocation } from '../door/invocation.js';
import { cacheFolder, compiledFolder, requireOwnFolder } from '../gather/files/cache-folder.js';

/**
 * Runs in the launchers in bin/ before they load the program, which is built as several files: its version, its help,
 * a plain check, and all of it. A check is the most frequent command, and must start fastest.
 *
 * @returns which of them to load
 */
export function start(argv: readonly string[], env: NodeJS.ProcessEnv): Part {
  const invocation = readInvocation(argv);
  if (invocation.cache) keepCompiledCode(env);
  return loadedFor(invocation);
}

/** As `start`, in a single executable: its code is compiled inside, so no compile cache is kept. */
export function startExecutable(argv: readonly string[]): Part {
  return loadedFor(readInvocation(argv));
}

function loadedFor(invocation: Invocation): Part {
  const part = partOf(invocation);
  return part === 'help' && mayBeTerminal() ? 'main' : part;
}

type Part = 'version' | 'help' | 'plain' | 'main';

export function partOf({ version, help, plain }: Invocation): Part {
  if (version) return 'version';
  if (help) return 'help';
  return plain ? 'plain' : 'main';
}

/** The lines of a help have the width of the terminal. */
function mayBeTerminal(): boolean {
  try {
    return fstatSync(1).isCharacterDevice();
  } catch {
    return true;
  }
}

/** Available from Node 22.8 on. */
interface CompileCache {
  readonly enableCompileCache?: (folder: string) => unknown;
  readonly getCompileCacheDir?: () => string | undefined;
}

/**
 * Makes Node store the compiled program in a folder that only this user can write, because anyone who can write there
 * runs code as this user. Without such a folder, or where Node already stores it elsewhere, nothing is done.
 */
function keepCompiledCode(env: Env): void {
  const node: CompileCache & Pick<typeof import('node:module'), 'builtinModules'> =
    process.getBuiltinModule('node:module');
  if (node.enableCompileCache === undefined || node.getCompileCacheDir?.() !== undefined) return;
  // Elsewhere the owner of a folder cannot be determined.
  if (process.getuid === undefined) return;
  const cache = cacheFolder(env);
  const folder = cache === undefined ? '' : join(cache, compiledFolder);
  if (makePrivateFolder(folder)) node.enableCompileCache(folder);
}

/** Creates the folder if it does not exist. @returns whether nobody but this user can read or write it */
export function makePrivateFolder(folder: string): boolean {
  if (!isAbsolute(folder)) return false;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return (statSync(requireOwnFolder(folder)).mode & 0o077) === 0;
  } catch {
    return false;
  }
}
