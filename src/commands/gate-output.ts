import { type Answer, describeAnswer } from '../answer/answer.js';
import { logText, renderAnnotation, renderFailureOutputs, renderOutputs } from '../answer/github.js';
import { renderJunit, renderJunitFailure } from '../answer/junit.js';
import {
  renderMarkdown,
  renderMarkdownAnswer,
  renderMarkdownFailure,
  renderMarkdownLine,
} from '../answer/markdown.js';
import type { Failure } from '../errors.js';
import { type ExitCode, exitCodes } from '../exit-codes.js';
import type { GateFormat } from '../invocation.js';
import type { CommandContext } from './context.js';
import { appendOutputs, appendSummary } from './github-files.js';

/** The formats for pipelines only. */
export type PipelineFormat = Exclude<GateFormat, 'text' | 'json'>;

/** GitHub shows 10 annotations per level; one is for the whole answer. */
const mostPlaces = 9;

/**
 * Writes an answer for a pipeline.
 *
 * @param text the answer as text, for the log of a step
 * @throws {LightspanError} `unwritable-output` if a file that GitHub names cannot be written (then the steps that
 *   follow would read missing outputs), or standard output
 */
export async function writeGateAnswer(
  answer: Answer,
  text: () => Promise<string>,
  { format, exitCode }: { readonly format: PipelineFormat; readonly exitCode: ExitCode },
  { stdout, env, randomUuid }: CommandContext,
): Promise<void> {
  if (format === 'junit') stdout.write(renderJunit(answer));
  else if (format === 'markdown') stdout.write(renderMarkdown(answer));
  else {
    // Until the answer has been accepted, the outputs say that there is none. A killed process leaves no yes of an
    // earlier run.
    appendOutputs(renderFailureOutputs(exitCodes.unavailable), env);
    const forms = [renderMarkdown, renderMarkdownAnswer, renderMarkdownLine];
    appendSummary(
      forms.map((render) => render(answer)),
      env,
    );
    const annotations = [
      ...answer.places.slice(0, mostPlaces),
      { yes: answer.yes, title: answer.asked, message: describeAnswer(answer) },
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
  if (format === 'junit') stdout.write(renderJunitFailure(failure));
  else if (format === 'markdown') stdout.write(renderMarkdownFailure(failure));
  else {
    stdout.write(
      renderAnnotation({ level: 'error', title: 'lightspan: no answer', message: failure.message }),
    );
    for (const append of [
      () => appendOutputs(renderFailureOutputs(exitCode), env),
      () => appendSummary([renderMarkdownFailure(failure)], env),
    ]) {
      try {
        append();
      } catch {
        // If it cannot be written, the annotation and the exit code still report it.
      }
    }
  }
}
