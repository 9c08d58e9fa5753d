import { collectAtMost } from './collect.js';
import { HttpFault } from './fault.js';

/** fetch undoes these on its own, and passes any other through as it came. */
const knownEncodings: ReadonlySet<string> = new Set(['', 'identity', 'gzip', 'x-gzip', 'deflate', 'br']);

/** Reads a body as it is decoded, and no further than `maxBytes` of it: a small one may unfold without end. */
export async function readBody(
  response: Response,
  maxBytes: number,
  onProgress: (bytes: number) => void,
): Promise<Uint8Array> {
  const encodings = (response.headers.get('content-encoding') ?? '').toLowerCase().split(',');
  const unknown = encodings
    .map((encoding) => encoding.trim())
    .find((encoding) => !knownEncodings.has(encoding));
  if (unknown !== undefined) {
    await response.body?.cancel();
    throw new HttpFault('network', `the body is encoded as "${unknown}", which was not asked for`);
  }
  const tooLarge = () =>
    new HttpFault('too-large', `the body is larger than ${maxBytes} bytes`, {
      hint: '--max-bytes sets how much is read.',
    });
  if (response.body === null) return new Uint8Array();
  const length = response.headers.get('content-length');
  if (length !== null && encodings.join('') === '' && Number(length) <= maxBytes) {
    // fetch holds the body to its length, and hands it over at once in half the time.
    return new Uint8Array(await response.arrayBuffer());
  }
  return collectAtMost(response.body, maxBytes, tooLarge, onProgress);
}
