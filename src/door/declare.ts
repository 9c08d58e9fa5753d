import { Argument, type Command, InvalidArgumentError, type Option } from 'commander';
import { LightspanError } from '../core/lightspan-error.js';
import type { GivenOptions, OptionSetting, OptionValues } from '../question/settings.js';
import type { CommandLine } from './command-line.js';
import type { CommandContext } from './context.js';
import type { ExitCode } from './exit-codes.js';
import { addUsage, type ExitCodeMeanings, type HelpOfOption, OptionWithHelp, type Usage } from './help.js';
import type { LackingDetails } from './lacking.js';
import { asksJson, chooseFormat, readSource } from './readers.js';

/** One option, or one operand: what help says of it, and how it is read. */
export interface OptionDeclaration extends HelpOfOption {
  /** As help shows it: `--to <version>`, or `<file>` for an operand. */
  readonly flags: string;
  readonly description: string;
  /** Reads the text of its value; by default an option takes any that is not empty, and an operand any. */
  readonly read?: (text: string) => unknown;
  /** It may be given several times. Without it, a second value is refused: it would silently replace the first. */
  readonly several?: true;
  /** Reads the text together with what was given before, in place of `read` and `several`. */
  fold?(text: string, before: unknown): unknown;
  readonly choices?: readonly string[];
  readonly default?: unknown;
  readonly defaultText?: string;
  /** The command line or settings must give it. */
  readonly required?: true;
  /** What is lacking without it, where the hint depends on the settings. */
  readonly lacks?: LackingDetails['what'];
  /** The description of `--no-<name>`, its negation. */
  readonly negation?: string;
  /** The names of options that cannot be given together with it. */
  readonly conflicts?: string | readonly string[];
  /** The names of options of which one must be given together with it. */
  readonly needs?: readonly string[];
  /** Its value `json` is handed on as `--json`. */
  readonly asJson?: true;
  readonly setting?: OptionSetting;
}

export type OptionTable = Readonly<Record<string, OptionDeclaration>>;

export type OptionsOf<Table extends OptionTable> = {
  readonly [Name in keyof Table as IsGiven<Table[Name]> extends true ? Name : never]: ValueOf<Table[Name]>;
} & {
  readonly [Name in keyof Table as IsGiven<Table[Name]> extends true ? never : Name]?: ValueOf<Table[Name]>;
};

type IsGiven<One> = One extends
  | { readonly default: unknown }
  | { readonly required: true }
  | { readonly flags: `--no-${string}` | `<${string}` | `[${string}...]` }
  ? true
  : false;

type ValueOf<One> =
  | (One extends { fold(...args: never): infer Value }
      ? Value
      : One extends { readonly several: true } | { readonly flags: `${string}...${string}` }
        ? readonly TextOf<One>[]
        : TextOf<One>)
  | (One extends { readonly negation: string } | { readonly flags: `--no-${string}` } ? false : never);

type TextOf<One> = One extends { readonly read: (text: string) => infer Value }
  ? Value | (One extends { readonly flags: `${string}[${string}` } ? true : never)
  : One extends { readonly choices: readonly (infer Choice)[] }
    ? Choice
    : One extends { readonly flags: `${string}<${string}` | `[${string}` }
      ? string
      : true;

/** A command, without its name and its description: the list of commands in `program.ts` has these. */
interface CommandDefinition<Table extends OptionTable> extends Omit<Usage, 'exitCodes'> {
  readonly exitCodes: Partial<ExitCodeMeanings> & Pick<ExitCodeMeanings, 0>;
  readonly takes: Table;
  readonly run: (
    options: OptionsOf<Table>,
    context: CommandContext,
    line: CommandLine,
  ) => Promise<ExitCode> | ExitCode;
  /** The answer itself names the settings that were used: in every format, or not in JSON. */
  readonly namesSettings?: 'always' | 'unless-json';
}

/** A command line that was parsed, before settings decide what it leaves open. */
interface ParsedCommand extends GivenOptions {
  /** Whether the command takes `--settings`. */
  readonly takesSettings: boolean;
  /** @param filled values that settings gave */
  readonly run: (filled: OptionValues, line: CommandLine, context: CommandContext) => Promise<ExitCode>;
}

export type RunParsed = (command: ParsedCommand) => Promise<void>;

export type Declare = (command: Command, act: RunParsed) => Command;

export function defineCommand<const Table extends OptionTable>({
  takes,
  run,
  namesSettings,
  ...usage
}: CommandDefinition<Table>): Declare {
  const exitCodes = { ...usage.exitCodes, 2: usage.exitCodes[2] ?? 'the request is wrong' };
  return (command, act) =>
    addUsage(declareOptions(command, takes), { ...usage, exitCodes }).action(() => {
      const operands = Object.keys(takes).filter((name) => isOperand(takes[name]));
      const values = {
        ...command.opts<OptionsOf<Table>>(),
        ...Object.fromEntries(operands.map((name, i) => [name, command.processedArgs[i]])),
      };
      return act({
        ...givenOptionsOf(command, takes, values),
        namesSettings: namesSettings !== undefined && (namesSettings === 'always' || !asksJson(values)),
        takesSettings: command.options.some(({ long }) => long === '--settings'),
        run: async (filled, line, context) => {
          const complete = { ...values, ...filled };
          const isJson = takes.format?.asJson === true && chooseFormat(complete) === 'json';
          requireTogether(complete, takes);
          return run(isJson ? { ...complete, json: true } : complete, context, line);
        },
      });
    });
}

function givenOptionsOf(command: Command, takes: OptionTable, values: OptionValues) {
  const isGiven = (name: string) => !['default', undefined].includes(command.getOptionValueSource(name));
  return {
    values,
    byCommandLine: new Set(Object.keys(values).filter(isGiven)),
    options: Object.entries(takes)
      .filter(([, declaration]) => !isOperand(declaration))
      .map(([name, declaration]) => ({
        name,
        flag: declaration.flags.split(' ')[0] ?? '',
        parse: parserOf(declaration),
        needs: declaration.needs ?? [],
        setting: declaration.setting,
      })),
  };
}

/** Reads a text of settings as the command line reads it. */
function parserOf(declaration: OptionDeclaration): (text: string, before: unknown) => unknown {
  const { flags, fold, choices, read = readSource } = declaration;
  if (!/[<[]/.test(flags)) return () => true;
  if (fold !== undefined) return fold;
  const readOne = (text: string) => {
    if (choices?.includes(text) !== false) return choices === undefined ? read(text) : text;
    throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`);
  };
  return declaration.several ? readSeveral(readOne) : readOne;
}

export function declareOptions(command: Command, table: OptionTable): Command {
  for (const [name, declaration] of Object.entries(table)) {
    if (isOperand(declaration)) {
      command.addArgument(operandOf(declaration));
      continue;
    }
    const option = optionOf(declaration);
    if (option.attributeName() !== name) throw new Error(`${declaration.flags} is declared as ${name}`);
    command.addOption(option);
    const { negation, brief: _, ...help } = declaration;
    if (negation !== undefined) {
      command.addOption(new OptionWithHelp(`--no-${option.name()}`, negation, help));
    }
  }
  return command;
}

function isOperand(declaration: OptionDeclaration | undefined): boolean {
  return declaration?.flags.startsWith('-') === false;
}

function operandOf({ flags, description, choices, read }: OptionDeclaration): Argument {
  const operand = new Argument(flags, description);
  if (choices !== undefined) operand.choices(choices);
  return read === undefined ? operand : operand.argParser(asArgument(read));
}

function optionOf(declaration: OptionDeclaration): Option {
  const { flags, description, choices, conflicts } = declaration;
  const option = new OptionWithHelp(flags, description, declaration);
  if (choices !== undefined) option.choices(choices);
  const { parseArg } = option;
  const read =
    declaration.read ?? (parseArg === undefined ? readSource : (text: string) => parseArg(text, undefined));
  if (option.required || option.optional)
    option.argParser<unknown>(
      asArgument(declaration.fold ?? (declaration.several ? readSeveral : readOnce)(read)),
    );
  if (declaration.default !== undefined) option.default(declaration.default, declaration.defaultText);
  if (conflicts !== undefined) option.conflicts([conflicts].flat());
  return option;
}

/** commander names the option of a value that is wrong, if the error is one of its own. */
function asArgument<Given extends readonly unknown[], T>(read: (...args: Given) => T) {
  return (...args: Given): T => {
    try {
      return read(...args);
    } catch (error) {
      const isOfValue = error instanceof LightspanError && error.details?.kind === 'option-value';
      throw isOfValue ? new InvalidArgumentError(error.message) : error;
    }
  };
}

function readOnce<T>(read: (text: string) => T): (text: string) => T {
  let seen = false;
  return (text) => {
    if (seen) throw new InvalidArgumentError('is given twice');
    seen = true;
    return read(text);
  };
}

function readSeveral(read: (text: string) => unknown): (text: string, before: unknown) => readonly unknown[] {
  return (text, before) => [...(Array.isArray(before) ? before : []), read(text)];
}

/** Settings may give what the command line does not: this is checked when they have. */
function requireTogether(values: OptionValues, table: OptionTable): void {
  const isGiven = (name: string) => values[name] !== undefined;
  for (const [name, { flags, required, needs, lacks }] of Object.entries(table)) {
    if (!isGiven(name)) {
      if (required !== true) continue;
      const details: LackingDetails | undefined = lacks && { kind: 'lacking', what: lacks };
      throw new LightspanError('usage', `required option '${flags}' not specified`, { details });
    } else if (needs !== undefined && !needs.some(isGiven)) {
      const others = needs.flatMap((need) => table[need]?.flags.split(' ')[0] ?? []);
      throw new LightspanError('usage', `${flags.split(' ')[0]} applies only with ${others.join(' or ')}`);
    }
  }
}

/** The command that the words of a command line lead to, and all other words: options, operands, an unknown command. */
export function namedCommand(argv: readonly string[], program: Command) {
  let command = program;
  const others: string[] = [];
  for (const word of argv) {
    const next = others.every((other) => other.startsWith('-'))
      ? command.commands.find((subcommand) => subcommand.name() === word)
      : undefined;
    if (next === undefined) others.push(word);
    else command = next;
  }
  return { command, others };
}
