import { LightspanError } from '../errors.js';
import { describeWriteFault } from '../sources/read-file.js';
import { beginFile, removeLeftovers } from '../sources/write-file.js';
import { printableLines } from '../words/printable.js';
import type { Output } from './context.js';

/** The destination of text that is written piece by piece. Exactly one of `commit` and `abandon` ends it. */
export interface TextSink {
  /** Resolves when there is room for more. */
  readonly write: (text: string) => Promise<void>;
  readonly commit: () => Promise<void>;
  readonly abandon: () => Promise<void>;
}

/** Writes a file completely, or leaves it as it was. */
export async function writeWhole(
  path: string,
  text: string,
  options?: Parameters<typeof fileSink>[1],
): Promise<void> {
  const sink = await fileSink(path, options);
  try {
    await sink.write(text);
    await sink.commit();
  } catch (error) {
    await sink.abandon();
    throw error;
  }
}

/**
 * Standard output. For a terminal, control characters are made visible; a file or a program receives them unchanged.
 */
export function outputSink(stdout: Output): TextSink {
  return {
    write: async (text) => {
      stdout.write(stdout.isTTY === true ? printableLines(text) : text);
      // Otherwise a large result would pile up in memory if the reader is slow, and be fetched for one that has gone.
      await stdout.flush?.();
    },
    commit: async () => {},
    abandon: async () => {},
  };
}

/** For text that is kept elsewhere. */
export const noSink: TextSink = {
  write: async () => {},
  commit: async () => {},
  abandon: async () => {},
};

/**
 * A file that appears complete or not at all, as `beginFile` writes it.
 *
 * @param before runs right before the file takes its place; `commit` throws its error
 * @throws {LightspanError} `unwritable-output`, before anything else is done if it can be known
 */
export async function fileSink(
  path: string,
  { before }: { readonly before?: () => Promise<void> } = {},
): Promise<TextSink> {
  try {
    const file = beginFile(path);
    removeLeftovers(file.folder, Date.now());
    return {
      write: (text) => guarded(() => file.write(text)),
      commit: () =>
        guarded(async () => {
          await file.sync();
          await before?.();
          file.commit();
        }),
      abandon: async () => file.abandon(),
    };
  } catch (error) {
    throw unwritable(error);
  }

  async function guarded(act: () => void | Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      throw unwritable(error);
    }
  }

  function unwritable(error: unknown): LightspanError {
    if (error instanceof LightspanError) return error;
    return new LightspanError('unwritable-output', `cannot write ${path}: ${describeWriteFault(error)}`, {
      cause: error,
    });
  }
}
