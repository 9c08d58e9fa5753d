import type { Command } from 'commander';

/** What the words of a command line name, before any option is read. */
export interface NamedCommand {
  /** The command that the words lead to; the program if they lead nowhere. */
  readonly command: Command;
  /** How help is requested: by `help` in place of a command, or by a flag, which may be the value of an option. */
  readonly help: 'word' | 'flag' | undefined;
  /** From the first word that is not a command: an unknown command, options, operands. */
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

/** The word in place of a command that is not one; undefined if the words are valid. */
export function unknownCommand({ command, others }: NamedCommand): string | undefined {
  return command.commands.length === 0 ? undefined : others.find(isWord);
}

/** The command as a user types it, with the program: `lightspan index mirror`. */
export function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`;
}

function isWord(text: string): boolean {
  return !text.startsWith('-');
}

/** The commands that were probably meant by an unknown word, as they are typed: `upgrade-plan` for `plan`. */
export async function nearCommands(word: string, group: Command): Promise<readonly string[]> {
  const typed = word.toLowerCase().replaceAll('_', '-');
  const names = namesUnder(group);
  const holding = names.filter((name) => wordsOf(name).includes(typed));
  if (holding.length > 0) return holding;
  const { nearestTo } = await import('../shared/did-you-mean.js');
  const nearest = nearestTo(typed, names.flatMap(wordsOf));
  return nearest === undefined ? [] : names.filter((name) => wordsOf(name).includes(nearest));
}

/** `index mirror` matches `mirror`, and the same written as one word. */
function wordsOf(name: string): string[] {
  return [name.replaceAll(' ', '-'), ...name.split(/[ -]/)];
}

/** Every command that can be run, with the words that lead to it. */
function namesUnder(command: Command, path: readonly string[] = pathOf(command)): string[] {
  if (command.commands.length === 0) return [path.join(' ')];
  return command.commands.flatMap((sub) => namesUnder(sub, [...path, sub.name()]));
}

function pathOf(command: Command): string[] {
  return command.parent === null ? [] : [...pathOf(command.parent), command.name()];
}
