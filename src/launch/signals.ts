import { removeUnfinished } from '../read/files/write-file.js';

/**
 * From now on, a signal removes temporary files before it ends the process as if it had never been caught: a shell shows
 * 130, 143 or 129. A second one ends a process whose reader does not take its output.
 *
 * @param isAnswered whether the process only has to end, with its exit code: a signal does not change that
 * @param sayLast what is to be said before
 * @returns takes it back
 */
export function endBySignals(isAnswered: () => boolean, sayLast: () => void): () => void {
  const endBySignal = (signal: NodeJS.Signals) => {
    if (isAnswered()) return;
    removeUnfinished();
    sayLast();
    process.kill(process.pid, signal);
  };
  for (const signal of signals) process.once(signal, endBySignal);
  return () => {
    for (const signal of signals) process.off(signal, endBySignal);
  };
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
