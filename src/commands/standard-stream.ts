import { fstatSync, writeSync } from 'node:fs';
import { LightspanError } from '../errors.js';
import { describeWriteFault, hasErrorCode } from '../sources/read-file.js';
import type { Output } from './context.js';

/**
 * Standard output or standard error. A pipe, a file or /dev/null, which is what a pipeline gives, is written to at
 * once: the stream that Node makes of it takes up to 3 ms to make. A terminal, and a reader that is behind and does not
 * let us wait, get the stream.
 *
 * @param onFault told of every write that failed, by then or later
 */
export function standardStream(fd: 1 | 2, onFault: () => void): Output {
  let stream: NodeJS.WriteStream | undefined;
  let fault: unknown;
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
      if (rest !== undefined) openStream().write(rest);
    },
    flush: async () => {
      // What is written last is taken last.
      if (stream !== undefined) await new Promise((taken) => stream?.write('', taken));
      if (fault === undefined) return;
      throw new LightspanError(
        'unwritable-output',
        `cannot write standard ${fd === 1 ? 'output' : 'error'}: ${describeWriteFault(fault)}`,
        { cause: fault },
      );
    },
    get isTTY() {
      return stream?.isTTY === true;
    },
    get columns() {
      return stream?.columns ?? 80;
    },
  };
}

/** Colours and widths of a terminal, and Windows's pipes, are left to Node. */
function canWriteAtOnce(fd: number): boolean {
  if (process.platform === 'win32') return false;
  try {
    const stats = fstatSync(fd);
    // Such as /dev/null. What tells a terminal takes milliseconds to load, and is loaded for one.
    const isDevice = stats.isCharacterDevice() && !process.getBuiltinModule('node:tty').isatty(fd);
    return stats.isFIFO() || stats.isFile() || stats.isSocket() || isDevice;
  } catch {
    return false;
  }
}

/** @returns what the reader was not ready for */
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
