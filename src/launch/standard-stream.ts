import { fstatSync, statSync, writeSync } from 'node:fs';
import { LightspanError } from '../core/lightspan-error.js';
import type { Output } from '../door/context.js';
import { describeWriteFault, hasErrorCode } from '../gather/files/read-file.js';

export interface StandardStream extends Output {
  readonly flush: () => Promise<void>;
  /** Whether everything so far was written synchronously, so that nothing is lost if the process ends now. */
  readonly isWritten: () => boolean;
}

/**
 * Standard output or standard error. A pipe, a file or /dev/null, as in a pipeline, is written synchronously, because
 * creating Node's stream for it takes up to 3 ms. A terminal, and a reader that is slow and would block, use the
 * stream.
 *
 * @param onFault called for every write that failed, immediately or later
 */
export function standardStream(fd: 1 | 2, onFault: () => void): StandardStream {
  let stream: NodeJS.WriteStream | undefined;
  let fault: unknown;
  let lastWrite: Promise<void> = Promise.resolve();
  const noteFault = (error: unknown) => {
    fault ??= error;
    onFault();
  };
  const openStream = () => {
    if (stream === undefined) {
      stream = fd === 1 ? process.stdout : process.stderr;
      stream.on('error', noteFault);
    }
    return stream;
  };
  if (!canWriteAtOnce(fd)) openStream();
  return {
    write: (text) => {
      const rest = stream === undefined ? writeAtOnce(fd, Buffer.from(text), noteFault) : text;
      if (rest === undefined) return;
      const out = openStream();
      lastWrite = new Promise((done) => {
        out.write(rest, (error) => {
          if (error) noteFault(error);
          done();
        });
      });
    },
    flush: async () => {
      // Of several writes, the last is accepted last. An empty write after it would tell nothing: Bun accepts that first.
      await lastWrite;
      if (fault === undefined) return;
      throw new LightspanError(
        'unwritable-output',
        `cannot write standard ${fd === 1 ? 'output' : 'error'}: ${describeWriteFault(fault)}`,
        { cause: fault },
      );
    },
    isWritten: () => stream === undefined && fault === undefined,
    get isTTY() {
      return stream?.isTTY === true;
    },
    get columns() {
      return stream?.columns ?? 80;
    },
  };
}

/** Node handles terminals and other devices, and pipes on Windows. */
function canWriteAtOnce(fd: number): boolean {
  if (process.platform === 'win32') return false;
  try {
    const stats = fstatSync(fd);
    return stats.isFIFO() || stats.isFile() || stats.isSocket() || stats.rdev === statSync('/dev/null').rdev;
  } catch {
    return false;
  }
}

/** @returns the bytes that the reader did not accept yet */
function writeAtOnce(fd: number, bytes: Buffer, onFault: (error: unknown) => void): Buffer | undefined {
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(fd, bytes, written);
  } catch (error) {
    if (hasErrorCode(error, 'EAGAIN')) return bytes.subarray(written);
    onFault(error);
  }
  return undefined;
}
