import type { Failure } from '../errors.js';
import { type ExitCode, exitCodes } from '../exit-codes.js';
import { describeGateAnswer, type GateAnswer, noting } from '../render/gate/answer.js';
import { renderFailureOutputs, renderOutputs } from '../render/github/outputs.js';
import { logText, renderAnnotation } from '../render/github/workflow-command.js';
import { renderFailureJunit, renderGateJunit } from '../render/junit/gate.js';
import {
  renderFailureMarkdown,
  renderGateMarkdown,
  renderGateMarkdownAnswer,
  renderGateMarkdownLine,
} from '../render/markdown/gate.js';
import { type JudgedBy, judgedByLine } from '../render/words/judged-by.js';
import { describeLeftOut, type LeftOut } from '../render/words/left-out.js';
import type { CommandContext } from './context.js';
import type { GateFormat } from './format-of-argv.js';
import { appendOutputs, appendSummary } from './github-files.js';

/** The formats for pipelines only. */
export type PipelineFormat = Exclude<GateFormat, 'text' | 'json'>;

/** GitHub shows 10 annotations per level; one is for the whole answer. */
const mostPlaces = 9;

/** An answer in every form; only the requested one is made. */
export interface AnswerForms {
  readonly format: GateFormat;
  readonly exitCode: ExitCode;
  readonly text: () => Promise<string>;
  readonly json: (leftOut: LeftOut) => string;
  readonly gate: () => Promise<GateAnswer>;
  readonly leftOut: LeftOut;
  readonly judgedBy: JudgedBy;
}

/**
 * Writes an answer for a pipeline.
 *
 * @throws {LightspanError} `unwritable-output` if a file that GitHub names cannot be written (then the steps that
 *   follow would read missing outputs), or standard output
 */
export async function writeGateAnswer(
  { exitCode, text, gate, leftOut, judgedBy }: Omit<AnswerForms, 'format' | 'json'>,
  format: PipelineFormat,
  { stdout, env, randomUuid }: CommandContext,
): Promise<void> {
  const answer = noting(await gate(), [...describeLeftOut(leftOut), `${judgedByLine(judgedBy)}.`]);
  if (format === 'junit') stdout.write(renderGateJunit(answer));
  else if (format === 'markdown') stdout.write(renderGateMarkdown(answer));
  else {
    // Until the answer has been accepted, the outputs say that there is none. A killed process leaves no yes of an
    // earlier run.
    appendOutputs(renderFailureOutputs(exitCodes.unavailable), env);
    const forms = [renderGateMarkdown, renderGateMarkdownAnswer, renderGateMarkdownLine];
    appendSummary(
      forms.map((render) => render(answer)),
      env,
    );
    const annotations = [
      ...(answer.places ?? []).slice(0, mostPlaces),
      { yes: answer.yes, title: answer.title, message: describeGateAnswer(answer) },
    ].map(({ yes, ...told }) => renderAnnotation({ level: yes ? 'notice' : 'error', ...told }));
    stdout.write(`${annotations.join('')}${logText(await text())}`);
    await stdout.flush?.();
    appendOutputs(renderOutputs(answer, exitCode, `lightspan-${randomUuid()}`), env);
  }
}

/**
 * Reports in the format of a pipeline that there is no answer. It never throws, because the failure itself is still to
 * be reported.
 */
export function writeGateFailure(
  failure: Failure,
  { format, exitCode }: { readonly format: PipelineFormat; readonly exitCode: ExitCode },
  { stdout, env }: CommandContext,
): void {
  if (format === 'junit') stdout.write(renderFailureJunit(failure));
  else if (format === 'markdown') stdout.write(renderFailureMarkdown(failure));
  else {
    stdout.write(
      renderAnnotation({ level: 'error', title: 'lightspan: no answer', message: failure.message }),
    );
    for (const append of [
      () => appendOutputs(renderFailureOutputs(exitCode), env),
      () => appendSummary([renderFailureMarkdown(failure)], env),
    ]) {
      try {
        append();
      } catch {
        // If it cannot be written, the annotation and the exit code still report it.
      }
    }
  }
}
