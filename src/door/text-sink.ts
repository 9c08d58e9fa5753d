import { mkdir } from 'node:fs/promises';
import { LightspanError } from '../core/lightspan-error.js';
import { printableLines } from '../core/text/printable.js';
import { describeWriteFault } from '../gather/files/read-file.js';
import { openNewFile, removeLeftovers, withLock } from '../gather/files/write-file.js';
import type { Output } from './context.js';

export interface TextSink {
  /** Resolves when there is room for more. */
  readonly write: (text: string) => Promise<void>;
}

/** A file that appears complete or not at all. */
export interface FileSink extends TextSink {
  /** @param before runs right before the file takes its place; its error leaves what was there */
  readonly commit: (before?: () => Promise<void>) => Promise<void>;
}

/** Makes a folder, and those above it, for files that are written into it. */
export async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true }).catch((cause: unknown) => {
    const message = `cannot make ${folder}: ${describeWriteFault(cause)}`;
    throw new LightspanError('unwritable-output', message, { cause });
  });
}

export async function writeWhole(path: string, text: string, before?: () => Promise<void>): Promise<void> {
  await withFile(path, async (file) => {
    await file.write(text);
    await file.commit(before);
  });
}

/**
 * As `writeWhole`, for a file that exists, and only while no other process of this program does the same.
 *
 * @returns false if another process does: then nothing is written
 */
export async function replaceWhole(
  path: string,
  text: string,
  before: () => Promise<void>,
): Promise<boolean> {
  return withFile(path, async (file) => {
    await file.write(text);
    return withLock(path, () => file.commit(before));
  });
}

/** Begins a file as `openNewFile` does, and removes what `use` has not committed. */
export async function withFile<T>(path: string, use: (file: FileSink) => Promise<T>): Promise<T> {
  const guarded = async <R>(act: () => R | Promise<R>): Promise<R> => {
    try {
      return await act();
    } catch (error) {
      if (error instanceof LightspanError) throw error;
      const fault = describeWriteFault(error);
      throw new LightspanError('unwritable-output', `cannot write ${path}: ${fault}`, { cause: error });
    }
  };
  const file = await guarded(() => openNewFile(path));
  try {
    removeLeftovers(file.folder, Date.now());
    return await use({
      write: (text) => guarded(() => file.write(text)),
      commit: (before) =>
        guarded(async () => {
          await file.sync();
          await before?.();
          file.commit();
        }),
    });
  } finally {
    file.abandon();
  }
}

/** Standard output. For a terminal alone, control characters are made visible. */
export function outputSink(stdout: Output): TextSink {
  return {
    write: async (text) => {
      stdout.write(stdout.isTTY === true ? printableLines(text) : text);
      // Otherwise a large result would pile up in memory if the reader is slow, and be fetched for one that has gone.
      await stdout.flush?.();
    },
  };
}
