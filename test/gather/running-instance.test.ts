import { describe, expect, it } from 'vitest';
import { readInstanceState } from '../../src/gather/running-instance.js';
import {
  before,
  body,
  healthy,
  html,
  json,
  kept,
  type Moment,
  missing,
  ok,
  saying,
  serving,
  startInstance,
} from '../support/instance-server.js';
import { serve } from '../support/server.js';

async function stateOf(moment: Moment) {
  const { url } = await startInstance(moment);
  const instance = new URL(url);
  const request = { instance, env: {}, timeoutMs: 5000, allowHttp: false };
  const state = await readInstanceState(request);
  return 'message' in state ? { ...state, message: state.message.replaceAll(url, '') } : state;
}

const notReady = (status: number, reason: string | undefined, probe = 'readyz') => ({
  ...{ kind: 'not-ready', status, probe },
  ...(reason === undefined ? {} : { reason }),
});
const says = (status: number, answer: unknown): Moment => ({ readyz: json(status, answer) });

describe('the version header', () => {
  /** `/` answers a redirect to the address; what is asked there names 1.156.0. */
  const redirecting = async (to: (url: string) => string, health: Moment['health'] = '1.155.0') => {
    const server = await serve((request, response) => {
      if (request.url === '/api/v1/readyz') return ok(response);
      if (request.url === '/api/v1/health') {
        return json(200, { status: 'ok', results: { version: health } })(response);
      }
      if (request.url === '/') return response.writeHead(302, { location: to(server.url) }).end();
      if (request.url === '/login') response.setHeader('Lightdash-Version', '1.156.0');
      if (request.url === '/loop') response.writeHead(302, { location: '/loop' });
      response.end();
    });
    const instance = new URL(server.url);
    const request = { instance, env: {}, timeoutMs: 5000, allowHttp: false };
    return { state: await readInstanceState(request), requests: server.requests };
  };

  it('is read behind redirects', async () => {
    const { state, requests } = await redirecting(() => '/login');
    expect(state).toEqual({ kind: 'ready', version: '1.156.0', probe: 'readyz' });
    expect(requests.map(({ url }) => url)).toEqual(['/api/v1/readyz', '/', '/login']);
  });

  it.each([
    ['another server, which names a version of its own', (url: string) => url],
    ['nowhere', () => '/loop'],
    ['what is no http', () => 'ftp://127.0.0.1/'],
  ])('does not count from %s: health names it', async (_, to) => {
    const other = await serve((_request, response) => {
      response.setHeader('Lightdash-Version', '9.9.9').end();
    });
    const { state } = await redirecting(() => to(other.url));
    expect(state).toEqual({ kind: 'ready', version: '1.155.0', probe: 'readyz' });
  });

  it.each([
    [200, '1.156.0'],
    [204, '1.156.0'],
    [300, '1.155.0'],
    [304, '1.155.0'],
    [400, '1.155.0'],
    [404, '1.155.0'],
  ])('counts only of a page that is one: status %i', async (status, version) => {
    const server = await serve((request, response) => {
      if (request.url === '/api/v1/readyz') return ok(response);
      if (request.url === '/api/v1/health')
        return json(200, { status: 'ok', results: { version: '1.155.0' } })(response);
      response.writeHead(status, { 'Lightdash-Version': '1.156.0' }).end();
    });
    const request = {
      instance: new URL(server.url),
      env: {},

      timeoutMs: 5000,
      allowHttp: false,
    };
    expect(await readInstanceState(request)).toMatchObject({ kind: 'ready', version });
  });

  it('is no reason to ask elsewhere whether the instance is ready', async () => {
    const { url } = await serve((request, response) => {
      if (request.url === '/ready') return ok(response);
      response.writeHead(302, { location: '/ready' }).end();
    });
    const request = { instance: new URL(url), env: {}, timeoutMs: 5000, allowHttp: false };
    expect(await readInstanceState(request)).toMatchObject({ kind: 'unreachable' });
  });
});

describe('the state of an instance', () => {
  it.each<[string, Moment, object]>([
    ['no reason', says(503, {}), notReady(503, undefined)],
    ['a reason', says(503, { reason: 'a', message: 'b' }), notReady(503, 'a')],
    ['a message', says(503, { message: 'b' }), notReady(503, 'b')],
    ['a reason before a message', says(503, { message: 'm', error: { reason: 'a' } }), notReady(503, 'a')],
    ['much', says(503, { reason: 'x'.repeat(600) }), notReady(503, 'x'.repeat(500))],
    ['that it is parked', says(503, { reason: 'migration_parked' }), { kind: 'parked', status: 503 }],
    ['no JSON', { readyz: body(200, 'up') }, notReady(200, 'readyz answered "up"')],
    [
      'bytes that are not UTF-8',
      { readyz: body(200, Buffer.from('{"status":"ready","a":"\xff"}', 'latin1')) },
      expect.objectContaining({ kind: 'not-ready' }),
    ],
    ['another status', says(200, { status: 'up' }), notReady(200, 'readyz: status is "up"')],
    ['another status, and why', says(200, { status: 'up', reason: 'a' }), notReady(200, 'a')],
    ['no status', says(200, []), notReady(200, 'readyz: status is nothing')],
    ['a status in capitals', says(200, { status: 'Ready' }), notReady(200, 'readyz: status is "Ready"')],
    ['its status in a list', says(200, [{ status: 'ready' }]), notReady(200, 'readyz: status is nothing')],
    [
      'its status further in',
      says(200, { results: { status: 'ready' } }),
      notReady(200, 'readyz: status is nothing'),
    ],
    ['a 201', says(201, { status: 'ready' }), expect.objectContaining({ kind: 'not-ready', status: 201 })],
    ['a 503', says(503, { status: 'ready' }), expect.objectContaining({ kind: 'not-ready', status: 503 })],
    ['a 204', { readyz: body(204, '') }, expect.objectContaining({ kind: 'not-ready', status: 204 })],
    ['a warning', says(200, { status: 'ready', warnings: ['a', 'b'] }), notReady(200, 'a, b')],
    [
      'a warning without words',
      says(200, { status: 'ready', warnings: [1] }),
      notReady(200, 'readyz: warnings are not in words'),
    ],
    ['a warning of another form', says(200, { status: 'ready', warnings: 'a' }), notReady(200, 'a')],
    [
      'a warning that it is parked',
      says(200, { status: 'ready', warnings: ['a', 'migration_parked'] }),
      { kind: 'parked', status: 200 },
    ],
    ['its version', serving('1.156.0'), { kind: 'ready', version: '1.156.0', probe: 'readyz' }],
    ['its tag', serving('v1.156.0'), { kind: 'ready', version: '1.156.0', probe: 'readyz' }],
    [
      'another word for its version',
      serving('main'),
      { kind: 'unknown-version', message: 'its header Lightdash-Version is "main"' },
    ],
    [
      'its version in its health alone',
      { readyz: ok, header: null, health: '1.156.0' },
      { kind: 'ready', version: '1.156.0', probe: 'readyz' },
    ],
    [
      'a version that a cache kept',
      { readyz: ok, header: '1.155.0', homeAge: '5', health: '1.156.0' },
      { kind: 'ready', version: '1.156.0', probe: 'readyz' },
    ],
    [
      'another word in its health',
      { readyz: ok, header: null, health: healthy('main') },
      { kind: 'unknown-version', message: 'results.version of its health is "main"' },
    ],
    [
      'no version at all',
      { readyz: ok, header: null },
      { kind: 'unknown-version', message: 'GET /api/v1/health: HTTP 404 Not Found' },
    ],
    [
      'another word in the health of an old release',
      before(healthy('main')),
      { kind: 'unknown-version', message: 'results.version of its health is "main"' },
    ],
    [
      'nothing of the health of an old release',
      before('1.128.0'),
      notReady(200, 'health does not say that it is healthy', 'health'),
    ],
    [
      'nothing of readyz, but that it is the first release that has it',
      before(healthy('1.129.0')),
      notReady(404, '1.129.0 has /api/v1/readyz, and it is not there: does a proxy hide it?'),
    ],
    ['pages alone', before(html, html), notReady(200, 'readyz answered with an HTML page')],
    ['no endpoint', { readyz: missing }, notReady(404, 'x')],
  ])('that says %s', async (_, moment, state) => {
    expect(await stateOf(moment)).toEqual(state);
  });

  it('is none where it contradicts itself', async () => {
    await expect(stateOf(says(200, { status: 'ready', reason: 'a' }))).rejects.toMatchObject({
      code: 'invalid-response',
      message: expect.stringMatching(/api\/v1\/readyz answered that it is ready, and why it is not: "a"$/),
    });
  });

  const results = { version: '1.128.0', healthy: true };
  const twice = '{"status":"ok","results":{"healthy":true,"version":"1.127.0","version":"1.128.0"}}';
  const told = (what: string, value: unknown, health: object): [string, NonNullable<Moment['health']>] => [
    `answered that ${what} is ${value === undefined ? 'nothing' : JSON.stringify(value)}`,
    json(200, health),
  ];
  it.each<[string, NonNullable<Moment['health']>]>([
    ...['error', 'OK', null, undefined].map((status) => told('status', status, { status, results })),
    ...[false, null, 'true'].map((healthy) =>
      told('results.healthy', healthy, { status: 'ok', results: { ...results, healthy } }),
    ),
    ...[true, null, 'no'].map((requiresMigration) =>
      told('results.requiresMigration', requiresMigration, {
        status: 'ok',
        results: { ...results, requiresMigration },
      }),
    ),
    ['answered an object that contains the key "version" twice', body(200, twice)],
    ['was answered by a cache, which has kept it for 37 s', kept('37', json(200, { status: 'ok', results }))],
  ])('is none where its health %s, with readyz and without', async (contradiction, health) => {
    const message = expect.stringContaining(`/api/v1/health ${contradiction}`);
    for (const moment of [before(health), { health }]) {
      await expect(stateOf(moment)).rejects.toMatchObject({ code: 'invalid-response', message });
    }
  });

  it.each<[string, NonNullable<Moment['readyz']>]>([
    ['answered an object that contains the key "status" twice', body(200, '{"status":"x","status":"ready"}')],
    [
      'answered an object that contains the key "warnings" twice',
      body(200, '{"status":"ready","warnings":["migration_parked"],"warnings":[]}'),
    ],
    ['was answered by a cache, which has kept it for 37 s', kept('37', ok)],
  ])('is none where readyz %s', async (contradiction, readyz) => {
    const message = expect.stringContaining(`/api/v1/readyz ${contradiction}`);
    await expect(stateOf(saying(readyz))).rejects.toMatchObject({ code: 'invalid-response', message });
  });
});
