import { renderFailureText } from '../answer/outputs/messages.js';
import { toFailure } from '../core/lightspan-error.js';
import type { Output } from '../door/context.js';
import { exitCodes } from '../door/exit-codes.js';
import { removeUnfinished } from '../gather/files/write-file.js';

/**
 * From now on, a signal removes temporary files before it ends the process as if it had never been caught: a shell
 * shows 130, 143 or 129. A second one ends a process whose reader does not take its output.
 *
 * @param isAnswered whether the process only has to end, with its exit code: a signal does not change that
 * @param report writes what the user should know before the end
 * @returns takes it back
 */
export function endBySignals(isAnswered: () => boolean, report: () => void): () => void {
  const endBySignal = (signal: NodeJS.Signals) => {
    if (isAnswered()) return;
    removeUnfinished();
    report();
    process.kill(process.pid, signal);
  };
  for (const signal of signals) process.once(signal, endBySignal);
  return () => {
    for (const signal of signals) process.off(signal, endBySignal);
  };
}

/**
 * From now on, what nobody caught ends the process without an answer: the command would never give one, and Node would
 * end in 1, which means "no".
 *
 * @returns takes it back
 */
export function endByFaults(stderr: Output): () => void {
  const endByFault = (error: unknown) => {
    removeUnfinished();
    stderr.write(renderFailureText(toFailure(error)));
    process.exit(exitCodes.unavailable);
  };
  process.on('uncaughtException', endByFault);
  return () => {
    process.off('uncaughtException', endByFault);
  };
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
