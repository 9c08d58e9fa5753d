import type { Command } from 'commander';
import { LightspanError } from '../errors.js';
import type { CommandContext } from './context.js';
import { type GateFormat, gateFormats } from './format-of-argv.js';
import type { AnswerForms } from './gate-output.js';
import { choice, type OutputOptions } from './shared-options.js';

export interface FormatOptions {
  readonly format?: GateFormat;
}

export function addFormatOption(command: Command): Command {
  return command.addOption(
    choice(
      '--format <format>',
      'how the answer is written: text (default), json (as --json), github (annotation, step summary and outputs), junit or markdown',
      gateFormats,
    ),
  );
}

/** @throws {LightspanError} `usage` if `--json` and `--format` contradict each other */
export function chooseFormat<Format extends string>({
  json,
  format,
}: Pick<OutputOptions, 'json'> & { readonly format?: Format }): Format | 'text' | 'json' {
  if (json !== true) return format ?? 'text';
  if (format === undefined || format === 'json') return 'json';
  throw new LightspanError('usage', `--json and --format ${format} request two formats`, {
    hint: 'Leave one of the two out.',
  });
}

/** Writes an answer in the requested format. */
export async function writeAnswer(answer: AnswerForms, context: CommandContext): Promise<void> {
  if (answer.format === 'text') context.stdout.write(await answer.text());
  else if (answer.format === 'json') context.stdout.write(answer.json(answer.leftOut));
  else {
    const { writeGateAnswer } = await import('./gate-output.js');
    await writeGateAnswer(answer, answer.format, context);
  }
}
