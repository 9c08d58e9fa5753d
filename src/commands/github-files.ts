import { appendFileSync, closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { LightspanError } from '../errors.js';
import { describeWriteFault } from '../sources/read-file.js';
import type { CommandContext } from './context.js';

/** GitHub discards a larger summary of a step. */
const maxSummaryBytes = 1024 * 1024;

/**
 * Appends to `$GITHUB_OUTPUT`; if that is not set, this is no GitHub job and nothing is done. It is synchronous, so
 * that no signal can come between the last output and the end of the process.
 */
export function appendOutputs(text: string, env: CommandContext['env']): void {
  append('GITHUB_OUTPUT', env, () => text);
}

/** Appends the first of the texts that still fits to `$GITHUB_STEP_SUMMARY`, next to what others wrote, if one does. */
export function appendSummary(texts: readonly string[], env: CommandContext['env']): void {
  append('GITHUB_STEP_SUMMARY', env, (size) =>
    texts.find((text) => size + 1 + Buffer.byteLength(text) < maxSummaryBytes),
  );
}

/** @param choose what to append to a file of this many bytes */
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
      // The existing text may end in the middle of a line.
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
