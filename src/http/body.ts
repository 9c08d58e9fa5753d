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
  return response.body === null
    ? new Uint8Array()
    : collectAtMost(response.body, maxBytes, tooLarge, onProgress);
}
