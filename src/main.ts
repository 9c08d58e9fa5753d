import type { CommandContext, Output } from './commands/context.js';
import { standardStream } from './commands/standard-stream.js';
import { toFailure } from './errors.js';
import { exitCodes } from './exit-codes.js';
import { packageVersion } from './package-version.js';
import { asksVersionAlone } from './part-of-program.js';
import { renderFailureText } from './render/text/failure.js';
import { hasErrorCode } from './sources/read-file.js';
import { removeTemporaryFiles } from './sources/write-file.js';

/**
 * Runs lightspan as this process. The exit status starts as "no answer" and becomes another only when a command has
 * ended and its output could be written: whatever breaks in between, it is never 0.
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
    removeTemporaryFiles();
    stderr.write(renderFailureText(toFailure(error)));
    // The command that it befell is never to answer. All others end by themselves.
    process.exit(exitCodes.unavailable);
  });

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, endBySignal);

  if (asksVersionAlone(argv)) {
    // It needs no reader of command lines.
    stdout.write(`${packageVersion}\n`);
    process.exitCode = outputFailed ? exitCodes.unavailable : exitCodes.yes;
    return;
  }
  const { run } = await import('./cli.js');
  const exitCode = await run(argv, processContext(stdout, stderr));
  process.exitCode = outputFailed ? exitCodes.unavailable : exitCode;
  isAnswered = true;
  // Another failure has been told already, maybe this one. That nobody reads is told to nobody.
  if (exitCode === exitCodes.unavailable) return;
  await stdout.flush?.().catch((error: Error) => {
    if (!hasErrorCode(error.cause, 'EPIPE')) stderr.write(renderFailureText(toFailure(error)));
  });
}

/** Whether the answer has been given. All that is left is to end, by the exit code that belongs to it. */
let isAnswered = false;

let sayLast: (() => void) | undefined;

/**
 * Leaves nothing half-written, and then ends as if the signal had never been caught: a shell shows 130, 143 or 129. One
 * that comes behind the answer changes nothing of it; a second one ends a process whose reader does not take its output.
 */
function endBySignal(signal: NodeJS.Signals): void {
  if (isAnswered) return;
  removeTemporaryFiles();
  sayLast?.();
  process.kill(process.pid, signal);
}

function processContext(stdout: Output, stderr: Output): CommandContext {
  return {
    stdout,
    stderr,
    // Opening standard input takes 4 ms: it is opened by the first who reads it.
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
