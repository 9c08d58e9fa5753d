import { renderFailureText } from '../answer/outputs/messages.js';
import { exitCodes } from '../cli/exit-codes.js';
import { readInvocation } from '../cli/invocation.js';
import { toFailure } from '../core/lightspan-error.js';
import { removeUnfinished } from '../read/files/write-file.js';
import { endBySignals } from './signals.js';
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

  let isAnswered = false;
  let sayLast: (() => void) | undefined;
  endBySignals(
    () => isAnswered,
    () => sayLast?.(),
  );

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
