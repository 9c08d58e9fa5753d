import { type Command, Help, type Option } from 'commander';
import type { ExitCode } from '../exit-codes.js';
import { usualWidth } from './context.js';

/** What the help of a command shows besides its flags. The pages in `docs/` are made from the same. */
export interface Usage {
  /** What a user must know before the exit codes, in lines of at most 120 characters. */
  readonly notes?: string;
  /** What each exit code of this command means. */
  readonly exitCodes: ExitCodeMeanings;
  /** Command lines to copy, at least two; a test parses every one. */
  readonly examples: readonly [string, string, ...string[]];
}

/** Every command can succeed, and every one can be called wrongly. */
export type ExitCodeMeanings = Readonly<Record<0 | 2, string> & Partial<Record<ExitCode, string>>>;

const usages = new WeakMap<Command, Usage>();

/** Adds it to the end of the command's help, in the same form for every command. */
export function addUsage(command: Command, usage: Usage): Command {
  usages.set(command, usage);
  return command.addHelpText('after', ({ error }) => {
    const { getOutHelpWidth, getErrHelpWidth } = command.configureOutput();
    const width = (error ? getErrHelpWidth : getOutHelpWidth)?.() ?? usualWidth;
    return `\n${renderUsage(usage, Math.min(width, widest))}`;
  });
}

/** The usage passed to `addUsage`; undefined for a command that only groups others. */
export function usageOf(command: Command): Usage | undefined {
  return usages.get(command);
}

/** No line of help is longer, however wide the terminal. */
const widest = 120;

function renderUsage({ notes, exitCodes, examples }: Usage, width: number): string {
  const indent = '     ';
  const wrapped = (text: string, columns: number) =>
    Object.assign(new Help(), { minWidthToWrap: 1 }).boxWrap(text, columns);
  const parts = [
    ...(notes === undefined ? [] : [wrapped(notes, width)]),
    [
      'Exit codes:',
      ...Object.entries(exitCodes).map(
        ([code, meaning]) =>
          `  ${code}  ${wrapped(meaning, width - indent.length).replaceAll('\n', `\n${indent}`)}`,
      ),
    ].join('\n'),
    ['Examples:', ...examples.map((example) => `  $ ${example}`)].join('\n'),
  ];
  return parts.join('\n\n');
}

/** How every command's help is laid out. */
export const helpLayout = {
  showGlobalOptions: true,
  visibleGlobalOptions,
  minWidthToWrap: 20,
  formatItem,
  styleUsage,
};

/** The options of the program that a command does not show as its own. */
function visibleGlobalOptions(command: Command): Option[] {
  const help = Object.assign(new Help(), { showGlobalOptions: true });
  const own = help.visibleOptions(command).map(({ long }) => long);
  return help.visibleGlobalOptions(command).filter(({ long }) => !own.includes(long));
}

/** If there is little space next to the terms, puts their descriptions below them. */
function formatItem(term: string, termWidth: number, description: string, helper: Help): string {
  const width = helper.helpWidth ?? usualWidth;
  if (description === '' || width - termWidth >= 44)
    return Help.prototype.formatItem.call(helper, term, termWidth, description, helper);
  const indent = '      ';
  return `  ${term}\n${indent}${helper.boxWrap(description, width - indent.length).replaceAll('\n', `\n${indent}`)}`;
}

/** The text after `Usage: `. */
function styleUsage(this: Help, usage: string): string {
  const indent = '       ';
  return this.boxWrap(usage, (this.helpWidth ?? usualWidth) - indent.length).replaceAll('\n', `\n${indent}`);
}

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
