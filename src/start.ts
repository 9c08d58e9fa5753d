import { formatOfArgv } from './commands/format-of-argv.js';
import { keepCompiledCode } from './compile-cache.js';
import { LightspanError, toFailure } from './errors.js';
import { exitCodeOfError } from './exit-codes.js';
import { type PartOfProgram, partFor } from './part-of-program.js';
import { renderFailureJson } from './render/json/failure.js';
import { renderFailureText } from './render/text/failure.js';

/**
 * Runs in the launchers in bin/ before they load the program.
 *
 * @returns which part of it to load; undefined if it must not be loaded: then the reason has been shown, and the exit
 * status is set
 */
export function start(argv: readonly string[], env: NodeJS.ProcessEnv): PartOfProgram | undefined {
  const shared = keepCompiledCode(argv, env);
  if (shared === undefined) return partFor(argv);
  const error = new LightspanError(
    'usage',
    `NODE_COMPILE_CACHE has Node run compiled code from ${shared}, which other users may write: whoever does runs code as you`,
    { hint: 'Unset NODE_COMPILE_CACHE, or let it name a folder that nobody but you can write.' },
  );
  const failure = toFailure(error);
  if (formatOfArgv(argv) === 'json') process.stdout.write(renderFailureJson(failure));
  process.stderr.write(renderFailureText(failure));
  process.exitCode = exitCodeOfError(failure.code);
  return undefined;
}
