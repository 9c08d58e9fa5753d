import { exitCodes } from '../door/exit-codes.js';
import { standardStream } from './standard-stream.js';

/** What the whole program writes for `--help` where lines have their usual length: the build puts it here. */
declare const helpText: string;

/** `lightspan --help` as this process, for no terminal. */
export function main(): void {
  process.exitCode = exitCodes.yes;
  standardStream(1, () => {
    process.exitCode = exitCodes.unavailable;
  }).write(helpText);
}
