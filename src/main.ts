import { fstatSync, statSync, writeSync } from 'node:fs';
import { devNull } from 'node:os';
import { renderFailureText } from './answer/outputs/messages.js';
import { type CommandContext, type Output, packageVersion } from './commands/context.js';
import { LightspanError, toFailure } from './errors.js';
import { exitCodes } from './exit-codes.js';
import { readInvocation } from './invocation.js';
import { describeWriteFault, hasErrorCode } from './sources/read-file.js';
import { removeUnfinished } from './sources/write-file.js';

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
  if (invocation.version) {
    // This needs no parser of command lines.
    stdout.write(`${packageVersion}\n`);
    process.exitCode = outputFailed ? exitCodes.unavailable : exitCodes.yes;
    return;
  }
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

/**
 * Standard output or standard error. A pipe, a file or /dev/null, as in a pipeline, is written synchronously, because
 * creating Node's stream for it takes up to 3 ms. A terminal, and a reader that is slow and would block, use the
 * stream.
 *
 * @param onFault called for every write that failed, immediately or later
 */
function standardStream(fd: 1 | 2, onFault: () => void): Output {
  let stream: NodeJS.WriteStream | undefined;
  let fault: unknown;
  const noteFault = (error: unknown) => {
    fault ??= error;
    onFault();
  };
  const openStream = () => {
    if (stream === undefined) {
      stream = fd === 1 ? process.stdout : process.stderr;
      stream.on('error', noteFault);
    }
    return stream;
  };
  if (!canWriteAtOnce(fd)) openStream();
  return {
    write: (text) => {
      const rest = stream === undefined ? writeAtOnce(fd, Buffer.from(text), noteFault) : text;
      if (rest !== undefined) openStream().write(rest);
    },
    flush: async () => {
      // The last write is accepted last.
      if (stream !== undefined) await new Promise((taken) => stream?.write('', taken));
      if (fault === undefined) return;
      throw new LightspanError(
        'unwritable-output',
        `cannot write standard ${fd === 1 ? 'output' : 'error'}: ${describeWriteFault(fault)}`,
        { cause: fault },
      );
    },
    get isTTY() {
      return stream?.isTTY === true;
    },
    get columns() {
      return stream?.columns ?? 80;
    },
  };
}

/** Node handles terminals and other devices, and pipes on Windows. */
function canWriteAtOnce(fd: number): boolean {
  if (process.platform === 'win32') return false;
  try {
    const stats = fstatSync(fd);
    return stats.isFIFO() || stats.isFile() || stats.isSocket() || stats.rdev === statSync(devNull).rdev;
  } catch {
    return false;
  }
}

/** @returns the bytes that the reader did not accept yet */
function writeAtOnce(fd: number, bytes: Buffer, onFault: (error: unknown) => void): Buffer | undefined {
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(fd, bytes, written);
  } catch (error) {
    if (hasErrorCode(error, 'EAGAIN')) return bytes.subarray(written);
    onFault(error);
  }
  return undefined;
}
