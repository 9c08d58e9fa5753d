import { LightspanError } from '../errors.js';
import { collectAtMost } from '../http/collect.js';
import { readFileAtMost, unreadable } from './read-file.js';

export interface InputRequest {
  /** A file, or `-` for standard input. */
  readonly source: string;
  readonly stdin: AsyncIterable<Uint8Array>;
  /** The name of the input in messages, such as `merge file`. */
  readonly what: string;
}

/** Nobody writes a larger input. */
const maxBytes = 16 * 1024 * 1024;

/**
 * Text from the operator, at most 16 MiB.
 *
 * @throws {LightspanError} `unreadable-source` or `too-large`; `usage` if it is not text
 */
export async function readInputText({ source, stdin, what }: InputRequest): Promise<string> {
  return source === '-'
    ? decode(`the ${what} on standard input`, (tooLarge) => collectAtMost(stdin, maxBytes, tooLarge))
    : decode(`the ${what} ${source}`, (tooLarge) => readFileAtMost(source, maxBytes, tooLarge));
}

/** The text of a file that will be written again: with its byte order mark, if it has one. */
export async function readFileText(file: string): Promise<string> {
  return decode(`the file ${file}`, (tooLarge) => readFileAtMost(file, maxBytes, tooLarge), {
    ignoreBOM: true,
  });
}

async function decode(
  name: string,
  read: (tooLarge: () => Error) => Promise<Uint8Array>,
  { ignoreBOM = false } = {},
): Promise<string> {
  const tooLarge = () => new LightspanError('too-large', `${name} is larger than ${maxBytes} bytes`);
  let bytes: Uint8Array;
  try {
    bytes = await read(tooLarge);
  } catch (error) {
    throw unreadable(name, error);
  }
  try {
    return new TextDecoder('utf-8', { ignoreBOM, fatal: true }).decode(bytes);
  } catch (error) {
    const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
    throw new LightspanError('usage', `${name} is not UTF-8 text${isUtf16 ? ', but UTF-16' : ''}`, {
      cause: error,
      ...(isUtf16
        ? { hint: 'Save it as UTF-8: Windows PowerShell writes UTF-16 with >, PowerShell 7 and cmd do not.' }
        : {}),
    });
  }
}
