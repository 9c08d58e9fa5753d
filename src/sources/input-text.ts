import { createReadStream } from 'node:fs';
import { LightspanError } from '../errors.js';

export interface InputRequest {
  /** A file, or `-` for standard input. */
  readonly source: string;
  readonly stdin: AsyncIterable<Uint8Array>;
  /** How messages name what is read, such as `merge file`. */
  readonly what: string;
}

/** A larger input than this was not written as one. */
const maxBytes = 16 * 1024 * 1024;

/**
 * Text that the operator hands in, no further than 16 MiB of it.
 *
 * @throws {LightspanError} `unreadable-source` or `too-large`; `usage` for what is no text
 */
export async function readInputText({ source, stdin, what }: InputRequest): Promise<string> {
  const name = source === '-' ? `the ${what} on standard input` : `the ${what} ${source}`;
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of source === '-' ? stdin : createReadStream(source)) {
      size += chunk.byteLength;
      if (size > maxBytes) throw new LightspanError('too-large', `${name} is larger than ${maxBytes} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof LightspanError) throw error;
    throw new LightspanError('unreadable-source', `cannot read ${name}: ${describeFault(error)}`, {
      cause: error,
    });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks, size));
  } catch (error) {
    throw new LightspanError('usage', `${name} is not UTF-8 text`, { cause: error });
  }
}

function describeFault(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EISDIR') return 'it is a folder, not a file';
  if (code === 'EACCES') return 'it may not be read (permission denied)';
  return error instanceof Error ? error.message : String(error);
}
