import { readFile } from 'node:fs/promises';
import { LightspanError } from '../errors.js';
import { ReleaseSafetyError } from '../release-safety/errors.js';
import type { ReleaseSafetyIndex } from '../release-safety/index-schema.js';
import { parseReleaseSafetyIndexText } from '../release-safety/parse-index.js';
import { describeFileFault, hasErrorCode } from './local-file.js';
import { decodeUtf8 } from './utf8.js';

/** The publisher's own index, on the main branch of its repository. */
export const publicIndexUrl =
  'https://raw.githubusercontent.com/lightdash/lightdash/main/release-safety-index.json';

export interface IndexRequest {
  /** A URL, a file, a mirror folder, or `-` for standard input. */
  readonly source: string;
  /** Bounds the whole of a fetch. */
  readonly timeoutMs: number;
  readonly stdin: AsyncIterable<Uint8Array>;
  /** Read for the proxy to go through. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userAgent: string;
}

/** An index, and the bytes it was read from. */
export interface LoadedIndex {
  readonly source: string;
  readonly index: ReleaseSafetyIndex;
  readonly bytes: Uint8Array;
}

/** A larger body than this is no index: the real one has 1 MB. */
const maxBytes = 64 * 1024 * 1024;

/**
 * Reads the index from where the operator has it.
 *
 * @throws {LightspanError} where it cannot be had
 * @throws {ReleaseSafetyError} where it cannot be trusted; the message names the source
 */
export async function loadIndex(request: IndexRequest): Promise<LoadedIndex> {
  const { source } = request;
  const bytes = await readSource(request);
  try {
    return { source, index: parseReleaseSafetyIndexText(decodeUtf8(bytes, 'the index')), bytes };
  } catch (error) {
    if (!(error instanceof ReleaseSafetyError)) throw error;
    throw new ReleaseSafetyError(error.code, `${describeSource(source)}: ${error.message}`, error.hint);
  }
}

/** The source as messages name it. */
export function describeSource(source: string): string {
  return source === '-' ? 'standard input' : source;
}

async function readSource({ source, timeoutMs, stdin, env, userAgent }: IndexRequest): Promise<Uint8Array> {
  if (source === '-') return readStream(stdin);
  const url = asUrl(source);
  if (url === undefined) return readLocalFile(source);
  const { createHttpClient, timeoutsWithin } = await import('../http/client.js');
  const { body } = await createHttpClient({ env, userAgent }).request({
    url,
    timeouts: timeoutsWithin(timeoutMs),
    maxBytes,
    allowHttp: false,
  });
  return body;
}

function asUrl(source: string): URL | undefined {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(source)) return undefined;
  const url = URL.canParse(source) ? new URL(source) : undefined;
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url;
  throw new LightspanError('usage', `${source} is not a URL that an index can be fetched from`, {
    hint: '--index takes an http or https URL, a file, a mirror folder, or - for standard input.',
  });
}

/** A folder is a mirror. */
async function readLocalFile(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    if (hasErrorCode(error, 'EISDIR')) return readMirroredIndex(path);
    throw new LightspanError(
      'unreadable-source',
      `cannot read the index ${path}: ${describeFileFault(error)}`,
      {
        cause: error,
      },
    );
  }
}

async function readMirroredIndex(folder: string): Promise<Uint8Array> {
  const { indexPath, openMirror } = await import('./mirror.js');
  const mirror = await openMirror(folder);
  const bytes = await mirror.read(indexPath);
  if (bytes === undefined) throw new LightspanError('unreadable-source', `${folder} holds no ${indexPath}`);
  return bytes;
}

async function readStream(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.byteLength;
    if (size > maxBytes) {
      throw new LightspanError('too-large', `the index on standard input is larger than ${maxBytes} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}
