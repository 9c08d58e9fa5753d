import { describe, expect, it } from 'vitest';
import { readBody } from '../../src/http/body.js';

const encoded = (encoding: string | null, body: ReadableStream | string | null = 'abc') =>
  new Response(body, encoding === null ? {} : { headers: { 'content-encoding': encoding } });
const read = (response: Response, maxBytes = 3) => readBody(response, maxBytes, () => {});

describe('readBody', () => {
  it.each([null, '', 'identity', 'gzip', 'X-GZIP', 'br', 'deflate', 'gzip, br'])(
    'reads what fetch has decoded from %s',
    async (encoding) => {
      expect(Buffer.from(await read(encoded(encoding))).toString()).toBe('abc');
    },
  );

  it.each([
    ['zstd', 'zstd'],
    ['gzip, zst', 'zst'],
    ['GZIP,Compress', 'compress'],
  ])('refuses the coding %s, and reads nothing', async (encoding, named) => {
    let cancelled = false;
    const body = new ReadableStream({
      cancel: () => {
        cancelled = true;
      },
    });
    await expect(read(encoded(encoding, body))).rejects.toMatchObject({
      code: 'network',
      message: `the body is encoded as "${named}", which was not asked for`,
    });
    expect(cancelled).toBe(true);
  });

  it('reads no body as an empty one', async () => {
    expect(await read(encoded(null, null))).toEqual(new Uint8Array());
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
