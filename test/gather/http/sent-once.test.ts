import { describe, expect, it } from 'vitest';
import type { LightspanError } from '../../../src/core/lightspan-error.js';
import { createHttpClient } from '../../../src/gather/http/client.js';
import { requestOf } from '../../../src/gather/http/request-details.js';
import { serveTcp } from '../../support/server.js';

const body = JSON.stringify({ name: 'żółw', pad: 'x'.repeat(100_000) });

/** A server on a bare socket that reads every request to the last byte of its body, and then answers as told. */
async function countingServer(answer: (tries: number) => string | undefined) {
  const requests: { readonly head: string; readonly bytes: number }[] = [];
  const { port } = await serveTcp((socket) => {
    let received = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      for (;;) {
        const end = received.indexOf('\r\n\r\n');
        if (end === -1) return;
        const head = received.subarray(0, end).toString('latin1');
        const bytes = Number(/^content-length: (\d+)$/im.exec(head)?.[1]);
        expect(head).not.toMatch(/^transfer-encoding:/im);
        if (received.length < end + 4 + bytes) return;
        requests.push({ head, bytes });
        received = received.subarray(end + 4 + bytes);
        const said = answer(requests.length);
        if (said === undefined) socket.destroy();
        else if (said.includes('Connection: close')) socket.end(said);
        else socket.write(said);
      }
    });
  });
  return { url: `http://127.0.0.1:${port}/`, requests };
}

const status = (line: string, headers = '') => `HTTP/1.1 ${line}\r\nContent-Length: 2\r\n${headers}\r\n{}`;

function post(url: string, env = {}) {
  const client = createHttpClient({ env, userAgent: 'test', random: () => 0, sleep: async () => {} });
  return client.request({
    url: new URL(url),
    method: 'POST',
    body,
    timeoutMs: 5000,
    maxBytes: 1000,
    allowHttp: true,
    acceptStatus: () => true,
  });
}

const outcomes: readonly (readonly [string, string | undefined])[] = [
  ['200', status('200 OK')],
  ['421, which fetch answers with the same request', status('421 Misdirected Request')],
  ['408', status('408 Request Timeout', 'Retry-After: 0\r\n')],
  ['429 that says when', status('429 Too Many Requests', 'Retry-After: 0\r\n')],
  ['503 that says when', status('503 Service Unavailable', 'Retry-After: 0\r\n')],
  ['a connection closed behind the body', undefined],
  ['half an answer', 'HTTP/1.1 200 OK\r\nContent-Length: 20\r\nConnection: close\r\n\r\n{}'],
  ['no HTTP', 'hello\r\n\r\n'],
];

describe('a POST goes out once, with all of its bytes', () => {
  it.each(outcomes)('on a new connection, and on one that was used before: %s', async (_, answer) => {
    for (const before of [0, 1]) {
      const { url, requests } = await countingServer((tries) => (tries > before ? answer : status('200 OK')));
      for (let i = 0; i < before; i += 1) await post(url);
      const outcome = await post(url).catch((error: LightspanError) => error);
      const bytes = Buffer.byteLength(body);
      expect(requests.map((request) => request.bytes)).toEqual([bytes, bytes].slice(1 - before));
      expect(requests[0]?.head).toMatch(/^POST \/ HTTP\/1\.1\r\n/);
      expect('tries' in outcome ? outcome.tries : requestOf(outcome)?.attempts?.tries).toBe(1);
    }
  });

  it('through a proxy', async () => {
    const proxy = await countingServer(() => status('421 Misdirected Request'));
    await post('http://lightdash.example.com/', { HTTP_PROXY: proxy.url });
    expect(proxy.requests).toMatchObject([{ bytes: Buffer.byteLength(body) }]);
    expect(proxy.requests[0]?.head).toMatch(/^POST http:\/\/lightdash\.example\.com\/ HTTP\/1\.1\r\n/);
  });
});
