import type { Command } from 'commander';
import { declareProgram } from '../../src/commands/program.js';
import type { RunParsed } from '../../src/door/declare.js';
import { type Usage, usageOf } from '../../src/door/help.js';

/** One command that can be run, and the words that name it: `index mirror`. */
export interface DeclaredCommand {
  readonly name: string;
  readonly command: Command;
  readonly usage: Usage | undefined;
}

/** Every command of the program that does something; those that only group others are left out. */
export async function declaredCommands(): Promise<DeclaredCommand[]> {
  const program = await declareProgram(async () => {});
  return program.commands.flatMap((command) => leavesOf(command, command.name()));
}

/** The command of these words, as the program declares it. */
export async function declaredCommand(name: string, act: RunParsed = async () => {}): Promise<Command> {
  const words = name.split(' ');
  const program = await declareProgram(act, words);
  return words.reduce(
    (command, word) => command.commands.find((one) => one.name() === word) ?? command,
    program,
  );
}

function leavesOf(command: Command, name: string): DeclaredCommand[] {
  if (command.commands.length === 0) return [{ name, command, usage: usageOf(command) }];
  return command.commands.flatMap((subcommand) => leavesOf(subcommand, `${name} ${subcommand.name()}`));
}
