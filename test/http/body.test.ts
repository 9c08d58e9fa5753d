import { describe, expect, it } from 'vitest';
import { readBody } from '../../src/http/body.js';

const encoded = (encoding: string | null, body: ReadableStream | string | null = 'abc') =>
  new Response(body, encoding === null ? {} : { headers: { 'content-encoding': encoding } });
const read = (response: Response, maxBytes = 3) => readBody(response, maxBytes, () => {}, true);

describe('readBody', () => {
  it.each([null, '', 'identity', 'gzip', 'X-GZIP', 'br', 'deflate', 'gzip, br, deflate'])(
    'reads what a fetch that was handed in has decoded from %s',
    async (encoding) => {
      expect(Buffer.from(await read(encoded(encoding))).toString()).toBe('abc');
    },
  );

  it.each([
    ['zstd', 'zstd'],
    ['gzip, zst', 'gzip, zst'],
    ['GZIP,Compress', 'GZIP,Compress'],
    ['gzip, gzip, gzip, gzip', 'gzip, gzip, gzip, gzip'],
  ])('refuses the coding %s, and reads nothing', async (encoding, named) => {
    let cancelled = false;
    const body = new ReadableStream({
      cancel: () => {
        cancelled = true;
      },
    });
    await expect(read(encoded(encoding, body))).rejects.toMatchObject({
      code: 'network',
      message: `the body is encoded as "${named}", which was not requested`,
    });
    expect(cancelled).toBe(true);
  });

  it('refuses what our own fetch has decoded after all: it may have been cut', async () => {
    await expect(readBody(encoded('gzip'), 3, () => {})).rejects.toMatchObject({
      code: 'invalid-response',
      message: 'the body is encoded as "gzip", and may have been cut',
    });
  });

  it('reads no body as an empty one', async () => {
    expect(await read(encoded(null, null))).toHaveLength(0);
  });

  it('stops at the first byte too many, and asks for no more', async () => {
    let pulled = 0;
    let cancelled = false;
    const body = new ReadableStream({
      pull: (controller) => {
        pulled += 1;
        controller.enqueue(new Uint8Array(2));
      },
      cancel: () => {
        cancelled = true;
      },
    });
    const seen: number[] = [];
    await expect(readBody(new Response(body), 5, (bytes) => seen.push(bytes))).rejects.toMatchObject({
      code: 'too-large',
      message: 'the body is larger than 5 bytes',
      hint: expect.stringContaining('--max-bytes'),
    });
    expect({ seen, cancelled }).toEqual({ seen: [2, 4], cancelled: true });
    expect(pulled).toBeLessThan(6);
  });
});
