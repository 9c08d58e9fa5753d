import type { Answer } from '../answer/answer.js';
import type { Palette } from '../answer/formats/palette.js';
import type { LeftOut } from '../answer/words/notices.js';
import type { UsersWords } from './command-line.js';
import { type CommandContext, choosePalette, widthOf } from './context.js';
import type { ExitCode } from './exit-codes.js';
import type { GateFormat } from './invocation.js';

/** How an answer is written. */
export interface AnswerWanted<Format extends string = GateFormat> {
  readonly format: Format;
  readonly verbose: boolean;
  /** Undefined: by the environment and the terminal. */
  readonly color: boolean | undefined;
  readonly words: UsersWords;
}

/** Only the requested form of an answer is made. */
interface AnswerForms {
  readonly wanted: AnswerWanted;
  readonly exitCode: ExitCode;
  readonly leftOut: LeftOut;
  readonly json: (leftOut: LeftOut) => string | Promise<string>;
  readonly answer: () => Promise<Answer>;
  /** The drawing of the releases for a terminal of this width. */
  readonly strip?: (palette: Palette, width: number) => Promise<readonly string[]>;
}

export async function writeAnswer(forms: AnswerForms, context: CommandContext): Promise<void> {
  const { wanted, exitCode, leftOut, json, strip } = forms;
  const { format } = wanted;
  const { stdout } = context;
  if (format === 'json') {
    stdout.write(await json(leftOut));
    return;
  }
  const answer = await forms.answer();
  const text = () => textOf(answer, wanted, context, strip);
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
  { color, verbose }: Pick<AnswerWanted, 'color' | 'verbose'>,
  context: CommandContext,
  strip?: AnswerForms['strip'],
): Promise<string> {
  const { renderText } = await import('../answer/formats/text.js');
  const palette = await choosePalette({ color }, context);
  const width = widthOf(context.stdout);
  const drawn = width === undefined ? undefined : await strip?.(palette, width);
  return renderText(answer, { palette, width, verbose, strip: drawn });
}
