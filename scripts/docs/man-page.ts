import packageJson from '../../package.json' with { type: 'json' };
import { exitCodeWords } from '../../src/door/exit-codes.js';
import type { PagedCommand } from './command-page.js';

/**
 * The pages of man, by their file names: one for each command, as git has them, and one that leads to them. All are made
 * of the declarations that help and docs are made of.
 */
export function manPages(commands: readonly PagedCommand[]): ReadonlyMap<string, string> {
  return new Map([
    ['lightspan.1', overview(commands)],
    ...commands.map((command): [string, string] => [`${manName(command)}.1`, pageOf(command)]),
  ]);
}

/** `lightspan-index-mirror` */
function manName({ name }: Pick<PagedCommand, 'name'>): string {
  return `lightspan-${name.replaceAll(' ', '-')}`;
}

function overview(commands: readonly PagedCommand[]): string {
  return page('lightspan', 'safe upgrades for self-hosted Lightdash', [
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
    'shows the options that most people need. Each command has a page of its own, such as',
    `.BR ${text(manName({ name: 'upgrade-check' }))} (1).`,
    '.SH COMMANDS',
    ...commands.flatMap(({ name, command }) => entry(`lightspan ${name}`, sentence(command.description()))),
    ...exitStatus(
      Object.fromEntries(Object.entries(exitCodeWords).map(([code, { meaning }]) => [code, meaning])),
    ),
    '.SH SEE ALSO',
    '.BR "lightspan explain" ,\nfor each word of an answer.',
  ]);
}

function pageOf({ name, command, usage }: PagedCommand): string {
  const help = command.createHelp();
  const operands = help.visibleArguments(command);
  const options = help.visibleOptions(command).filter(({ long }) => long !== '--help');
  return page(manName({ name }), command.description(), [
    '.SH SYNOPSIS',
    `.B "${text(help.commandUsage(command))}"`,
    '.SH DESCRIPTION',
    text(sentence(command.description())),
    ...(usage?.notes === undefined ? [] : ['.PP', ...usage.notes.split('\n').flatMap(lineOfNotes)]),
    ...section('ARGUMENTS', operands, (operand) =>
      entry(help.argumentTerm(operand), help.argumentDescription(operand)),
    ),
    ...section('OPTIONS', options, (option) =>
      entry(help.optionTerm(option), help.optionDescription(option)),
    ),
    ...exitStatus(usage?.exitCodes ?? {}),
    ...(usage === undefined
      ? []
      : ['.SH EXAMPLES', '.nf', ...usage.examples.map((example) => text(example)), '.fi']),
    '.SH SEE ALSO',
    '.BR lightspan (1)',
  ]);
}

function page(name: string, description: string, lines: readonly string[]): string {
  return [
    `.TH ${text(name.toUpperCase())} 1 "" "lightspan ${packageJson.version}" "User Commands"`,
    // A command to be typed is as wide as it is: what is filled stands to the left, so that nothing is stretched around it.
    '.ad l',
    '.nh',
    '.SH NAME',
    `${text(name)} \\- ${text(description)}`,
    ...lines,
    '',
  ].join('\n');
}

function section<T>(title: string, items: readonly T[], linesOf: (item: T) => readonly string[]): string[] {
  return items.length === 0 ? [] : [`.SH ${title}`, ...items.flatMap(linesOf)];
}

function exitStatus(meanings: Readonly<Record<string, string>>): string[] {
  return section('EXIT STATUS', Object.entries(meanings), ([code, meaning]) => entry(code, meaning));
}

/** Notes are paragraphs; a line that is indented begins a new one by itself. */
function lineOfNotes(line: string): string[] {
  if (line === '') return ['.PP'];
  return [text(line)];
}

function sentence(words: string): string {
  return words.replace(/(?<!\?)$/, '.');
}

function entry(term: string, meaning: string): string[] {
  return ['.TP', `.B "${text(term)}"`, text(meaning)];
}

/** A line that roff neither obeys nor changes. */
function text(line: string): string {
  return (
    line
      .replaceAll('\\', '\\e')
      .replaceAll('-', '\\-')
      .replaceAll('"', '\\(dq')
      .replaceAll("'", '\\(aq')
      // A long address is broken behind a slash.
      .replaceAll(/\S{50,}/g, (word) => word.replaceAll('/', '/\\:'))
      .replace(/^(?=\.)/, '\\&')
  );
}
