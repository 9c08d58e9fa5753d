import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createClient, LightspanError } from '../../../src/library/index.js';
import {
  type Answer,
  errorPayload,
  sendJson,
  startLightdash,
  token,
} from '../../support/lightdash-server.js';

const bareCredential = 'sesame-0123456789';

/** What a server sends back of what it was sent, behind so many characters. */
type Echo = (before: string, secret: string) => Answer;

const padded = (before: string, secret: string) => `${before}${secret}${'.'.repeat(3000)}`;

/** Each place that is cut somewhere, and where. */
const places: readonly (readonly [place: string, cutAt: number, echo: Echo])[] = [
  ['the name of an error', 100, (before, secret) => sendJson(errorPayload(403, padded(before, secret)), 403)],
  ['its message', 2000, (before, secret) => sendJson(errorPayload(403, 'X', padded(before, secret)), 403)],
  ['its data', 1000, (before, secret) => sendJson(errorPayload(403, 'X', 'm', padded(before, secret)), 403)],
  [
    'a key of its data',
    1000,
    (before, secret) => sendJson(errorPayload(403, 'X', 'm', { [padded(before, secret)]: 1 }), 403),
  ],
  ['another status', 60, (before, secret) => sendJson({ status: padded(before, secret), results: [] })],
];

/** No more of a secret than anybody would write by chance. */
function expectNone(thrown: unknown, secret: string, what: string): void {
  expect(thrown, what).toBeInstanceOf(LightspanError);
  const { message, response, hint } = Object(thrown);
  // With what is behind it, such as the bytes that came.
  const shown = JSON.stringify([
    message,
    response,
    hint,
    inspect(thrown, { depth: 9, maxStringLength: 9999 }),
  ]);
  for (let length = 5; length <= secret.length; length += 1) {
    expect(shown, `${what}: its first ${length} characters`).not.toContain(secret.slice(0, length));
    expect(shown, `${what}: its last ${length} characters`).not.toContain(secret.slice(-length));
  }
}

describe('a secret that a server sends back', () => {
  it.each(
    places.flatMap(([place, cutAt, echo]) =>
      [token, bareCredential].map((secret) => [place, secret, cutAt, echo] as const),
    ),
  )('in %s is not shown, wherever it is cut: %s', async (_, secret, cutAt, echo) => {
    let before = 0;
    const { url } = await startLightdash((response) => {
      const answer = echo('-'.repeat(before), secret);
      if (typeof answer === 'function') answer(response, { method: '', url: '', headers: {}, body: '' });
    });
    const client = createClient({ url, token, proxyAuthorization: bareCredential });
    for (before = Math.max(0, cutAt - secret.length - 12); before <= cutAt + 3; before += 1) {
      const thrown: unknown = await client.listUsers().catch((error: unknown) => error);
      expectNone(thrown, secret, `behind ${before} characters`);
    }
  });

  const odd = 'sesam8part?en#with@every,sign';
  it.each<[string, Answer]>([
    ['the path of a redirect', (r) => r.writeHead(302, { location: `/x/${odd}` }).end()],
    ['the query of a redirect', (r) => r.writeHead(302, { location: `/x?q=${odd}` }).end()],
    [
      'the path of a redirect, encoded',
      (r) => r.writeHead(302, { location: `/${encodeURIComponent(odd)}` }).end(),
    ],
    ['the host of a redirect', (r) => r.writeHead(302, { location: `https://${odd}/` }).end()],
    ['the reason of a status', (r) => r.writeHead(403, `No ${odd}`).end()],
    ['what is no HTTP', (r) => r.socket?.end(`HTTP/1.1 ${odd}\r\n\r\n`)],
    ['Retry-After', (r) => r.writeHead(403, { 'retry-after': odd }).end()],
    ['the coding of a body', (r) => r.writeHead(200, { 'content-encoding': odd.toUpperCase() }).end('x')],
    [
      'the coding of a body, as it is',
      (r) => r.writeHead(200, { 'content-encoding': `gzip, ${odd}` }).end('x'),
    ],
  ])('in %s is not shown', async (what, answer) => {
    const { url } = await startLightdash(answer);
    const secret = what === 'the coding of a body' ? odd.toUpperCase() : odd;
    const client = createClient({ url, token: secret });
    expectNone(await client.listUsers().catch((error: unknown) => error), secret, what);
  });

  it.each([
    ['a bare credential', bareCredential, bareCredential],
    ['a credential behind its scheme', `Bearer ${bareCredential}`, bareCredential],
    ['a password in base64', `Basic ${btoa('user:hunter22-hunter22')}`, 'hunter22-hunter22'],
  ])('of a proxy is not shown: %s', async (_, proxyAuthorization, secret) => {
    const { url } = await startLightdash(sendJson(errorPayload(403, 'X', `Not ${secret}`), 403));
    const thrown: unknown = await createClient({ url, token, proxyAuthorization })
      .listUsers()
      .catch((error: unknown) => error);
    expectNone(thrown, secret, 'its message');
  });

  it('of an address with a password is not shown', async () => {
    const { createHttpClient } = await import('../../../src/gather/http/client.js');
    const { url } = await startLightdash((r) => r.writeHead(401, 'No hunter22-hunter22 here').end());
    const address = new URL(url.replace('//', '//user:hunter22-hunter22@'));
    const thrown: unknown = await createHttpClient({ env: {}, userAgent: 'test' })
      .request({ url: address, timeoutMs: 5000, maxBytes: 1000, allowHttp: false })
      .catch((error: unknown) => error);
    expectNone(thrown, 'hunter22-hunter22', 'the reason of a status');
  });
});
