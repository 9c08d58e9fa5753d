import type { Command } from 'commander';
import { type Usage, usageOf, widest, wrapNotes } from '../../src/cli/help.js';
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

/** The page of a command: its declaration, with the prose that is kept for it. */
export function commandPage({ name, command, usage }: PagedCommand, prose: string): string {
  const help = command.createHelp();
  const options = help.visibleOptions(command).filter(({ long }) => long !== '--help');
  const operands = help.visibleArguments(command);
  const parts = [
    `# lightspan ${name}`,
    `${command.description()}.`,
    prose,
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
    table(
      ['option', 'meaning'],
      options.map((option) => [code(help.optionTerm(option)), help.optionDescription(option)]),
    ),
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
