import { PassThrough, pipeline, Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { collectAtMost } from './collect.js';
import { HttpFault } from './fault.js';

/**
 * Reads a body while it is decoded, at most `maxBytes` of it: a small one may expand without end.
 *
 * @param isDecoded see `decodeBody`
 */
export async function readBody(
  response: Response,
  maxBytes: number,
  onProgress: (bytes: number) => void,
  isDecoded = false,
): Promise<Uint8Array> {
  const tooLarge = () =>
    new HttpFault('too-large', `the body is larger than ${maxBytes} bytes`, {
      hint: '--max-bytes raises this limit.',
    });
  return collectAtMost(decodeBody(response, isDecoded), maxBytes, tooLarge, onProgress);
}

/** The header for the coding of a body that is hidden from fetch. */
const keptHeader = 'lightspan-content-encoding';

/**
 * Keeps fetch from decoding a body. fetch decodes as much of a truncated body as there is, and does not report that the
 * end, with the checksum, is missing. So the body is decoded here, and fetch must not know that it is coded.
 *
 * @param raw names and values of the headers, alternating, as they came
 */
export function keepEncoded(raw: unknown[]): void {
  for (let i = 0; i < raw.length; i += 2) {
    if (String(raw[i]).toLowerCase() === 'content-encoding') raw[i] = Buffer.from(keptHeader);
  }
}

/** Whether fetch has decoded a body after all: Node does not guarantee that hiding the coding works. */
export function wasDecodedByFetch({ headers }: Pick<Response, 'headers'>): boolean {
  return headers.get(keptHeader) === null && !/^(?:identity)?$/i.test(headers.get('content-encoding') ?? '');
}

/**
 * A body before coding, complete or not at all.
 *
 * @param isDecoded whether a coding that fetch saw has been undone in full, which the provider of that fetch guarantees
 * @throws {HttpFault} `network` for a coding that was not requested, `invalid-response` for an incomplete body
 */
async function* decodeBody(
  { headers, body }: Pick<Response, 'headers' | 'body'>,
  isDecoded: boolean,
): AsyncGenerator<Uint8Array> {
  const kept = headers.get(keptHeader);
  const coding = kept ?? headers.get('content-encoding') ?? '';
  const stages = coding.split(',').map((name) => decoders.get(name.trim().toLowerCase()));
  if (stages.includes(undefined) || stages.length > mostCodings) {
    await body?.cancel();
    throw new HttpFault('network', `the body is encoded as "${coding}", which was not requested`);
  }
  const undoing = stages.filter((stage) => stage !== undefined && stage !== asItIs);
  if (body === null) return;
  if (kept === null || undoing.length === 0) {
    if (undoing.length > 0 && !isDecoded) {
      await body.cancel();
      throw new HttpFault('invalid-response', `the body is encoded as "${coding}", and may have been cut`);
    }
    yield* body;
    return;
  }

  let sourceFailed = false;
  const source = async function* () {
    try {
      yield* body;
    } catch (error) {
      sourceFailed = true;
      throw error;
    }
  };
  let decoded: Readable = Readable.from(source());
  // What was applied last is undone first.
  for (const stage of undoing.reverse()) {
    if (stage !== undefined) decoded = pipeline(decoded, stage(), () => {});
  }
  try {
    yield* decoded;
  } catch (error) {
    if (sourceFailed) throw error;
    const what = error instanceof Error ? error.message : String(error);
    throw new HttpFault(
      'invalid-response',
      `the body is encoded as "${coding}", and is damaged or cut: ${what}`,
      {
        cause: error,
      },
    );
  }
}

const asItIs = () => new PassThrough();

const decoders: ReadonlyMap<string, () => Transform> = new Map([
  ['', asItIs],
  ['identity', asItIs],
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  ['deflate', () => createInflate()],
  ['br', () => createBrotliDecompress()],
]);

/** Each coding may expand its input a thousand times. */
const mostCodings = 3;
