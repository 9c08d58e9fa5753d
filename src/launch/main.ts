import { readInvocation } from '../door/invocation.js';
import { endByFaults, endBySignals } from './signals.js';
import { contextOf, openOutput } from './this-process.js';

/** Runs lightspan as this process. */
export async function main(argv: readonly string[]): Promise<void> {
  const { stdout, stderr, end } = openOutput();
  endByFaults(stderr);

  let isAnswered = false;
  let report: (() => void) | undefined;
  endBySignals(
    () => isAnswered,
    () => report?.(),
  );

  const invocation = readInvocation(argv);
  const { run } = await import('./cli.js');
  const exitCode = await run(
    invocation,
    contextOf(stdout, stderr, (onSignal) => {
      report = onSignal;
    }),
  );
  isAnswered = true;
  await end(exitCode);
}
