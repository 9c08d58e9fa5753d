import { type Command, Option } from 'commander';
import { LightspanError } from '../errors.js';
import type { OutputOptions } from './shared-options.js';

/** How an answer is written that a pipeline may gate on. */
const gateFormats = ['text', 'json', 'github', 'junit', 'markdown'] as const;
export type GateFormat = (typeof gateFormats)[number];

export interface FormatOptions {
  readonly format?: GateFormat;
}

export function addFormatOption(command: Command): Command {
  return command.addOption(
    new Option(
      '--format <format>',
      'how the answer is written: text (default), json (as --json), github (annotation, step summary and outputs), junit or markdown',
    ).choices(gateFormats),
  );
}

/** @throws {LightspanError} `usage` where `--json` and `--format` ask for two */
export function chooseFormat<Format extends string>({
  json,
  format,
}: Pick<OutputOptions, 'json'> & { readonly format?: Format }): Format | 'text' | 'json' {
  if (json !== true) return format ?? 'text';
  if (format === undefined || format === 'json') return 'json';
  throw new LightspanError('usage', `--json and --format ${format} ask for two formats`, {
    hint: 'Leave one of the two out.',
  });
}

/** Commands that write JSON and nothing else. */
const jsonCommands: readonly (string | undefined)[] = ['upgrade-bump'];

/** The format asked for by a command line that may itself be what is wrong. `--json` comes first: its reader is sure. */
export function formatOfArgv(argv: readonly string[]): GateFormat {
  const command = argv.find((word) => !word.startsWith('-'));
  if (argv.includes('--json') || jsonCommands.includes(command)) return 'json';
  const at = argv.findIndex((word) => word === '--format' || word.startsWith('--format='));
  const word = argv[at] === '--format' ? argv[at + 1] : argv[at]?.slice('--format='.length);
  return gateFormats.find((format) => format === word) ?? 'text';
}
