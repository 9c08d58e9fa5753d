import { renderFailureText } from '../answer/outputs/messages.js';
import { toFailure } from '../core/lightspan-error.js';
import type { CommandContext, Output } from '../door/context.js';
import { type ExitCode, exitCodes } from '../door/exit-codes.js';
import { hasErrorCode } from '../gather/files/read-file.js';
import { type StandardStream, standardStream } from './standard-stream.js';

/**
 * The output of this process. Its exit status starts as "no answer". It changes only when a command has ended and its
 * output could be written: whatever fails in between, it is never 0.
 */
export function openOutput(): {
  readonly stdout: StandardStream;
  readonly stderr: StandardStream;
  readonly end: (exitCode: ExitCode) => Promise<void>;
} {
  process.exitCode = exitCodes.unavailable;
  let outputFailed = false;
  const stdout = standardStream(1, () => {
    outputFailed = true;
    process.exitCode = exitCodes.unavailable;
  });
  const stderr = standardStream(2, () => {});
  return {
    stdout,
    stderr,
    end: async (exitCode) => {
      process.exitCode = outputFailed ? exitCodes.unavailable : exitCode;
      // Another failure has already been reported, possibly this one. If nobody reads the output, there is nobody to
      // report it to.
      if (exitCode === exitCodes.unavailable) return;
      await stdout.flush().catch((error: Error) => {
        if (!hasErrorCode(error.cause, 'EPIPE')) stderr.write(renderFailureText(toFailure(error)));
      });
    },
  };
}

/** What a command gets of this process. */
export function contextOf(
  stdout: Output,
  stderr: Output,
  onSignal: CommandContext['onSignal'] = () => {},
): CommandContext {
  return {
    stdout,
    stderr,
    // Opening standard input takes 4 ms: the first reader opens it.
    stdin: { [Symbol.asyncIterator]: () => process.stdin[Symbol.asyncIterator]() },
    env: process.env,
    now: () => new Date(),
    monotonicMs: () => performance.now(),
    sleep: (ms) => new Promise((done) => setTimeout(done, ms)),
    onSignal,
    randomUuid: () => globalThis.crypto.randomUUID(),
  };
}
