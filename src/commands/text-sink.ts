import { LightspanError } from '../errors.js';
import { printableLines } from '../render/printable.js';
import { describeWriteFault } from '../sources/local-file.js';
import type { Output } from './context.js';
import { markTemporary } from './temporary-files.js';

/** Where text goes that is written piece by piece. Exactly one of `commit` and `abandon` ends it. */
export interface TextSink {
  /** Resolves when there is room for more. */
  readonly write: (text: string) => Promise<void>;
  readonly commit: () => Promise<void>;
  readonly abandon: () => Promise<void>;
}

/** Standard output. A terminal obeys control characters, and a file or a program is to have them as they are. */
export function outputSink(stdout: Output): TextSink {
  return {
    write: async (text) => {
      const written = stdout.write(stdout.isTTY === true ? printableLines(text) : text);
      if (written === false) await roomIn(stdout);
    },
    commit: async () => {},
    abandon: async () => {},
  };
}

/** Kept, for what must be whole before any of it is shown. */
export function memorySink(): TextSink & { readonly text: () => string } {
  const parts: string[] = [];
  return {
    write: async (text) => {
      parts.push(text);
    },
    commit: async () => {},
    abandon: async () => {},
    text: () => parts.join(''),
  };
}

/** A full pipe takes more when its reader has read; without this a large result would pile up in memory. */
async function roomIn(stdout: Output): Promise<void> {
  await new Promise<void>((resume) => {
    if (stdout.once === undefined) return resume();
    stdout.once('drain', resume);
    stdout.once('close', resume);
  });
}

/**
 * A file that appears whole or not at all: what is written goes into a temporary file beside it, which `commit` renames.
 * The file that it replaces hands on its permissions.
 *
 * @throws {LightspanError} `unwritable-output`, before anything else is done where it can be known
 */
export async function fileSink(path: string): Promise<TextSink> {
  const { open, realpath, rename, rm, stat } = await import('node:fs/promises');
  const { basename, dirname, join } = await import('node:path');
  const { randomUUID } = await import('node:crypto');
  try {
    const existing = await stat(path).catch(() => undefined);
    if (existing !== undefined && !existing.isFile())
      throw new Error('it is not a file that can be replaced');
    // A link stays a link, and what it points to is replaced.
    const target = existing === undefined ? path : await realpath(path);
    const temporary = join(dirname(target), `.${basename(target)}.${randomUUID()}.tmp`);
    const mark = markTemporary(temporary);
    const file = await open(temporary, 'wx');
    return {
      // Unlike `write`, it goes on until all of it is written, or fails.
      write: (text) => guarded(() => file.appendFile(text)),
      commit: () =>
        guarded(async () => {
          if (existing !== undefined) await file.chmod(existing.mode);
          await file.sync();
          await file.close();
          await rename(temporary, target);
          mark.done();
        }),
      abandon: async () => {
        await file.close().catch(() => {});
        await rm(temporary, { force: true });
        mark.done();
      },
    };
  } catch (error) {
    throw unwritable(error);
  }

  async function guarded(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      throw unwritable(error);
    }
  }

  function unwritable(error: unknown): LightspanError {
    return new LightspanError('unwritable-output', `cannot write ${path}: ${describeWriteFault(error)}`, {
      cause: error,
    });
  }
}
