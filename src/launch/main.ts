import { renderFailureText } from '../answer/outputs/messages.js';
import { exitCodes } from '../cli/exit-codes.js';
import { readInvocation } from '../cli/invocation.js';
import { toFailure } from '../core/lightspan-error.js';
import { removeUnfinished } from '../read/files/write-file.js';
import { contextOf, openOutput } from './this-process.js';

/** Runs lightspan as this process. */
export async function main(argv: readonly string[]): Promise<void> {
  const { stdout, stderr, end } = openOutput();
  process.on('uncaughtException', (error) => {
    removeUnfinished();
    stderr.write(renderFailureText(toFailure(error)));
    // The command would never answer. All others end by themselves.
    process.exit(exitCodes.unavailable);
  });

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, endBySignal);

  const invocation = readInvocation(argv);
  const { run } = await import('./cli.js');
  const exitCode = await run(
    invocation,
    contextOf(stdout, stderr, (say) => {
      sayLast = say;
    }),
  );
  isAnswered = true;
  await end(exitCode);
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
