import { packageVersion } from '../cli/context.js';
import { exitCodes } from '../cli/exit-codes.js';
import { standardStream } from './standard-stream.js';

/** `lightspan --version` as this process. It needs no parser of command lines, and none of what answers are made of. */
export function main(): void {
  process.exitCode = exitCodes.yes;
  standardStream(1, () => {
    process.exitCode = exitCodes.unavailable;
  }).write(`${packageVersion}\n`);
}
