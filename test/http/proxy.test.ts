import { describe, expect, it } from 'vitest';
import { createHttpClient, timeoutsWithin } from '../../src/http/client.js';
import { serve, serveProxy, serveTcp, serveTls } from '../support/server.js';

const get = (
  env: Record<string, string>,
  url: string,
  secretHeaders: Record<string, string> = {},
  timeouts = timeoutsWithin(10_000),
) =>
  createHttpClient({ env, userAgent: 'lightspan/test', sleep: async () => {} }).request({
    url: new URL(url),
    secretHeaders,
    timeouts,
    maxBytes: 1000,
    allowHttp: false,
  });

describe('a proxy that the environment names', () => {
  it.each(['HTTP_PROXY', 'http_proxy'])('%s carries plain http, as plain http', async (name) => {
    const target = await serve((_, response) => response.end('there'));
    const proxy = await serveProxy();
    const { body } = await get({ [name]: proxy.url }, `${target.url}/a?b`);
    expect(Buffer.from(body).toString()).toBe('there');
    expect(proxy.asked).toEqual([`GET ${target.url}/a?b`]);
    expect(target.requests).toHaveLength(1);
  });

  it.each(['HTTPS_PROXY', 'https_proxy'])('%s carries https, through a tunnel', async (name) => {
    const target = await serveTls((_, response) => response.end());
    const proxy = await serveProxy();
    await expect(get({ [name]: proxy.url }, target.url)).rejects.toThrow(/self-signed certificate/);
    expect(proxy.asked).toEqual([`CONNECT 127.0.0.1:${target.port}`]);
  });

  it.each([
    ['NO_PROXY', '127.0.0.1'],
    ['no_proxy', 'example.org, 127.0.0.1'],
    ['NO_PROXY', '*'],
  ])('%s=%s goes past it', async (name, value) => {
    const target = await serve((_, response) => response.end());
    const proxy = await serveProxy();
    await get({ HTTP_PROXY: proxy.url, [name]: value }, target.url);
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
        message: expect.stringMatching(/ECONNRESET.* and 4 tries$/),
      });
      await new Promise((done) => setTimeout(done, 50));
      expect(connections).toBe(4);
    },
  );

  it('gets the Proxy-Authorization, and the target does not', async () => {
    const target = await serve((_, response) => response.end());
    const proxy = await serveProxy();
    await get({ HTTP_PROXY: proxy.url }, target.url, { 'Proxy-Authorization': 'Basic secret' });
    expect(proxy.authorizations).toEqual(['Basic secret']);
    expect(target.requests[0]?.headers['proxy-authorization']).toBeUndefined();
  });

  it('that is not there is a network error', async () => {
    const target = await serve((_, response) => response.end());
    await expect(get({ HTTP_PROXY: 'http://127.0.0.1:1' }, target.url)).rejects.toMatchObject({
      code: 'network',
      message: expect.stringContaining('ECONNREFUSED'),
    });
    expect(target.requests).toEqual([]);
  });

  it('that refuses the tunnel says so', async () => {
    const { port } = await serveTcp((socket) =>
      socket.once('data', () =>
        socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n'),
      ),
    );
    await expect(
      get({ HTTPS_PROXY: `http://127.0.0.1:${port}` }, 'https://example.org/'),
    ).rejects.toMatchObject({
      code: 'network',
      message: expect.stringContaining('407'),
    });
  });

  it('that never opens the tunnel runs out of time', async () => {
    const { port } = await serveTcp((socket) => socket.resume());
    const timeouts = { connectMs: 200, headersMs: 5000, totalMs: 5000 };
    await expect(
      get({ HTTPS_PROXY: `http://127.0.0.1:${port}` }, 'https://example.org/', {}, timeouts),
    ).rejects.toMatchObject({
      code: 'timeout',
      message: expect.stringContaining('no connection within 0.2 s'),
    });
  });

  it('that is no URL is a usage error, which shows no password', async () => {
    const failure = await get({ HTTPS_PROXY: 'http://u:secret@[' }, 'https://example.org/').catch(
      (error) => error,
    );
    expect(failure).toMatchObject({ code: 'usage', message: expect.stringContaining('HTTPS_PROXY') });
    expect(failure.message).not.toContain('secret');
  });
});
