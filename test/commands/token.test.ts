import { describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { envOf, startLightdash, token } from '../support/lightdash-server.js';
import { serveTcp } from '../support/server.js';

const users = {
  status: 'ok',
  results: [{ email: 'a@example.com', role: 'orders', orders: 'the orders_id' }],
};
const ask = async (env: Record<string, string>, ...flags: string[]) => {
  const server = await startLightdash(users);
  const outcome = await runCli(['org', 'users', ...flags], { env: { ...envOf(server), ...env } });
  return { ...outcome, sent: server.received.map(({ headers }) => headers.authorization) };
};

describe('the token', () => {
  it.each([
    ['ApiKey', 'Bearer', `Bearer ${token}`],
    ['ApiKey', 'Bearer', `apikey   ${token}\n`],
    ['Bearer', 'ApiKey', `Bearer ${token}`],
  ])('sent as %s is refused with a scheme in front of it, and not repeated', async (scheme, other, value) => {
    const env = { LIGHTDASH_AUTH_SCHEME: scheme, LIGHTDASH_API_KEY: value };
    const { code, stderr, sent } = await ask(env);
    expect({ code, sent }).toEqual({ code: 2, sent: [] });
    expect(stderr).toContain(`LIGHTDASH_API_KEY: "${value.split(' ')[0]}" stands before the token`);
    expect(stderr).toContain(`LIGHTDASH_AUTH_SCHEME=${other}`);
    expect(stderr).not.toContain(token.slice(-6));
  });

  it.each([
    ['Bearer', `Bearer ${token}`],
    ['ApiKey', `ApiKey ${token}`],
    ['', `ApiKey ${token}`],
  ])('LIGHTDASH_AUTH_SCHEME=%s sends it so', async (LIGHTDASH_AUTH_SCHEME, header) => {
    expect(await ask({ LIGHTDASH_AUTH_SCHEME })).toMatchObject({ code: 0, stderr: '', sent: [header] });
  });

  const ofService = 'ldsvc_0123456789abcdef';
  it.each([
    [ofService, '', [], `Bearer ${ofService}`],
    [ofService, 'ApiKey', [], `ApiKey ${ofService}`],
    [ofService, '', ['--auth', 'apikey'], `ApiKey ${ofService}`],
    [token, '', ['--auth', 'bearer'], `Bearer ${token}`],
    [token, 'ApiKey', ['--auth', 'bearer'], `Bearer ${token}`],
    [`x${ofService}`, '', [], `ApiKey x${ofService}`],
  ])(
    '%s with LIGHTDASH_AUTH_SCHEME=%s and %j is sent by its kind, unless told otherwise',
    async (LIGHTDASH_API_KEY, LIGHTDASH_AUTH_SCHEME, flags, header) => {
      const env = { LIGHTDASH_API_KEY, LIGHTDASH_AUTH_SCHEME };
      expect(await ask(env, ...flags)).toMatchObject({ code: 0, stderr: '', sent: [header] });
    },
  );

  it('another scheme is refused', async () => {
    const { code, stderr, sent } = await ask({ LIGHTDASH_AUTH_SCHEME: 'Basic' });
    expect({ code, sent }).toEqual({ code: 2, sent: [] });
    expect(stderr).toContain('LIGHTDASH_AUTH_SCHEME is "Basic", but must be ApiKey or Bearer');
  });

  it('that is a common word leaves the data that it is a part of', async () => {
    const { stdout } = await ask({ LIGHTDASH_API_KEY: 'orders' }, '--json');
    expect(stdout).toContain('"role":"[redacted]","[redacted]":"the orders_id"');
  });
});

it('a proxy that asks who this is gets its hint, also where it is in front of the instance', async () => {
  const { port } = await serveTcp((socket) =>
    socket.once('data', () =>
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n'),
    ),
  );
  const proxy = `http://127.0.0.1:${port}`;
  const direct = await runCli(['org', 'users'], { env: envOf({ url: proxy }) });
  const env = { ...envOf({ url: 'http://lightdash.example.com' }), HTTP_PROXY: proxy };
  const beside = await runCli(['org', 'users', '--allow-http'], { env });
  for (const { code, stderr } of [direct, beside]) {
    expect(code).toBe(3);
    expect(stderr).toMatch(
      /HTTP 407 Proxy Authentication Required, after .* 1 try\n.*LIGHTDASH_PROXY_AUTHORIZATION/,
    );
  }
});
