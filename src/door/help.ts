import { Command, Help, Option } from 'commander';
import { usualWidth } from './context.js';
import type { ExitCode } from './exit-codes.js';

/** What the help of a command shows besides its flags. The pages in `docs/` are made from the same. */
export interface Usage {
  /** What a user must know before the exit codes. */
  readonly notes?: string;
  readonly exitCodes: ExitCodeMeanings;
  /** Command lines to copy, at least two; a test parses every one. */
  readonly examples: readonly [string, string, ...string[]];
}

/** Every command can succeed, and every one can be called wrongly, as `defineCommand` says where it has no more to say. */
export type ExitCodeMeanings = Readonly<Record<0 | 2, string> & Partial<Record<ExitCode, string>>>;

const optionGroups = {
  question: 'Question:',
  steps: 'Steps:',
  evidence: 'Evidence:',
  output: 'Output:',
  network: 'Network:',
} as const;

/** How an option stands in the help: `brief` in place of its description, and `rare` only with `--all`. */
export interface HelpOfOption {
  readonly group?: keyof typeof optionGroups;
  readonly brief?: string;
  readonly rare?: true;
}

/** Lines of help are no longer than this, on a wider terminal too. */
export const widest = 120;

/** A command with what its help, and its page, show besides its flags. */
export class CommandWithUsage extends Command {
  usageShown: Usage | undefined;
}

export function usageOf(command: Command): Usage | undefined {
  return command instanceof CommandWithUsage ? command.usageShown : undefined;
}

export class OptionWithHelp extends Option {
  constructor(
    flags: string,
    description: string,
    readonly help: HelpOfOption,
  ) {
    super(flags, description);
    if (help.group !== undefined) this.helpGroup(optionGroups[help.group]);
  }
}

function helpOf(option: Option): HelpOfOption {
  return option instanceof OptionWithHelp ? option.help : {};
}

/** Adds it to the end of the command's help, in the same form for every command. */
export function addUsage(command: Command, usage: Usage): Command {
  if (command instanceof CommandWithUsage) command.usageShown = usage;
  return addFooter(command, (width) => {
    const isBrief = command.configureHelp() === briefHelp && isLong(command);
    return (isBrief ? briefFooter : wholeFooter)(usage, width, fullName(command));
  });
}

/** Adds to the end of a help what is made for the width of the terminal. */
export function addFooter(command: Command, render: (width: number) => string): Command {
  return command.addHelpText('after', ({ error }) => {
    const { getOutHelpWidth, getErrHelpWidth } = command.configureOutput();
    return `\n${render((error ? getErrHelpWidth : getOutHelpWidth)?.() ?? usualWidth)}`;
  });
}

/** A heading, which commander writes as plain text where the output has no colours. */
function bold(heading: string): string {
  return `\u001b[1m${heading}\u001b[22m`;
}

/** What `--help` shows without `--all`: of a command with many options, those that most people need. */
export const briefHelp: Partial<Help> = {
  minWidthToWrap: 20,
  styleTitle: bold,
  groupItems,
  visibleOptions(command) {
    const all = Help.prototype.visibleOptions.call(this, command);
    if (command.parent === null) return [];
    const isShown = (option: Option) => option.long !== '--help' && helpOf(option).rare !== true;
    return isLong(command) ? all.filter(isShown) : all;
  },
  optionDescription(option) {
    return helpOf(option).brief ?? Help.prototype.optionDescription.call(this, option);
  },
  visibleCommands(command) {
    const all = Help.prototype.visibleCommands.call(this, command);
    return all.filter((subcommand) => command.commands.includes(subcommand));
  },
  subcommandTerm,
};

export const wholeHelp: Partial<Help> = {
  showGlobalOptions: true,
  minWidthToWrap: 20,
  styleTitle: bold,
  groupItems,
  subcommandTerm,
};

/** The groups in the order of `optionGroups`, however the options are declared. */
function groupItems<Item extends Command | Option>(
  _: Item[],
  visible: Item[],
  groupOf: (item: Item) => string,
): Map<string, Item[]> {
  const order: readonly string[] = Object.values(optionGroups);
  const inOrder = visible.toSorted((a, b) => order.indexOf(groupOf(a)) - order.indexOf(groupOf(b)));
  return new Map(
    inOrder.map((item) => [
      groupOf(item),
      inOrder.filter((candidate) => groupOf(candidate) === groupOf(item)),
    ]),
  );
}

function subcommandTerm(command: Command): string {
  return [command.name(), ...command.aliases()].join(', ');
}

function isLong({ options }: Command): boolean {
  return options.length > 6;
}

const briefMeanings = { 2: 'wrong request', 3: 'no answer', 4: 'not to be trusted' } as const;

function briefFooter({ exitCodes, examples }: Usage, width: number, name: string): string {
  const { 0: yes, 1: no } = exitCodes;
  const ofAnswers = { 0: yes, ...(no === undefined ? {} : { 1: no }) };
  const others = Object.entries(briefMeanings).filter(([code]) => code in exitCodes);
  return [
    `${listOfCodes(ofAnswers, width)}\n  ${others.map((meaning) => meaning.join('  ')).join(',  ')}`,
    listOfExamples(examples.slice(0, 2), width),
    wrap(`Every option, and more: ${name} --help --all`, width),
  ].join('\n\n');
}

function wholeFooter({ notes, exitCodes, examples }: Usage, width: number): string {
  return [
    ...(notes === undefined ? [] : [wrapNotes(notes, width)]),
    listOfCodes(exitCodes, width),
    listOfExamples(examples, width),
  ].join('\n\n');
}

function listOfCodes(exitCodes: Readonly<Record<string, string>>, width: number): string {
  const codes = Object.entries(exitCodes).map(
    ([code, meaning]) => `  ${code}  ${wrap(meaning, width, '     ')}`,
  );
  return [bold('Exit codes:'), ...codes].join('\n');
}

/**
 * A line that is too long is continued behind a backslash, so that it can still be pasted; an option keeps its value.
 */
export function listOfExamples(examples: readonly string[], width: number): string {
  const lines = examples.map((example) => {
    const kept = example
      .replaceAll(/'[^']*'|"[^"]*"/g, (quoted) => quoted.replaceAll(' ', '\0'))
      .replaceAll(/(--\S+) (?=[^-|>])/g, '$1\0');
    return `  $ ${wrap(kept, width - 2, '      ')
      .replaceAll('\n', ' \\\n')
      .replaceAll('\0', ' ')}`;
  });
  return [bold('Examples:'), ...lines].join('\n');
}

/** Paragraphs are filled, and lines that are indented go on below their text. */
export function wrapNotes(notes: string, width: number): string {
  const lines = notes.replaceAll(/(?<=\S)\n(?=\S)/g, ' ').split('\n');
  return lines
    .map((line) => {
      const [before = ''] = /^ +(\S+ {2,})?/.exec(line) ?? [];
      return before + wrap(line.slice(before.length), width, ' '.repeat(before.length));
    })
    .join('\n');
}

/** @param indent of the lines after the first */
export function wrap(text: string, width: number, indent = ''): string {
  const help = Object.assign(new Help(), { minWidthToWrap: 1 });
  return help.boxWrap(text, width - indent.length).replaceAll('\n', `\n${indent}`);
}

/** The command as a user types it, with the program: `lightspan index mirror`. */
export function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`;
}
