import { mkdirSync, statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { renderFailureJson } from './answer/json/document.js';
import { renderFailureText } from './answer/outputs/messages.js';
import { LightspanError, toFailure } from './errors.js';
import { exitCodeOfError } from './exit-codes.js';
import { type Invocation, readInvocation } from './invocation.js';
import { cacheFolder, compiledFolder, requireOwnFolder } from './sources/cache-folder.js';

/**
 * The files that the program is built as: the part for a check, and all of it. A check is the most frequent command,
 * and must start fastest.
 */
export type PartOfProgram = 'check' | 'main';

/**
 * Runs in the launchers in bin/ before they load the program.
 *
 * @returns which part of it to load; undefined if it must not be loaded: then the reason has been shown, and the exit
 * status is set
 */
export function start(argv: readonly string[], env: NodeJS.ProcessEnv): PartOfProgram | undefined {
  const invocation = readInvocation(argv);
  const shared = keepCompiledCode(invocation, env);
  if (shared === undefined) return partFor(invocation);
  const error = new LightspanError(
    'usage',
    `NODE_COMPILE_CACHE has Node run compiled code from ${shared}, which other users may write: whoever does runs code as you`,
    { hint: 'Unset NODE_COMPILE_CACHE, or let it name a folder that nobody but you can write.' },
  );
  const failure = toFailure(error);
  if (invocation.format === 'json') process.stdout.write(renderFailureJson(failure));
  process.stderr.write(renderFailureText(failure));
  process.exitCode = exitCodeOfError(failure.code);
  return undefined;
}

/** The smallest part that contains what a command line needs. */
export function partFor({ command, version }: Invocation): PartOfProgram {
  return command === 'upgrade-check' || version ? 'check' : 'main';
}

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
function keepCompiledCode({ cache: mayCache }: Invocation, env: Env): string | undefined {
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
