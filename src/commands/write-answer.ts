import type { ExitCode } from '../exit-codes.js';
import type { GateAnswer } from '../render/gate/answer.js';
import type { CommandContext } from './context.js';
import type { GateFormat } from './format-of-argv.js';

/** An answer in every form; each is made only where it is asked for. */
export interface AnswerForms {
  readonly format: GateFormat;
  readonly exitCode: ExitCode;
  readonly text: () => Promise<string>;
  readonly json: () => string;
  readonly gate: () => Promise<GateAnswer>;
}

/** Writes an answer in the format asked for. */
export async function writeAnswer(answer: AnswerForms, context: CommandContext): Promise<void> {
  if (answer.format === 'text') context.stdout.write(await answer.text());
  else if (answer.format === 'json') context.stdout.write(answer.json());
  else {
    const { writeGateAnswer } = await import('./gate-output.js');
    await writeGateAnswer(answer, answer.format, context);
  }
}
