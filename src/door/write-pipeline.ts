import { appendFileSync, statSync } from 'node:fs';
import type { Answer } from '../answer/answer.js';
import type { TextOptions } from '../answer/formats/format.js';
import { loadFormat, type WrittenFormat } from '../answer/formats/registry.js';
import { type Failure, LightspanError } from '../core/lightspan-error.js';
import { describeWriteFault } from '../gather/files/read-file.js';
import type { CommandContext } from './context.js';
import type { ExitCode } from './exit-codes.js';

interface Run {
  readonly format: WrittenFormat;
  readonly exitCode: ExitCode;
}

/** Throws if a file that the job names cannot be written: the steps that follow would read missing outputs. */
export async function writeGateAnswer(
  answer: Answer,
  text: TextOptions,
  { format, exitCode }: Run,
  { stdout, env, randomUuid }: CommandContext,
): Promise<void> {
  const { write, files } = await loadFormat(format);
  appendAll(files?.before(answer), env);
  stdout.write(write(answer, { exitCode, text }));
  if (files === undefined) return;
  await stdout.flush?.();
  appendAll(files.after(answer, exitCode, `lightspan-${randomUuid()}`), env);
}

/** It never throws, because the failure itself is still to be reported. */
export async function writeGateFailure(
  failure: Failure,
  { format, exitCode }: Run,
  { stdout, env }: CommandContext,
): Promise<void> {
  const { writeFailure, files } = await loadFormat(format);
  stdout.write(writeFailure(failure, exitCode));
  for (const [name, text] of Object.entries(files?.failed(failure, exitCode) ?? {})) {
    try {
      append(name, env, text);
    } catch {
      // If it cannot be written, the annotation and the exit code still report it.
    }
  }
}

function appendAll(texts: Readonly<Record<string, string>> = {}, env: CommandContext['env']): void {
  for (const [name, text] of Object.entries(texts)) append(name, env, text);
}

/** GitHub discards a larger summary of a step. */
const maxSummaryBytes = 1024 * 1024;

/**
 * Appends to the file that the environment names; if it names none, this is no such job and nothing is done. It is
 * synchronous, so that no signal can come between the last output and the end of the process.
 */
function append(name: string, env: CommandContext['env'], text: string): void {
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
