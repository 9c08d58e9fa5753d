import type { Answer } from '../answer/answer.js';
import type { Palette } from '../answer/formats/palette.js';
import type { LeftOut } from '../answer/words/notices.js';
import { type CommandContext, choosePalette, widthOf } from './context.js';
import type { OptionTable } from './declare.js';
import type { ExitCode } from './exit-codes.js';
import { type GateFormat, gateFormats, scanFormats } from './invocation.js';
import type { OutputOptions } from './options.js';

export const gateFormat = {
  format: {
    flags: '--format <format>',
    group: 'output',
    brief: 'text (default), json, github, junit or markdown',
    description:
      'how the answer is written: text (default), json (as --json), github (annotation, step summary and ' +
      'outputs), junit or markdown',
    choices: gateFormats,
  },
} as const satisfies OptionTable;

export const scanFormat = {
  format: {
    ...gateFormat.format,
    brief: 'text (default), json, github, junit, markdown or sarif',
    description: `${gateFormat.format.description.replace(' or markdown', ', markdown')} or sarif (for code scanning)`,
    choices: scanFormats,
  },
} as const satisfies OptionTable;

/** Only the requested form of an answer is made. */
interface AnswerForms {
  readonly format: GateFormat;
  readonly exitCode: ExitCode;
  readonly options: Pick<OutputOptions, 'color' | 'verbose'>;
  readonly leftOut: LeftOut;
  readonly json: (leftOut: LeftOut) => string | Promise<string>;
  readonly answer: () => Promise<Answer>;
  /** The drawing of the releases for a terminal of this width. */
  readonly strip?: (palette: Palette, width: number) => Promise<readonly string[]>;
}

export async function writeAnswer(forms: AnswerForms, context: CommandContext): Promise<void> {
  const { format, exitCode, options, leftOut, json, strip } = forms;
  const { stdout } = context;
  if (format === 'json') {
    stdout.write(await json(leftOut));
    return;
  }
  const answer = await forms.answer();
  const text = () => textOf(answer, options, context, strip);
  if (format === 'text') stdout.write(await text());
  else {
    const { writeGateAnswer } = await import('./write-pipeline.js');
    const { describeLeftOut } = await import('../answer/words/notices.js');
    const notices = describeLeftOut(leftOut);
    await writeGateAnswer({ ...answer, notices }, text, { format, exitCode }, context);
  }
}

export async function textOf(
  answer: Answer,
  options: Pick<OutputOptions, 'color' | 'verbose'>,
  context: CommandContext,
  strip?: AnswerForms['strip'],
): Promise<string> {
  const { renderText } = await import('../answer/formats/text.js');
  const palette = await choosePalette(options, context);
  const width = widthOf(context.stdout);
  const drawn = width === undefined ? undefined : await strip?.(palette, width);
  return renderText(answer, { palette, width, verbose: options.verbose === true, strip: drawn });
}
