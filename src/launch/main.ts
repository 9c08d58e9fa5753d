import { renderFailureText } from '../answer/outputs/messages.js';
import type { CommandContext, Output } from '../cli/context.js';
import { exitCodes } from '../cli/exit-codes.js';
import { readInvocation } from '../cli/invocation.js';
import { toFailure } from '../core/lightspan-error.js';
import { hasErrorCode } from '../read/files/read-file.js';
import { removeUnfinished } from '../read/files/write-file.js';
import { standardStream } from './standard-stream.js';

/**
 * Runs lightspan as this process. The exit status starts as "no answer". It changes only when a command has ended and
 * its output could be written: whatever fails in between, it is never 0.
 */
export async function main(argv: readonly string[]): Promise<void> {
  process.exitCode = exitCodes.unavailable;
  let outputFailed = false;
  const stdout = standardStream(1, () => {
    outputFailed = true;
    process.exitCode = exitCodes.unavailable;
  });
  const stderr = standardStream(2, () => {});
  process.on('uncaughtException', (error) => {
    removeUnfinished();
    stderr.write(renderFailureText(toFailure(error)));
    // The command would never answer. All others end by themselves.
    process.exit(exitCodes.unavailable);
  });

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, endBySignal);

  const invocation = readInvocation(argv);
  const { run } = await import('./cli.js');
  const exitCode = await run(invocation, processContext(stdout, stderr));
  process.exitCode = outputFailed ? exitCodes.unavailable : exitCode;
  isAnswered = true;
  // Another failure has already been reported, possibly this one. If nobody reads the output, nobody can be told.
  if (exitCode === exitCodes.unavailable) return;
  await stdout.flush?.().catch((error: Error) => {
    if (!hasErrorCode(error.cause, 'EPIPE')) stderr.write(renderFailureText(toFailure(error)));
  });
}

/** Whether the answer has been given. Then the process only has to end, with its exit code. */
let isAnswered = false;

let sayLast: (() => void) | undefined;

/**
 * Removes temporary files, and then ends as if the signal had never been caught: a shell shows 130, 143 or 129. A
 * signal after the answer does not change it; a second one ends a process whose reader does not take its output.
 */
function endBySignal(signal: NodeJS.Signals): void {
  if (isAnswered) return;
  removeUnfinished();
  sayLast?.();
  process.kill(process.pid, signal);
}

function processContext(stdout: Output, stderr: Output): CommandContext {
  return {
    stdout,
    stderr,
    // Opening standard input takes 4 ms: the first reader opens it.
    stdin: { [Symbol.asyncIterator]: () => process.stdin[Symbol.asyncIterator]() },
    env: process.env,
    now: () => new Date(),
    monotonicMs: () => performance.now(),
    sleep: (ms) => new Promise((done) => setTimeout(done, ms)),
    lastWords: (say) => {
      sayLast = say;
    },
    randomUuid: () => globalThis.crypto.randomUUID(),
  };
}
