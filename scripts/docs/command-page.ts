import type { Command, Option } from 'commander';
import { type Usage, usageOf, widest, wrapNotes } from '../../src/door/help.js';
import { code, table } from './markdown.js';

/** A command that can be run, with the words that name it: `index mirror`. */
export interface PagedCommand {
  readonly name: string;
  readonly command: Command;
  readonly usage: Usage | undefined;
}

/** Every command that does something, in the order of the help; those that only group others have no page. */
export function commandsOf(command: Command, name = ''): PagedCommand[] {
  if (command.commands.length === 0) return [{ name, command, usage: usageOf(command) }];
  return command.commands.flatMap((sub) =>
    commandsOf(sub, name === '' ? sub.name() : `${name} ${sub.name()}`),
  );
}

export function pageName({ name }: Pick<PagedCommand, 'name'>): string {
  return `commands/${name.replaceAll(' ', '-')}.md`;
}

/** The page of the options that many commands share. */
export const commonOptionsName = 'options.md';

/** So many commands have an option in the same words that their pages only name it. */
const many = 6;

const optionsOf = ({ command }: PagedCommand) =>
  command
    .createHelp()
    .visibleOptions(command)
    .filter(({ long }) => long !== '--help');

function rowOf({ command }: PagedCommand, option: Option): readonly [term: string, meaning: string] {
  const help = command.createHelp();
  return [code(help.optionTerm(option)), help.optionDescription(option)];
}

/** The options that many commands take, each with its meaning and the commands, by their row. */
export function commonOptionsOf(commands: readonly PagedCommand[]): CommonOptions {
  const found = new Map<string, { readonly row: readonly string[]; readonly names: string[] }>();
  for (const command of commands) {
    for (const option of optionsOf(command)) {
      const row = rowOf(command, option);
      const before = found.get(row.join(' '));
      if (before === undefined) found.set(row.join(' '), { row, names: [command.name] });
      else before.names.push(command.name);
    }
  }
  return new Map([...found].filter(([, { names }]) => names.length >= many));
}

type CommonOptions = ReadonlyMap<
  string,
  { readonly row: readonly string[]; readonly names: readonly string[] }
>;

export function commonOptionsPage(common: CommonOptions): string {
  const rows = [...common.values()].toSorted((a, b) => b.names.length - a.names.length);
  /** The options of one name, of which the first is that of most commands. */
  const ofOneName = (term: string | undefined) => rows.filter(({ row }) => row[0] === term);
  const linked = (names: readonly string[]) =>
    names.map((name) => `[${name}](${pageName({ name })})`).join(', ');
  const forWhich = ({ row, names }: (typeof rows)[number]) => {
    const [usual, ...others] = ofOneName(row[0]);
    if (others.length === 0) return '';
    return row === usual?.row ? ' (but see below)' : ` (for ${linked(names)})`;
  };
  return `${[
    '# Options of several commands',
    'These mean the same wherever a command takes them; the page of each command names those that it takes. `lightspan <command> --help --all` has them too.',
    table(
      ['option', 'meaning'],
      rows.map((one) => [one.row[0] ?? '', `${one.row[1]}${forWhich(one)}`]),
    ),
  ].join('\n\n')}\n`;
}

/** The page of a command: its declaration, with the prose that is kept for it. */
export function commandPage(paged: PagedCommand, prose: string, common: CommonOptions): string {
  const { name, command, usage } = paged;
  const help = command.createHelp();
  const rows = optionsOf(paged).map((option) => rowOf(paged, option));
  const isCommon = (row: readonly string[]) => common.has(row.join(' '));
  const own = rows.filter((row) => !isCommon(row));
  const shared = rows.filter(isCommon).map(([term]) => term);
  const operands = help.visibleArguments(command);
  const parts = [
    `# lightspan ${name}`,
    command.description().replace(/(?<![?!.])$/, '.'),
    ...(prose === '' ? [] : [prose]),
    '## Usage',
    ['```', help.commandUsage(command), '```'].join('\n'),
    ...(operands.length === 0
      ? []
      : [
          table(
            ['argument', 'meaning'],
            operands.map((operand) => [code(help.argumentTerm(operand)), help.argumentDescription(operand)]),
          ),
        ]),
    '## Options',
    ...(own.length === 0 ? [] : [table(['option', 'meaning'], own)]),
    ...(shared.length === 0
      ? []
      : [
          `${own.length === 0 ? 'It' : 'It also'} takes [options of several commands](../${commonOptionsName}): ${shared.join(', ')}.`,
        ]),
    ...(usage === undefined ? [] : describeUsage(usage)),
  ];
  return `${parts.join('\n\n')}\n`;
}

function describeUsage({ notes, exitCodes, examples }: Usage): string[] {
  return [
    ...(notes === undefined ? [] : ['## Notes', ['```', wrapNotes(notes, widest), '```'].join('\n')]),
    '## Exit codes',
    table(['exit code', 'meaning'], Object.entries(exitCodes)),
    'See [exit codes](../exit-codes.md) for those of every command.',
    '## Examples',
    ['```console', ...examples.map((example) => `$ ${example}`), '```'].join('\n'),
  ];
}
