import { describe, expect, it } from 'vitest';
import { createHttpClient } from '../../../src/gather/http/client.js';
import { isInNoProxyRange } from '../../../src/gather/http/proxy.js';
import { serve, serveProxy, serveTcp, serveTls } from '../../support/server.js';

/** Through a proxy goes only what leaves this machine: this address leads back to it, and is not known to. */
const away = (url: string) => url.replace('127.0.0.1', '0.0.0.0');

const get = (
  env: Record<string, string>,
  url: string,
  secretHeaders: Record<string, string> = {},
  timeoutMs = 10_000,
) =>
  createHttpClient({ env, userAgent: 'lightspan/test', sleep: async () => {} }).request({
    url: new URL(url),
    secretHeaders,
    timeoutMs,
    maxBytes: 1000,
    allowHttp: true,
  });

describe('a proxy that the environment names', () => {
  it.each(['HTTP_PROXY', 'http_proxy'])('%s carries plain http, as plain http', async (name) => {
    const target = await serve((_, response) => response.end('there'));
    const proxy = await serveProxy();
    const { body } = await get({ [name]: proxy.url }, away(`${target.url}/a?b`));
    expect(Buffer.from(body).toString()).toBe('there');
    expect(proxy.asked).toEqual([`GET ${away(target.url)}/a?b`]);
    expect(target.requests).toHaveLength(1);
  });

  it.each(['HTTPS_PROXY', 'https_proxy'])('%s carries https, through a tunnel', async (name) => {
    const target = await serveTls((_, response) => response.end());
    const proxy = await serveProxy();
    await expect(get({ [name]: proxy.url }, away(target.url))).rejects.toThrow(/self-signed certificate/);
    expect(proxy.asked).toEqual([`CONNECT 0.0.0.0:${target.port}`]);
  });

  it.each([
    ['127.0.0.1', ''],
    ['localhost', ''],
    ['localhost', '.example.org'],
  ])('is not asked for this machine: http://%s, NO_PROXY=%s', async (host, NO_PROXY) => {
    const target = await serve((_, response) => response.end('there'));
    const proxy = await serveProxy();
    const url = target.url.replace('127.0.0.1', host);
    const { body } = await get({ HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url, NO_PROXY }, url, {
      Authorization: 'ApiKey secret',
    });
    expect(Buffer.from(body).toString()).toBe('there');
    expect(target.requests[0]?.headers.authorization).toBe('ApiKey secret');
    expect(proxy.asked).toEqual([]);
  });

  it.each([
    ['0.0.0.0/8', true],
    ['example.org, 0.0.0.0/32', true],
    ['0.0.0.0/0', true],
    ['10.0.0.0/8', false],
    ['0.0.0.1/32', false],
    ['0.0.0.0/33', false],
    ['0.0.0.0/', false],
    ['0.0.0.0/x', false],
    ['::/0', false],
  ])('is not asked for an address in a range of NO_PROXY: %s, %j', async (NO_PROXY, isDirect) => {
    const target = await serve((_, response) => response.end('there'));
    const proxy = await serveProxy();
    const secret = { 'Proxy-Authorization': 'Bearer secret' };
    const { body } = await get({ HTTP_PROXY: proxy.url, NO_PROXY }, away(target.url), secret);
    expect(Buffer.from(body).toString()).toBe('there');
    expect(proxy.asked).toHaveLength(isDirect ? 0 : 1);
    expect(target.requests[0]?.headers['proxy-authorization']).toBeUndefined();
  });

  it.each([
    ['[fd00::1]', 'fd00::/8', true],
    ['[fe80::1]', 'fd00::/8', false],
    ['inner.example.org', '0.0.0.0/0', false],
  ])('%s with NO_PROXY=%s: in a range, %j', (host, NO_PROXY, isIn) => {
    expect(isInNoProxyRange({ NO_PROXY }, host)).toBe(isIn);
  });

  it('is not used for loopback: https', async () => {
    const target = await serveTls((_, response) => response.end());
    const proxy = await serveProxy();
    await expect(get({ HTTPS_PROXY: proxy.url }, target.url)).rejects.toThrow(/self-signed certificate/);
    expect(proxy.asked).toEqual([]);
  });

  it('is not used for loopback: after a redirect to it', async () => {
    const target = await serve((_, response) => response.end('there'));
    const first = await serve((_, response) => response.writeHead(302, { location: target.url }).end());
    const proxy = await serveProxy();
    const { body } = await get({ HTTP_PROXY: proxy.url }, away(first.url));
    expect(Buffer.from(body).toString()).toBe('there');
    expect(proxy.asked).toEqual([`GET ${away(first.url)}/`]);
  });

  it.each([
    ['NO_PROXY', '0.0.0.0'],
    ['no_proxy', 'example.org, 0.0.0.0'],
    ['NO_PROXY', '*'],
  ])('%s=%s goes past it', async (name, value) => {
    const target = await serve((_, response) => response.end());
    const proxy = await serveProxy();
    await get({ HTTP_PROXY: proxy.url, [name]: value }, away(target.url));
    expect(proxy.asked).toEqual([]);
  });

  it.each(['end', 'destroy', 'resetAndDestroy'] as const)(
    'is told at once where it closes instead of opening a tunnel, and is not asked without end: %s',
    async (close) => {
      let connections = 0;
      const proxy = await serveTcp((socket) => {
        connections += 1;
        socket.once('data', () => socket[close]());
      });
      const HTTPS_PROXY = `http://127.0.0.1:${proxy.port}`;
      await expect(get({ HTTPS_PROXY }, 'https://example.org/')).rejects.toMatchObject({
        code: 'network',
        message: expect.stringMatching(
          close === 'resetAndDestroy'
            ? /ECONNRESET.* and 4 tries$/
            : /: the proxy closed the connection instead of opening a tunnel \(ECONNRESET\), .* and 4 tries$/,
        ),
      });
      await new Promise((done) => setTimeout(done, 50));
      expect(connections).toBe(4);
    },
  );

  it('gets the Proxy-Authorization, and the target does not', async () => {
    const target = await serve((_, response) => response.end());
    const proxy = await serveProxy();
    await get({ HTTP_PROXY: proxy.url }, away(target.url), { 'Proxy-Authorization': 'Basic secret' });
    expect(proxy.authorizations).toEqual(['Basic secret']);
    expect(target.requests[0]?.headers['proxy-authorization']).toBeUndefined();
  });

  it('gets the token of each request alone, where two clients go through it at once', async () => {
    const target = await serve((_, response) => response.end());
    const proxy = await serveProxy();
    const [one, other] = ['Basic one', 'Bearer other'];
    for (const tokens of [
      [one, other],
      [other, one, undefined],
    ]) {
      await Promise.all(
        tokens.map((token) =>
          get(
            { HTTP_PROXY: proxy.url },
            away(target.url),
            token === undefined ? {} : { 'Proxy-Authorization': token },
          ),
        ),
      );
    }
    const count = (token?: string) => proxy.authorizations.filter((found) => found === token).length;
    expect([count(one), count(other), count(undefined)]).toEqual([2, 2, 1]);
  });

  it('that is not there is a network error', async () => {
    const target = await serve((_, response) => response.end());
    await expect(get({ HTTP_PROXY: 'http://127.0.0.1:1' }, away(target.url))).rejects.toMatchObject({
      code: 'network',
      message: expect.stringContaining('ECONNREFUSED'),
    });
    expect(target.requests).toEqual([]);
  });

  it.each([
    ['407 Proxy Authentication Required', 'HTTPS_PROXY=http://<user>:<password>@<host>:<port>'],
    ['403 Forbidden', 'lightspan index mirror'],
  ])('that refuses the tunnel says so: %s', async (status, hint) => {
    const { port } = await serveTcp((socket) =>
      socket.once('data', () => socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\n\r\n`)),
    );
    await expect(
      get({ HTTPS_PROXY: `http://u:secret@127.0.0.1:${port}` }, 'https://example.org/'),
    ).rejects.toMatchObject({
      code: 'network',
      message: expect.stringMatching(
        new RegExp(`^GET https://example\\.org/: Proxy response \\(${status.slice(0, 3)}\\) .*, .* 1 try$`),
      ),
      hint: expect.stringContaining(hint),
    });
  });

  it('that never opens the tunnel runs out of time', async () => {
    const { port } = await serveTcp((socket) => socket.resume());
    await expect(
      get({ HTTPS_PROXY: `http://127.0.0.1:${port}` }, 'https://example.org/', {}, 500),
    ).rejects.toMatchObject({
      code: 'timeout',
      message: expect.stringContaining('no complete answer within 0.5 s'),
    });
  });

  it.each(['localhost', 'u:p@127.0.0.1'])('may be named without http:// before it: %s', async (name) => {
    const target = await serve((_, response) => response.end('there'));
    const proxy = await serveProxy();
    const HTTP_PROXY = `${name}:${new URL(proxy.url).port}`;
    const { body } = await get({ HTTP_PROXY }, away(target.url));
    expect(Buffer.from(body).toString()).toBe('there');
    expect(proxy.asked).toEqual([`GET ${away(target.url)}/`]);
    expect(proxy.authorizations).toEqual([name === 'localhost' ? undefined : `Basic ${btoa('u:p')}`]);
  });

  it.each([
    'http://u:secret@[',
    'u:secret@[',
    'socks5://u:secret@127.0.0.1:1080',
    'http://u:secret@',
    'http:x',
    'http://u:secret%@127.0.0.1:3128',
    'http://%ff:secret@127.0.0.1:3128',
    'http://wpad.example.org/secret.pac',
    'http://127.0.0.1:3128/?secret',
    'http://127.0.0.1:3128/#secret',
  ])('that is no address of one is a usage error, which shows no password: %s', async (HTTPS_PROXY) => {
    const failure = await get({ HTTPS_PROXY }, 'https://example.org/').catch((error) => error);
    expect(failure).toMatchObject({ code: 'usage', message: expect.stringContaining('HTTPS_PROXY') });
    expect(failure.message + failure.hint).not.toContain('secret');
  });
});
