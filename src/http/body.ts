import { collectAtMost } from './collect.js';
import { decodeBody } from './content-coding.js';
import { HttpFault } from './fault.js';

/**
 * Reads a body as it is decoded, and no further than `maxBytes` of it: a small one may unfold without end.
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
      hint: '--max-bytes sets how much is read.',
    });
  return collectAtMost(decodeBody(response, isDecoded), maxBytes, tooLarge, onProgress);
}
