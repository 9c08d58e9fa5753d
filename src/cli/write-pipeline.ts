import { appendFileSync, statSync } from 'node:fs';
import { type Answer, describeAnswer } from '../answer/answer.js';
import { logText, renderAnnotation, renderOutputs } from '../answer/formats/github.js';
import { renderJunit, renderJunitFailure } from '../answer/formats/junit.js';
import { renderMarkdown, renderMarkdownFailure } from '../answer/formats/markdown.js';
import { renderSarif, renderSarifFailure } from '../answer/formats/sarif.js';
import { type Failure, LightspanError } from '../core/lightspan-error.js';
import { describeWriteFault } from '../read/files/read-file.js';
import type { CommandContext } from './context.js';
import { type ExitCode, exitCodes } from './exit-codes.js';
import type { GateFormat } from './invocation.js';

type PipelineFormat = Exclude<GateFormat, 'text' | 'json'>;

/** GitHub shows 10 annotations per level; one is for the whole answer. */
const mostPlaces = 9;

/** Throws if a file that GitHub names cannot be written: the steps that follow would read missing outputs. */
export async function writeGateAnswer(
  answer: Answer,
  text: () => Promise<string>,
  { format, exitCode }: { readonly format: PipelineFormat; readonly exitCode: ExitCode },
  { stdout, env, randomUuid }: CommandContext,
): Promise<void> {
  if (format === 'junit') stdout.write(renderJunit(answer));
  else if (format === 'markdown') stdout.write(renderMarkdown(answer));
  else if (format === 'sarif') stdout.write(renderSarif(answer, exitCode));
  else {
    // Until the answer has been accepted, the outputs say that there is none. A killed process leaves no yes of an
    // earlier run.
    append('GITHUB_OUTPUT', env, renderOutputs(undefined, exitCodes.unavailable, ''));
    append('GITHUB_STEP_SUMMARY', env, renderMarkdown(answer));
    const annotations = [
      ...answer.places.slice(0, mostPlaces),
      { yes: answer.yes, title: answer.title, message: describeAnswer(answer) },
    ].map(renderAnnotation);
    stdout.write(`${annotations.join('')}${logText(await text())}`);
    await stdout.flush?.();
    append('GITHUB_OUTPUT', env, renderOutputs(answer, exitCode, `lightspan-${randomUuid()}`));
  }
}

/** It never throws, because the failure itself is still to be reported. */
export function writeGateFailure(
  failure: Failure,
  { format, exitCode }: { readonly format: PipelineFormat; readonly exitCode: ExitCode },
  { stdout, env }: CommandContext,
): void {
  if (format === 'junit') stdout.write(renderJunitFailure(failure));
  else if (format === 'markdown') stdout.write(renderMarkdownFailure(failure));
  else if (format === 'sarif') stdout.write(renderSarifFailure(failure, exitCode));
  else {
    stdout.write(renderAnnotation({ yes: false, title: 'lightspan: no answer', message: failure.message }));
    for (const write of [
      () => append('GITHUB_OUTPUT', env, renderOutputs(undefined, exitCode, '')),
      () => append('GITHUB_STEP_SUMMARY', env, renderMarkdownFailure(failure)),
    ]) {
      try {
        write();
      } catch {
        // If it cannot be written, the annotation and the exit code still report it.
      }
    }
  }
}

/** GitHub discards a larger summary of a step. */
const maxSummaryBytes = 1024 * 1024;

/**
 * Appends to the file that GitHub names; if it names none, this is no GitHub job and nothing is done. It is
 * synchronous, so that no signal can come between the last output and the end of the process.
 */
function append(
  name: 'GITHUB_OUTPUT' | 'GITHUB_STEP_SUMMARY',
  env: CommandContext['env'],
  text: string,
): void {
  const path = env[name];
  if (!path) return;
  try {
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (name === 'GITHUB_STEP_SUMMARY' && size + 1 + Buffer.byteLength(text) >= maxSummaryBytes) return;
    // The existing text may end in the middle of a line.
    appendFileSync(path, size === 0 ? text : `\n${text}`);
  } catch (error) {
    throw new LightspanError(
      'unwritable-output',
      `cannot write ${path}, which $${name} names: ${describeWriteFault(error)}`,
      { hint: `Make it writable, or unset ${name}.`, cause: error },
    );
  }
}
