import type { Output } from '../door/context.js';
import { endByFaults, endBySignals } from './signals.js';

/**
 * While a plain check waits for a server, says what it is to say, and lets a signal or a fault remove what is half
 * written. If the whole program then begins anew, it may say once more that it waits.
 *
 * @param written what is held back until there is an answer
 * @returns ends it
 */
export function waitWithProgress(
  written: { readonly to: Output; readonly text: string }[],
  stderr: Output,
): () => void {
  const ignoreFaults = endByFaults(stderr);
  const ignoreSignals = endBySignals(
    () => false,
    () => {},
  );
  const telling = setInterval(() => {
    for (const { to, text } of written.splice(0)) to.write(text);
  }, 500);
  return () => {
    ignoreFaults();
    ignoreSignals();
    clearInterval(telling);
  };
}
