import packageJson from '../../package.json' with { type: 'json' };
import { exitCodeWords } from '../../src/cli/exit-codes.js';
import type { PagedCommand } from './command-page.js';

/** `man lightspan`: every command with all of its options, from the same declarations as the help and the pages. */
export function manPage(commands: readonly PagedCommand[]): string {
  return [
    `.TH LIGHTSPAN 1 "" "lightspan ${packageJson.version}" "User Commands"`,
    '.SH NAME',
    'lightspan \\- safe upgrades for self\\-hosted Lightdash',
    '.SH SYNOPSIS',
    '.B lightspan',
    '.I command',
    '[options]',
    '.SH DESCRIPTION',
    text(packageJson.description),
    'Start with',
    '.BR "lightspan init" .',
    'In a terminal,',
    '.B lightspan \\fIcommand\\fP \\-\\-help',
    'shows the options that most people need.',
    '.SH COMMANDS',
    ...commands.flatMap(describeCommand),
    '.SH EXIT STATUS',
    ...Object.entries(exitCodeWords).flatMap(([code, { meaning }]) => entry(code, meaning)),
    '.SH SEE ALSO',
    '.BR "lightspan explain" ,\nfor each word of an answer.',
    '',
  ].join('\n');
}

function describeCommand({ command, usage }: PagedCommand): string[] {
  const help = command.createHelp();
  return [
    `.SS "${text(help.commandUsage(command))}"`,
    text(command.description().replace(/(?<!\?)$/, '.')),
    ...help
      .visibleArguments(command)
      .flatMap((operand) => entry(help.argumentTerm(operand), help.argumentDescription(operand))),
    ...help
      .visibleOptions(command)
      .filter(({ long }) => long !== '--help')
      .flatMap((option) => entry(help.optionTerm(option), help.optionDescription(option))),
    ...(usage === undefined
      ? []
      : ['.PP', 'Examples:', '.PP', '.nf', ...usage.examples.map((example) => text(`  ${example}`)), '.fi']),
  ];
}

function entry(term: string, meaning: string): string[] {
  return ['.TP', `.B "${text(term)}"`, text(meaning)];
}

/** A line that roff neither obeys nor changes. */
function text(line: string): string {
  return line
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('"', '\\(dq')
    .replaceAll("'", '\\(aq')
    .replace(/^(?=\.)/, '\\&');
}
