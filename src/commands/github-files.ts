import { appendFileSync, closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { LightspanError } from '../errors.js';
import { describeWriteFault } from '../sources/read-file.js';
import type { CommandContext } from './context.js';

/** GitHub drops the summary of a step that is larger than this. */
const maxSummaryBytes = 1024 * 1024;

/**
 * Appends to `$GITHUB_OUTPUT`; where it is not set, this is no GitHub job and nothing is done. At once: between the
 * last output and the end of the process there is no room for a signal.
 */
export function appendOutputs(text: string, env: CommandContext['env']): void {
  append('GITHUB_OUTPUT', env, () => text);
}

/**
 * Appends to `$GITHUB_STEP_SUMMARY` the first of the texts that still fits beside what others wrote there, if one does.
 */
export function appendSummary(texts: readonly string[], env: CommandContext['env']): void {
  append('GITHUB_STEP_SUMMARY', env, (size) =>
    texts.find((text) => size + 1 + Buffer.byteLength(text) < maxSummaryBytes),
  );
}

/** @param choose what to append to a file of so many bytes */
function append(
  name: 'GITHUB_OUTPUT' | 'GITHUB_STEP_SUMMARY',
  env: CommandContext['env'],
  choose: (size: number) => string | undefined,
): void {
  const path = env[name];
  if (!path) return;
  try {
    const file = openSync(path, 'a+');
    try {
      const { size } = fstatSync(file);
      const text = choose(size);
      if (text === undefined) return;
      const last = Buffer.alloc(1);
      if (size > 0) readSync(file, last, 0, 1, size - 1);
      // What stands there may end in the middle of a line.
      const endsLine = size === 0 || last.toString() === '\n';
      appendFileSync(file, endsLine ? text : `\n${text}`);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw new LightspanError(
      'unwritable-output',
      `cannot write ${path}, which $${name} names: ${describeWriteFault(error)}`,
      { hint: `Make it writable, or unset ${name}.`, cause: error },
    );
  }
}
