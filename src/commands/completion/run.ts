import type { Command } from 'commander';
import packageJson from '../../../package.json' with { type: 'json' };
import { type ExitCode, exitCodes } from '../../exit-codes.js';
import { renderBashCompletion } from '../../render/completion/bash.js';
import type { CompletedProgram } from '../../render/completion/command-tree.js';
import { renderFishCompletion } from '../../render/completion/fish.js';
import { renderZshCompletion } from '../../render/completion/zsh.js';
import type { CommandContext } from '../context.js';
import { completedProgram } from './command-tree.js';

export type Shell = 'bash' | 'zsh' | 'fish';

const renderers: Record<Shell, (program: CompletedProgram) => string> = {
  bash: renderBashCompletion,
  zsh: renderZshCompletion,
  fish: renderFishCompletion,
};

/** `lightspan completion`: a script that completes every declared command. */
export async function completion(
  shell: Shell,
  command: Command,
  { stdout }: CommandContext,
): Promise<ExitCode> {
  stdout.write(renderers[shell](completedProgram(programOf(command), Object.keys(packageJson.bin))));
  return exitCodes.yes;
}

function programOf(command: Command): Command {
  return command.parent === null ? command : programOf(command.parent);
}
