import { packageVersion } from '../door/context.js';
import { exitCodes } from '../door/exit-codes.js';
import { standardStream } from './standard-stream.js';

/** `lightspan --version` as this process: without a parser of command lines, and without the modules of answers. */
export function main(): void {
  process.exitCode = exitCodes.yes;
  standardStream(1, () => {
    process.exitCode = exitCodes.unavailable;
  }).write(`${packageVersion}\n`);
}
