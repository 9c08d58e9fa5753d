import type { Command, Option } from 'commander';

/** For these the shell looks itself. */
type Paths = ':file' | ':folder';

/**
 * What may stand at the end of a command line: one candidate a line, with its description behind a tab; or the kind of
 * path.
 *
 * @param words up to the cursor, of which the last may be empty; bash takes the `=` of `--option=value` for one of its own
 */
export function complete(program: Command, words: readonly string[]): string {
  const current = words.at(-1) ?? '';
  let command = program;
  let pending: Option | undefined;
  let given = false;
  let helping = false;
  let position = 0;
  for (const word of words.slice(0, -1)) {
    if (pending !== undefined && word === '=') given = true;
    else if (pending !== undefined && (pending.required || given || !word.startsWith('-'))) {
      pending = undefined;
      given = false;
    } else {
      const below = commandsOf(command).find((child) => child.name() === word);
      pending = optionsOf(command).find(
        (option) => flagsOf(option).includes(word) && (option.required || option.optional),
      );
      if (word === 'help' && below !== undefined) helping = true;
      else if (below !== undefined) command = below;
      else if (!word.startsWith('-')) position++;
    }
  }
  const [, flag] = /^(--[^=]+)=/.exec(current) ?? [];
  const option = flag === undefined ? pending : optionsOf(command).find(({ long }) => long === flag);
  if (option !== undefined) {
    const values = valuesOf(option.flags, option.argChoices);
    const isValue = flag !== undefined || given || current === '=' || option.required;
    if (isValue || values.length > 0) return linesOf(values, flag === undefined ? '' : `${flag}=`);
  }
  if (current.startsWith('-')) {
    return linesOf(optionsOf(command).flatMap((one) => flagsOf(one).map((name) => [name, one.description])));
  }
  const commands = commandsOf(command).filter((child) => !helping || child.name() !== 'help');
  if (commands.length > 0) return linesOf(commands.map((child) => [child.name(), child.description()]));
  const operands = command.registeredArguments;
  const last = operands.at(-1);
  const operand = operands[position] ?? (last?.variadic ? last : undefined);
  return operand === undefined ? '' : linesOf(valuesOf(`<${operand.name()}>`, operand.argChoices));
}

type Values = Paths | readonly (readonly [text: string, description?: string])[];

function linesOf(values: Values, before = ''): string {
  if (typeof values === 'string') return `${values}\n`;
  return values.map(([text, description = '']) => `${before}${text}\t${description}\n`).join('');
}

/** Where there are no choices, the placeholder names the kind of value: `<file>`, `<folder>`. */
function valuesOf(flags: string, choices: readonly string[] | undefined): Values {
  if (choices !== undefined) return choices.map((choice) => [choice]);
  const [, kind = ''] = /[<[]([a-z]+)/.exec(flags) ?? [];
  // A source is a URL, a file or a mirror.
  if (kind === 'file' || kind === 'source') return ':file';
  return kind === 'folder' ? ':folder' : [];
}

function commandsOf(command: Command): readonly Command[] {
  return command.createHelp().visibleCommands(command);
}

function optionsOf(command: Command): readonly Option[] {
  const help = command.createHelp();
  return [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
}

function flagsOf({ short, long }: Option): string[] {
  return [short, long].filter((flag) => typeof flag === 'string');
}
