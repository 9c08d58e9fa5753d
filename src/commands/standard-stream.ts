import { fstatSync, writeSync } from 'node:fs';
import { hasErrorCode } from '../sources/local-file.js';
import type { Output } from './context.js';

export interface StandardStream {
  readonly output: Output;
  /** Whether all that was written has been taken, and nothing is on its way. */
  readonly isWritten: () => boolean;
}

/**
 * Standard output or standard error. A pipe or a file, which is what a pipeline gives, is written to at once: the
 * stream that Node makes of it takes up to 3 ms to make. A terminal, and a reader that is behind and does not let us
 * wait, get the stream.
 *
 * @param onFault told of every write that failed, by then or later
 */
export function standardStream(fd: 1 | 2, onFault: () => void): StandardStream {
  let stream: NodeJS.WriteStream | undefined;
  const openStream = () => {
    if (stream === undefined) {
      stream = fd === 1 ? process.stdout : process.stderr;
      stream.on('error', onFault);
    }
    return stream;
  };
  if (!canWriteAtOnce(fd)) return { output: openStream(), isWritten: () => false };
  const output: Output = {
    write: (text) => {
      if (stream !== undefined) return stream.write(text);
      const rest = writeAtOnce(fd, Buffer.from(text), onFault);
      return rest === undefined || openStream().write(rest);
    },
    once: (event, listener) => openStream().once(event, listener),
  };
  return { output, isWritten: () => stream === undefined };
}

/** Colours and widths of a terminal, and Windows's pipes, are left to Node. */
function canWriteAtOnce(fd: number): boolean {
  if (process.platform === 'win32') return false;
  try {
    const stats = fstatSync(fd);
    return stats.isFIFO() || stats.isFile() || stats.isSocket();
  } catch {
    return false;
  }
}

/** @returns what the reader was not ready for */
function writeAtOnce(fd: number, bytes: Buffer, onFault: () => void): Buffer | undefined {
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(fd, bytes, written);
  } catch (error) {
    if (hasErrorCode(error, 'EAGAIN')) return bytes.subarray(written);
    onFault();
  }
  return undefined;
}
