import { type ExitCode, exitCodes } from '../../exit-codes.js';
import type { CommandContext } from '../context.js';
import { completionScripts } from './scripts.js';

export type Shell = keyof typeof completionScripts;

/** `lightspan completion`: the script of a shell. */
export function completion(shell: Shell, { stdout }: CommandContext): ExitCode {
  stdout.write(completionScripts[shell]);
  return exitCodes.yes;
}
