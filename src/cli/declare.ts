import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { LightspanError } from '../core/lightspan-error.js';
import type { Act, CommandContext } from './context.js';
import type { ExitCode } from './exit-codes.js';
import { addOptionHelp, addUsage, type HelpOfOption, type Usage } from './help.js';
import { chooseFormat, readSource } from './readers.js';

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
  /** What `--no-<name>` beside it means. */
  readonly negation?: string;
  /** The names of options that cannot be given beside it. */
  readonly conflicts?: string | readonly string[];
  /** The names of options of which one must be given beside it. */
  readonly needs?: readonly string[];
  readonly hidden?: true;
  /** Its value `json` is handed on as `--json`. */
  readonly asJson?: true;
  readonly setting?: SettingDeclaration;
}

/**
 * The key of `lightspan.yaml` that stands for an option and has its name: the text of its value, of `several` a list.
 * It is declared in `options.ts` or `deployment-options.ts`, since every command reads the whole file.
 */
export interface SettingDeclaration {
  /** What is written there; `choices` need none. */
  readonly description?: string;
  /** What the text must look like; by default, it is one line. */
  readonly form?: RegExp;
  /** It names a source of evidence: a URL, or a path from the folder of the file. No change may bring it itself. */
  readonly isSource?: true;
  /** The environment variable that takes precedence. */
  readonly variable?: string;
  /** The options beside which it does not count; by default its own. Of none, it adds to what is given. */
  readonly unless?: readonly string[];
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
  | (One extends { fold(...given: never): infer Value }
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
interface CommandDefinition<Table extends OptionTable> extends Usage {
  readonly takes: Table;
  readonly run: (options: OptionsOf<Table>, context: CommandContext) => Promise<ExitCode> | ExitCode;
}

const declarations = new WeakMap<Option, OptionDeclaration>();

export function declarationOf(option: Option): OptionDeclaration | undefined {
  return declarations.get(option);
}

export type Declare = (command: Command, act: Act) => Command;

export function defineCommand<const Table extends OptionTable>({
  takes,
  run,
  ...usage
}: CommandDefinition<Table>): Declare {
  return (command, act) =>
    addUsage(take(command, takes), usage).action(() =>
      act(async (context) => {
        if (takes.format?.asJson && chooseFormat(command.opts()) === 'json')
          command.setOptionValue('json', true);
        requireTogether(command, takes);
        const operands = Object.keys(takes).filter((name) => isOperand(takes[name]));
        for (const [i, name] of operands.entries()) command.setOptionValue(name, command.processedArgs[i]);
        return run(command.opts<OptionsOf<Table>>(), context);
      }),
    );
}

export function take(command: Command, table: OptionTable): Command {
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
      command.addOption(addOptionHelp(new Option(`--no-${option.name()}`, negation), help));
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
  return read === undefined ? operand : operand.argParser(read);
}

function optionOf(declaration: OptionDeclaration): Option {
  const { flags, description, choices, conflicts } = declaration;
  const option = new Option(flags, description);
  declarations.set(option, declaration);
  if (choices !== undefined) option.choices(choices);
  const { parseArg } = option;
  const read =
    declaration.read ?? (parseArg === undefined ? readSource : (text: string) => parseArg(text, undefined));
  if (option.required || option.optional)
    option.argParser<unknown>(declaration.fold ?? (declaration.several ? several : once)(read));
  if (declaration.default !== undefined) option.default(declaration.default, declaration.defaultText);
  if (conflicts !== undefined) option.conflicts([conflicts].flat());
  return addOptionHelp(option.hideHelp(declaration.hidden ?? false), declaration);
}

function once<T>(read: (text: string) => T): (text: string) => T {
  let seen = false;
  return (text) => {
    if (seen) throw new InvalidArgumentError('It is given twice.');
    seen = true;
    return read(text);
  };
}

function several(read: (text: string) => unknown): (text: string, before: unknown) => readonly unknown[] {
  return (text, before) => [...(Array.isArray(before) ? before : []), read(text)];
}

/** Settings may give what the command line does not: this is checked when they have. */
function requireTogether(command: Command, table: OptionTable): void {
  const isGiven = (name: string) => command.getOptionValue(name) !== undefined;
  for (const [name, { flags, required, needs }] of Object.entries(table)) {
    if (!isGiven(name)) {
      if (required === true) throw new LightspanError('usage', `required option '${flags}' not specified`);
    } else if (needs !== undefined && !needs.some(isGiven)) {
      const others = needs.flatMap((other) => table[other]?.flags.split(' ')[0] ?? []);
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
