import { isAscii, isUtf8 } from 'node:buffer';
import { createReadStream, readFileSync, statSync } from 'node:fs';
import { LightspanError } from '../../core/lightspan-error.js';
import { collectAtMost } from '../http/collect.js';
import { mostBytes } from '../limits.js';

/**
 * The bytes of a file, a pipe or a device. A file is read at once, without `node:fs/promises`, because loading that
 * takes longer than reading the index. Anything without a known size, which may have no end, is read as a stream.
 */
export async function readFileAtMost(
  path: string,
  maxBytes: number,
  tooLarge: () => Error,
): Promise<Uint8Array> {
  const stats = statSync(path);
  if (stats.isFile() && stats.size > maxBytes) throw tooLarge();
  // Files in /proc have no size either.
  if (stats.isFile() && stats.size > 0) return readFileSync(path);
  return collectAtMost(createReadStream(path), maxBytes, tooLarge);
}

export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

export function largerThan(what: string, maxBytes: number): LightspanError {
  return new LightspanError('too-large', `${what} is larger than ${maxBytes} bytes`);
}

/** The error for a file that could not be read. A `LightspanError` is returned unchanged. */
export function unreadable(what: string, error: unknown): LightspanError {
  if (error instanceof LightspanError) return error;
  return new LightspanError('unreadable-source', `cannot read ${what}: ${describeFileFault(error)}`, {
    cause: error,
  });
}

const fileFaults: ReadonlyMap<unknown, string> = new Map([
  ['ENOENT', 'there is no such file'],
  ['EISDIR', 'it is a folder, not a file'],
  ['ENOTDIR', 'a part of its path is a file, not a folder'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['EROFS', 'the file system is read-only'],
  ['ELOOP', 'symbolic links form a loop'],
  ['ENOSPC', 'no space is left'],
]);

export function describeFileFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return fileFaults.get('code' in error && error.code) ?? error.message;
}

/** As `describeFileFault`, for a file to be written: if something does not exist, it is its folder. */
export function describeWriteFault(error: unknown): string {
  if (hasErrorCode(error, 'EPIPE')) return 'its reader has gone';
  return hasErrorCode(error, 'ENOENT') ? 'there is no such folder' : describeFileFault(error);
}

export function hasErrorCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

export interface InputRequest {
  readonly source: string;
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly what: string;
}

const maxBytes = mostBytes.input;

export function readInputText({ source, stdin, what }: InputRequest): Promise<string> {
  return source === '-'
    ? readText(`the ${what} on standard input`, (tooLarge) => collectAtMost(stdin, maxBytes, tooLarge))
    : readText(`the ${what} ${source}`, (tooLarge) => readFileAtMost(source, maxBytes, tooLarge));
}

/** The text of a file that will be written again: with its byte order mark, if it has one. */
export function readFileText(file: string): Promise<string> {
  return readText(`the file ${file}`, (tooLarge) => readFileAtMost(file, maxBytes, tooLarge), true);
}

async function readText(
  name: string,
  read: (tooLarge: () => Error) => Promise<Uint8Array>,
  ignoreBOM = false,
): Promise<string> {
  const tooLarge = () => new LightspanError('too-large', `${name} is larger than ${maxBytes} bytes`);
  const bytes = await read(tooLarge).catch((error: unknown) => {
    throw unreadable(name, error);
  });
  try {
    return new TextDecoder('utf-8', { ignoreBOM, fatal: true }).decode(bytes);
  } catch (cause) {
    throw new LightspanError('usage', `${name} is not UTF-8 text`, { cause });
  }
}

/** The text of an index, an artifact or a known issue, without a byte order mark. */
export function decodeUtf8(bytes: Uint8Array, what: string): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isAscii(buffer)) return buffer.toString('latin1');
  if (!isUtf8(buffer)) throw new LightspanError('invalid-json', `${what} is not UTF-8 text`);
  return buffer.toString('utf8').replace(/^\uFEFF/, '');
}
