import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { brotliCompressSync, createGzip, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { LightspanError } from '../../../src/core/lightspan-error.js';
import {
  createHttpClient,
  type HttpRequest,
  type HttpResponse,
  type HttpWorld,
} from '../../../src/gather/http/client.js';
import { waysToTrust } from '../../../src/gather/http/fault.js';
import { requestOf } from '../../../src/gather/http/request-details.js';
import { closedPort, serve, serveTcp, serveTls } from '../../support/server.js';

/** A client that does not really wait between tries, and remembers how long it would have. */
function clientOf(world: Partial<HttpWorld> = {}) {
  const pauses: number[] = [];
  const client = createHttpClient({
    env: {},
    userAgent: 'lightspan/test',
    random: () => 0,
    sleep: async (ms) => {
      pauses.push(ms);
    },
    ...world,
  });
  const get = (url: string, request: Partial<HttpRequest> = {}): Promise<HttpResponse> =>
    client.request({
      url: new URL(url),
      timeoutMs: 20_000,
      maxBytes: 1_000_000,
      allowHttp: false,
      ...request,
    });
  return { get, pauses };
}

/** The error a request ends with, for its parts to be looked at. */
async function errorOf(promise: Promise<unknown>): Promise<LightspanError> {
  return promise.then(
    () => expect.fail('an answer came'),
    (error) => error,
  );
}

const textOf = ({ body }: HttpResponse) => Buffer.from(body).toString();

/** A redirect from every address, or from all but one, where there is an answer. */
const to =
  (location: string, there?: string, status = 302): RequestListener =>
  (request, response) =>
    request.url === there ? response.end('there') : response.writeHead(status, { location }).end();

describe('a request', () => {
  it('says who asks and which encodings it reads, and brings the body', async () => {
    const { url, requests } = await serve((_, response) => response.end('index'));
    const response = await clientOf().get(`${url}/a?b=c`);
    expect(textOf(response)).toBe('index');
    expect(response).toMatchObject({ status: 200, tries: 1, url: new URL(`${url}/a?b=c`) });
    expect(requests).toMatchObject([
      {
        method: 'GET',
        url: '/a?b=c',
        headers: { 'user-agent': 'lightspan/test', 'accept-encoding': 'gzip, br' },
      },
    ]);
  });

  it.each<[string, (text: string) => Buffer | string]>([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['gzip, br', (text) => brotliCompressSync(gzipSync(text))],
    ['unheard-of', (text) => text],
    ['gzip, gzip, gzip, gzip, gzip, gzip', (text) => text],
  ])('reads a body in %s', async (coding, encode) => {
    const { url } = await serve((_, response) =>
      response.setHeader('content-encoding', coding).end(encode('index')),
    );
    expect(textOf(await clientOf().get(url))).toBe('index');
  });

  it('sends the password of a URL as a header', async () => {
    const { url, requests } = await serve((_, response) => response.end());
    await clientOf().get(url.replace('//', '//user:secret@'));
    expect(requests[0]?.headers.authorization).toBe(`Basic ${btoa('user:secret')}`);
  });

  it('that is aborted ends with the reason', async () => {
    const { url } = await serve(() => controller.abort(new Error('stop')));
    const controller = new AbortController();
    await expect(clientOf().get(url, { signal: controller.signal })).rejects.toThrow('stop');
  });
});

describe('what a server may do wrong', () => {
  const endless: RequestListener = (_, response) => {
    const gzip = createGzip();
    gzip.pipe(response.setHeader('content-encoding', 'gzip'));
    const zeros = Buffer.alloc(1_000_000);
    const more = () => {
      while (!response.destroyed && gzip.write(zeros));
    };
    response.on('close', () => gzip.destroy());
    gzip.on('drain', more).on('error', () => {});
    more();
  };

  const closed = 'other side closed (ECONNRESET)';
  const status =
    (code: number): RequestListener =>
    (_, response) =>
      response.writeHead(code).end();
  const tooLarge = 'the body is larger than 1000000 bytes';
  const badGzip: RequestListener = (_, response) =>
    response.setHeader('content-encoding', 'gzip').end('not gzip');
  it.each<[LightspanError['code'], string, RequestListener, asked?: number]>([
    ['http-status', 'HTTP 404 Not Found', status(404)],
    ['http-status', 'HTTP 204 No Content', status(204)],
    ['http-status', 'HTTP 500 Internal Server Error', status(500), 4],
    ['http-status', 'HTTP 304 Not Modified', status(304)],
    ['http-status', 'HTTP 302 Found', status(302)],
    ['http-status', 'HTTP 302, a redirect, not followed: its location is not a URL', to('http://[')],
    [
      'http-status',
      'HTTP 302, a redirect to http://<host>/xxxxxx, not followed: it is the 6th in a row',
      (request, response) => to(`${request.url}x`)(request, response),
      6,
    ],
    [
      'http-status',
      'HTTP 302, a redirect to http://example.org/i?…, not followed: plain http can be read and changed by anyone in between',
      to('http://example.org/i?sig=secret'),
    ],
    [
      'http-status',
      'HTTP 302, a redirect to file:///etc/passwd, not followed: it is neither https nor http',
      to('file:///etc/passwd'),
    ],
    ['network', closed, (request) => request.socket.destroy(), 4],
    [
      'network',
      closed,
      (_, r) => r.writeHead(200, { 'content-length': 10 }).write('short', () => r.destroy()),
      4,
    ],
    ['network', 'read ECONNRESET', (request) => request.socket.resetAndDestroy(), 4],
    ['network', 'incorrect header check (Z_DATA_ERROR)', badGzip],
    ['too-large', tooLarge, (_, r) => r.end(Buffer.alloc(1_000_001))],
    ['too-large', tooLarge, endless],
  ])('%s: %s', async (code, said, listener, asked = 1) => {
    const { url, requests } = await serve(listener);
    const error = await errorOf(clientOf().get(`${url.replace('//', '//user:secret@')}/`));
    expect(error).toMatchObject({ name: 'LightspanError', code });
    expect(error.message).not.toContain('secret');
    // What is said again at every poll tells of what happened alone.
    const { summary } = error;
    const { tries, elapsedMs } = requestOf(error)?.attempts ?? { tries: 0, elapsedMs: Number.NaN };
    expect(summary.replaceAll(new URL(url).host, '<host>')).toBe(`GET http://<host>/: ${said}`);
    // To follow a redirect is no other try.
    expect(tries).toBe(asked === 6 ? 1 : asked);
    expect(error.message).toBe(
      `${summary}, after ${(elapsedMs / 1000).toFixed(1)} s and ${tries} ${tries === 1 ? 'try' : 'tries'}`,
    );
    expect(requests).toHaveLength(asked);
  });

  it('reads a body of exactly as much as is allowed', async () => {
    const { url } = await serve((_, response) => response.end(Buffer.alloc(1_000_000)));
    expect((await clientOf().get(url)).body).toHaveLength(1_000_000);
  });

  it('a host that does not exist', async () => {
    expect(await errorOf(clientOf().get('https://lightspan.invalid/i'))).toMatchObject({
      code: 'network',
      message: expect.stringMatching(/^GET https:\/\/lightspan\.invalid\/i: .*(ENOTFOUND|EAI_AGAIN)/),
      hint: expect.stringContaining('host name'),
    });
  });

  it('a port where nobody listens', async () => {
    const { get, pauses } = clientOf();
    expect(await errorOf(get(`http://127.0.0.1:${await closedPort()}/`))).toMatchObject({
      code: 'network',
      message: expect.stringMatching(/ECONNREFUSED.* 4 tries$/),
    });
    expect(pauses).toEqual([200, 400, 800]);
  });

  it('a certificate that nothing trusts', async () => {
    const { url, requests } = await serveTls((_, response) => response.end());
    const error = await errorOf(clientOf().get(url));
    expect(error).toMatchObject({
      code: 'network',
      message: expect.stringMatching(/self-signed certificate\b.*1 try$/),
      hint: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
    });
    expect(requests).toEqual([]);
  });

  it.each([
    ['asked', false],
    ['that a redirect leads to', true],
  ])('https %s is refused where the environment trusts every certificate', async (_, viaRedirect) => {
    const tls = await serveTls((_, response) => response.end('{}'));
    const first = await serve((_, response) => response.writeHead(302, { location: tls.url }).end());
    const { get } = clientOf({ env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } });
    expect(await errorOf(get(viaRedirect ? first.url : tls.url))).toMatchObject({
      code: 'usage',
      message: expect.stringContaining(
        'NODE_TLS_REJECT_UNAUTHORIZED=0 lets anyone in between answer instead',
      ),
      hint: `Unset it. To trust a certificate authority: ${waysToTrust}.`,
    });
    expect(tls.requests).toEqual([]);
  });

  it('plain http to loopback is requested', async () => {
    const { url } = await serve((_, response) => response.end('there'));
    const { get } = clientOf({ env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } });
    expect(textOf(await get(url))).toBe('there');
  });

  it('https where plain http is spoken', async () => {
    const { port } = await serve((_, response) => response.end());
    const error = await errorOf(clientOf().get(`https://127.0.0.1:${port}/`));
    expect(error).toMatchObject({
      code: 'network',
      message: expect.stringMatching(/: \S.*wrong version number.*1 try$/),
    });
    expect(error.message).not.toMatch(/\n/);
  });

  it.each([
    ['220 smtp.example.org ESMTP\r\n', /Parse|invalid|Expected HTTP/i],
    ['HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', /Content-Length/i],
  ])('%j', async (bytes, message) => {
    const { port } = await serveTcp((socket) => socket.once('data', () => socket.end(bytes)));
    const error = await errorOf(clientOf().get(`http://127.0.0.1:${port}/`));
    expect(error).toMatchObject({ code: 'network', message: expect.stringMatching(message) });
  });

  it('plain http beyond loopback is not requested', async () => {
    const { get, pauses } = clientOf({ fetch: () => expect.fail('it was asked') });
    expect(await errorOf(get('http://u:secret@example.org/i'))).toMatchObject({
      code: 'usage',
      message: expect.stringMatching(/^http:\/\/example\.org\/i is not contacted: plain http/),
      hint: expect.stringContaining('--allow-http'),
    });
    expect(pauses).toEqual([]);
  });
});

describe('a time limit', () => {
  const silent = (socket: Socket) => socket.resume();

  it.each<[string, (socket: Socket) => void, string]>([
    ['TLS that is never agreed', silent, 'https'],
    ['a request that is never answered', silent, 'http'],
    [
      'a body that comes byte by byte',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n');
        const drip = setInterval(() => socket.write('x'), 20);
        socket.on('data', () => {}).on('close', () => clearInterval(drip));
      },
      'http',
    ],
  ])('%s', async (_, onConnection, scheme) => {
    const { port } = await serveTcp(onConnection);
    const error = await errorOf(clientOf().get(`${scheme}://127.0.0.1:${port}/`, { timeoutMs: 500 }));
    expect(error).toMatchObject({
      code: 'timeout',
      message: expect.stringMatching(/: no complete answer within 0\.5 s, after .* 1 try$/),
      hint: '--timeout sets how long to wait.',
    });
  });

  it('with what the last try met', async () => {
    let tries = 0;
    const { url } = await serve((request) => {
      tries += 1;
      if (tries === 1) request.socket.destroy();
    });
    const error = await errorOf(clientOf().get(url, { timeoutMs: 500 }));
    expect(error.message).toMatch(
      /no complete answer within 0\.5 s; the last try: other side closed .* 2 tries$/,
    );
  });

  it('over all tries and pauses together', async () => {
    const { url, requests } = await serve((_, response) =>
      response.writeHead(503, { 'retry-after': '60' }).end(),
    );
    const { get, pauses } = clientOf();
    expect(await errorOf(get(url))).toMatchObject({
      code: 'http-status',
      message: expect.stringMatching(/HTTP 503 Service Unavailable \(Retry-After: 60\), .* 1 try$/),
    });
    expect({ asked: requests.length, pauses }).toEqual({ asked: 1, pauses: [] });
  });

  it('what a try has taken is gone for the next', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'hrtime'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    let tries = 0;
    const fetch = async (_: unknown, { signal }: RequestInit = {}) => {
      tries += 1;
      if (tries > 1)
        return new Promise<never>((_, fail) => signal?.addEventListener('abort', () => fail(signal.reason)));
      await new Promise((done) => setTimeout(done, 3000));
      return new Response(null, { status: 503 });
    };
    const error = errorOf(clientOf({ fetch }).get('https://example.org/', { timeoutMs: 5000 }));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(requestOf(await error)?.attempts).toEqual({ tries: 2, elapsedMs: 5000 });
  });

  it('a limit that no timer can hold is the longest that one can', async () => {
    const { url } = await serve((_, response) => response.end('there'));
    expect(textOf(await clientOf().get(url, { timeoutMs: 30 * 86_400_000 }))).toBe('there');
  });
});

describe('tries', () => {
  const failing = (times: number, status: number, headers = {}): RequestListener => {
    let left = times;
    return (_, response) => {
      left -= 1;
      response.writeHead(left < 0 ? 200 : status, left < 0 ? {} : headers).end('body');
    };
  };

  it.each([
    ['three failures', 3, 500, {}, [200, 400, 800]],
    ['Retry-After', 2, 429, { 'retry-after': '3' }, [3000, 3000]],
  ])('a GET gets over %s', async (_, times, status, headers, expected) => {
    const { url } = await serve(failing(times, status, headers));
    const { get, pauses } = clientOf();
    expect(await get(url)).toMatchObject({ status: 200, tries: times + 1 });
    expect(pauses).toEqual(expected);
  });

  it.each([0, 1])('a request is made again %d times where no more are allowed', async (retries) => {
    const { url, requests } = await serve(failing(9, 503));
    await errorOf(clientOf().get(url, { retries }));
    expect(requests).toHaveLength(retries + 1);
  });

  it('a status that is accepted is still tried again, and then given', async () => {
    const { url, requests } = await serve((_, response) => response.writeHead(503).end('{"error":1}'));
    const response = await clientOf().get(url, { acceptStatus: () => true });
    expect(response).toMatchObject({ status: 503, tries: 4 });
    expect(textOf(response)).toBe('{"error":1}');
    expect(requests).toHaveLength(4);
  });
});

describe('redirects', () => {
  const secret = { secretHeaders: { Authorization: 'ApiKey secret', Cookie: 'a=b' } };

  it('are followed, five at most', async () => {
    const { url } = await serve((request, response) => to(`${request.url}x`, '/xxxxx')(request, response));
    const response = await clientOf().get(`${url}/`);
    expect(textOf(response)).toBe('there');
    expect(response).toMatchObject({ url: new URL(`${url}/xxxxx`), tries: 1 });
  });

  it('carry secrets within their origin', async () => {
    const { url, requests } = await serve(to('/b', '/b'));
    await clientOf().get(`${url}/a`, secret);
    expect(requests.map(({ headers }) => headers.authorization)).toEqual(['ApiKey secret', 'ApiKey secret']);
  });

  it('carry no secrets to another origin, nor back from it', async () => {
    const other = await serve((...asked) => to(`${origin.url}/back`)(...asked));
    const origin = await serve(to(other.url, '/back'));
    await clientOf().get(`${origin.url}/a`, secret);
    const asked = [...origin.requests, ...other.requests];
    expect(asked.map(({ url, headers }) => [url, headers.authorization, headers.cookie])).toEqual([
      ['/a', 'ApiKey secret', 'a=b'],
      ['/back', undefined, undefined],
      ['/', undefined, undefined],
    ]);
  });

  it('do not put a password from a location into the request', async () => {
    const { url, requests } = await serve((...asked) =>
      to(`${url.replace('//', '//u:p@')}/b`, '/b')(...asked),
    );
    await clientOf().get(`${url}/a`);
    expect(requests.at(-1)).toMatchObject({ url: '/b' });
    expect(requests.at(-1)?.headers.authorization).toBeUndefined();
  });

  it.each([[['https://example.org/i']], [['http://example.org/h', 'https://example.org/i']]])(
    'never lead from https to http, even where http is allowed: %j',
    async (way) => {
      const asked: string[] = [];
      const { get } = clientOf({
        fetch: async (url) => {
          asked.push(String(url));
          const location = way[asked.length] ?? 'http://example.org/i';
          return new Response(null, { status: 302, headers: { location } });
        },
      });
      expect(await errorOf(get(way[0] ?? '', { allowHttp: true }))).toMatchObject({
        code: 'http-status',
        message: expect.stringMatching(/not followed: it leads from https to http/),
      });
      expect(asked).toEqual(way);
    },
  );

  it('carry no secrets to another scheme of the same host', async () => {
    const asked: unknown[] = [];
    const { get } = clientOf({
      fetch: async (url, request) => {
        asked.push([String(url), new Headers(request?.headers).get('authorization')]);
        return asked.length > 1
          ? new Response('there')
          : new Response(null, { status: 308, headers: { location: 'https://example.org/i' } });
      },
    });
    await get('http://example.org/i', { ...secret, allowHttp: true });
    expect(asked).toEqual([
      ['http://example.org/i', 'ApiKey secret'],
      ['https://example.org/i', null],
    ]);
  });

  it.each([301, 303, 307, 308])('%i is one', async (status) => {
    const { url } = await serve(to('/b', '/b', status));
    expect(textOf(await clientOf().get(`${url}/a`))).toBe('there');
  });

  it('of a POST are refused', async () => {
    const { url, requests } = await serve((_, response) => response.writeHead(307, { location: '/b' }).end());
    expect(await errorOf(clientOf().get(url, { method: 'POST', body: '{}' }))).toMatchObject({
      code: 'http-status',
      summary: `POST ${url}/: HTTP 307, a redirect to ${url}/b, not followed: this request must reach the address it was given`,
      details: { mayHaveArrived: false },
    });
    expect(requests).toHaveLength(1);
  });
});
