import type { Answer } from '../answer/answer.js';
import type { TextOptions } from '../answer/formats/format.js';
import type { Palette } from '../answer/formats/palette.js';
import type { GateFormat } from '../answer/formats/registry.js';
import type { StripOptions } from '../answer/outputs/strip.js';
import type { LeftOut } from '../words/evidence/notices.js';
import type { UsersWords } from './command-line.js';
import { type CommandContext, choosePalette, isAscii, widestProse, widthOf } from './context.js';
import type { ExitCode } from './exit-codes.js';
import { asksJson } from './readers.js';

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
  readonly strip?: (options: StripOptions) => Promise<readonly string[]>;
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
  requireExitCode(answer, exitCode);
  const text = await textOptions(wanted, context, strip);
  if (format === 'text') {
    const { renderText } = await import('../answer/formats/text.js');
    stdout.write(renderText(answer, text));
  } else {
    const { writeGateAnswer } = await import('./write-pipeline.js');
    const { describeLeftOut } = await import('../words/evidence/notices.js');
    const notices = describeLeftOut(leftOut);
    await writeGateAnswer({ ...answer, notices }, text, { format, exitCode }, context);
  }
}

/** The words of an answer and the exit code are found independently: if they differ, neither is given. */
export function requireExitCode({ headline }: Pick<Answer, 'headline'>, exitCode: ExitCode): void {
  if (headline.exitCode === exitCode) return;
  throw new Error(`the answer "${headline.text}" does not go with exit code ${exitCode}`);
}

/** For a command that has no other format. */
export async function textOf(
  answer: Answer,
  exitCode: ExitCode,
  wanted: Pick<AnswerWanted, 'color' | 'verbose'>,
  context: CommandContext,
  strip?: AnswerForms['strip'],
): Promise<string> {
  requireExitCode(answer, exitCode);
  const { renderText } = await import('../answer/formats/text.js');
  return renderText(answer, await textOptions(wanted, context, strip));
}

async function textOptions(
  { color, verbose }: Pick<AnswerWanted, 'color' | 'verbose'>,
  context: CommandContext,
  strip?: AnswerForms['strip'],
): Promise<TextOptions> {
  const palette = await choosePalette({ color }, context);
  const columns = widthOf(context.stdout);
  const ascii = isAscii(context.env);
  const drawn =
    columns === undefined ? undefined : await strip?.({ palette, width: columns, isAscii: ascii });
  const width = columns && Math.min(columns, widestProse);
  return { palette, width, verbose, isAscii: ascii, strip: drawn };
}

/** The two forms of a result that only shows data. */
interface ResultForms {
  /** One line. */
  readonly json: () => string;
  readonly text: (shown: {
    readonly palette: Palette;
    /** Columns of the terminal; undefined if standard output is none. */
    readonly width: number | undefined;
  }) => string;
}

/** Writes a result as the options ask for it, `--json` or text: only that form is made. */
export async function writeResult(
  options: Parameters<typeof asksJson>[0] & Parameters<typeof choosePalette>[0],
  { stdout, env }: Pick<CommandContext, 'stdout' | 'env'>,
  { json, text }: ResultForms,
): Promise<void> {
  if (asksJson(options)) {
    stdout.write(json());
    return;
  }
  const palette = await choosePalette(options, { stdout, env });
  stdout.write(text({ palette, width: widthOf(stdout) }));
}
