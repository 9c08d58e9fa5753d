import type { Command } from 'commander';

/** What the words of a command line name, before any option is read. */
export interface NamedCommand {
  /** The command that the words lead to; the program where they lead nowhere. */
  readonly command: Command;
  /** How help is asked for: by `help` in the place of a command, or by a flag that may be the value of an option. */
  readonly help: 'word' | 'flag' | undefined;
  /** From the first that names no command: an unknown command, options, operands. */
  readonly others: readonly string[];
}

export function namedCommand(argv: readonly string[], program: Command): NamedCommand {
  let command = program;
  let help: NamedCommand['help'];
  const others: string[] = [];
  for (const word of argv) {
    const named = others.some(isWord) ? undefined : command.commands.find((one) => one.name() === word);
    if (named !== undefined) command = named;
    else if (word === 'help' && command.commands.length > 0 && !others.some(isWord)) help = 'word';
    else if (word === '-h' || word === '--help') help ??= 'flag';
    else others.push(word);
  }
  return { command, help, others };
}

/** The word that stands where a command is wanted and is none; undefined where the words are all right. */
export function unknownCommand({ command, others }: NamedCommand): string | undefined {
  return command.commands.length === 0 ? undefined : others.find(isWord);
}

/** What a user types to name it, the program included: `lightspan index mirror`. */
export function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`;
}

function isWord(text: string): boolean {
  return !text.startsWith('-');
}
