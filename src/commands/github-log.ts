import { logText } from '../render/github/workflow-command.js';
import type { CommandContext, Output } from './context.js';

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
    stdout: isText ? harmless(stdout) : stdout,
    stderr: harmless(stderr),
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

function harmless(output: Output): Output {
  const { isTTY, columns } = output;
  return {
    write: (text) => output.write(logText(text)),
    ...(output.once === undefined ? {} : { once: (event, listener) => output.once?.(event, listener) }),
    ...(isTTY === undefined ? {} : { isTTY }),
    ...(columns === undefined ? {} : { columns }),
  };
}
