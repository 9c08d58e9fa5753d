import { keepCompiledCode } from './compile-cache.js';
import { LightspanError, toFailure } from './errors.js';
import { exitCodeOfError } from './exit-codes.js';
import { type Invocation, readInvocation } from './invocation.js';
import { renderFailureJson } from './render/json/document.js';
import { renderFailureText } from './render/text/messages.js';

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
