import { logText } from '../render/github/workflow-command.js';
import { type CommandContext, mapOutput } from './context.js';

/**
 * The same world, with nothing on standard error that the runner of a GitHub job would obey.
 *
 * @param stdout whether standard output is for people too
 */
export function forGithubLog(
  context: CommandContext,
  { stdout: isText }: { readonly stdout: boolean },
): CommandContext {
  const { stdout, stderr, env, now, monotonicMs, sleep, randomUuid } = context;
  return {
    stdout: isText ? mapOutput(stdout, logText) : stdout,
    stderr: mapOutput(stderr, logText),
    // Still touched only when read.
    get stdin() {
      return context.stdin;
    },
    env,
    now,
    monotonicMs,
    sleep,
    randomUuid,
  };
}
