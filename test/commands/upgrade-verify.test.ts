import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { CommandContext } from '../../src/commands/context.js';
import type { UpgradeVerifyOptions } from '../../src/commands/upgrade-verify/declaration.js';
import { upgradeVerify } from '../../src/commands/upgrade-verify/run.js';
import { spawnCli } from '../support/cli.js';

/** What the instance is at one poll. */
interface Moment {
  readonly readyz?: (response: ServerResponse) => void;
  /** The header of `/`; null leaves it out. */
  readonly header?: string | null;
  /** The status of `/`, 200 unless it says otherwise. */
  readonly home?: number;
  /** `results.version` of health; undefined answers 404 there. */
  readonly health?: string;
}

const json = (status: number, body: unknown) => (response: ServerResponse) => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};
const html = (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<html>Log in</html>');
};
const ok = json(200, { status: 'ok' });
const waiting = (reason: string) => ({ readyz: json(503, { status: 'error', results: { reason } }) });
const serving = (header: string): Moment => ({ readyz: ok, header });

/** An instance that is another one at every poll, and stays at the last; a poll begins with readyz. */
async function startInstance(...moments: readonly Moment[]) {
  const requests: string[] = [];
  let poll = -1;
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`.trim());
    if (request.url?.endsWith('/api/v1/readyz')) poll = Math.min(poll + 1, moments.length - 1);
    const { readyz = ok, header = null, home = 200, health } = moments[poll] ?? {};
    if (request.url?.endsWith('/api/v1/readyz')) return readyz(response);
    if (request.url?.endsWith('/api/v1/health')) {
      return health === undefined
        ? json(404, {})(response)
        : json(200, { status: 'ok', results: { version: health } })(response);
    }
    if (header !== null) response.setHeader('Lightdash-Version', header);
    response.writeHead(home, { 'content-type': 'text/html' }).end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests };
}

/** A port on which somebody listened. */
async function listenAndTell() {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return { port, close: () => new Promise((closed) => server.close(closed)) };
}

/** Runs it against a clock of its own, which only sleeping moves. */
async function verify(instance: string, options: Partial<UpgradeVerifyOptions> = {}) {
  let now = 0;
  let stdout = '';
  let stderr = '';
  const context: CommandContext = {
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: (text) => (stderr += text) },
    stdin: (async function* () {})(),
    env: {},
    now: () => new Date(1_800_000_000_000),
    monotonicMs: () => now,
    sleep: async (ms) => {
      now += ms;
    },
    randomUuid: () => 'none',
  };
  const code = await upgradeVerify(
    {
      instance,
      version: '1.156.0',
      window: 60_000,
      interval: 5_000,
      timeout: 5_000,
      polls: 3,
      ...options,
    },
    context,
  );
  return { code, stdout, stderr };
}

describe('upgrade-verify', () => {
  it('waits until the instance is ready, and says the reasons as they change', async () => {
    const { url } = await startInstance(
      waiting('schema_pending'),
      waiting('schema_pending'),
      waiting('migration_parked'),
      serving('1.156.0'),
    );
    expect(await verify(url)).toEqual({
      code: 0,
      stdout: `Verified: ${url}/: ready, and serves 1.156.0 (3 of 3 polls in a row, after 25 s)\n`,
      stderr:
        '0 s: not ready: schema_pending (HTTP 503)\n' +
        '10 s: not ready: migration_parked (HTTP 503)\n' +
        '15 s: ready, and serves 1.156.0\n',
    });
  });

  it('begins the row anew where an old pod answers', async () => {
    const { url } = await startInstance(
      serving('1.156.0'),
      serving('1.156.0'),
      serving('1.155.0'),
      serving('v1.156.0'),
    );
    const { code, stdout, stderr } = await verify(url);
    expect(code).toBe(0);
    expect(stdout).toContain('after 25 s');
    expect(stderr).toContain('10 s: ready, and serves 1.155.0 instead of 1.156.0\n');
  });

  it.each<[string, readonly Moment[], RegExp]>([
    [
      'the last reason',
      [waiting('schema_pending'), waiting('migration_parked')],
      /not ready: migration_parked/,
    ],
    ['another version', [serving('1.155.0')], /serves 1\.155\.0 instead of 1\.156\.0/],
    [
      'ready too late to be sure',
      [...Array(11).fill(waiting('x')), serving('1.156.0')],
      /2 of 3 polls in a row/,
    ],
    [
      'pods that answer in turn',
      Array.from({ length: 13 }, (_, i) => serving(i % 3 === 2 ? '1.155.0' : '1.156.0')),
      /1 of 3/,
    ],
    ['a version that is none', [serving('development')], /its header Lightdash-Version is "development"/],
    ['no version at all', [{}], /does not tell which release it serves/],
    ['a version that is none in health', [{ health: '0.0.0-dev' }], /does not tell which release it serves/],
    ['a release in the header of an error alone', [{ header: '1.156.0', home: 503 }], /does not tell/],
    [
      'a release in the header of an error, and another in health',
      [{ header: '1.156.0', home: 404, health: '1.155.0' }],
      /serves 1\.155\.0/,
    ],
    ['a login page', [{ readyz: html, header: '1.156.0' }], /readyz answered with an HTML page/],
    [
      'a redirect',
      [{ readyz: (r) => r.writeHead(302, { location: '/login' }).end() }],
      /no answer: .*a redirect/,
    ],
    ['a reason that is not said', [{ readyz: json(503, {}) }], /no reason given \(HTTP 503\)/],
    [
      'no such endpoint',
      [{ readyz: json(404, { error: { message: 'Not found' } }) }],
      /Not found \(HTTP 404\)/,
    ],
    [
      'hostile text',
      [waiting('\u001B[2J\n::error::x')],
      /not ready: \\u001b\[2J\\u000a::error::x \(HTTP 503\)/,
    ],
  ])('is a no when the window closes: %s', async (_, moments, expected) => {
    const { url } = await startInstance(...moments);
    const { code, stdout } = await verify(url);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^NOT VERIFIED: [^\n]*\nWhy: lightspan explain [\w-]+\n$/);
    expect(stdout).toMatch(expected);
  });

  it.each<[string, unknown]>([
    ['reason', { reason: 'schema_pending' }],
    ['results.reason', { results: { reason: 'schema_pending' } }],
    ['results.reasons', { results: { reasons: ['schema_pending'] } }],
    ['error.data.reason', { error: { name: 'E', message: 'Not ready', data: { reason: 'schema_pending' } } }],
    ['error.message', { error: { message: 'schema_pending' } }],
  ])('finds the reason in %s', async (_, body) => {
    const { url } = await startInstance({ readyz: json(503, body) });
    expect((await verify(url, { window: 10_000 })).stderr).toBe(
      '0 s: not ready: schema_pending (HTTP 503)\n',
    );
  });

  it('asks health where there is no header, and follows an instance under a path', async () => {
    const { url, requests } = await startInstance({ health: '1.156.0' });
    expect(await verify(`${url}/bi/`, { polls: 1 })).toMatchObject({ code: 0 });
    expect(requests).toEqual(['GET /bi/api/v1/readyz', 'GET /bi/', 'GET /bi/api/v1/health']);
  });

  it('is a no where nobody answers', async () => {
    const { port, close } = await listenAndTell();
    await close();
    const { code, stdout, stderr } = await verify(`http://127.0.0.1:${port}`, { window: 10_000 });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^NOT VERIFIED: .*no answer: GET http:[^ ]*\/api\/v1\/readyz: [^\n]*ECONNREFUSED/);
    expect(stderr.match(/\n/g)).toHaveLength(1);
  });

  it('waits for no answer longer than the window', async () => {
    const { url } = await startInstance({ readyz: () => {} });
    const started = performance.now();
    const { code, stdout } = await verify(url, { window: 100, timeout: 10_000, polls: 1 });
    expect(code).toBe(1);
    expect(stdout).toMatch(/no answer: .* within 1\.1 s/);
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it('polls as a process, on the real clock, and writes one line of JSON', async () => {
    const { url } = await startInstance(waiting('schema_pending'), serving('1.156.0'));
    const argv = [
      'upgrade-verify',
      '--instance',
      url,
      '--version',
      '1.156.0',
      '--interval',
      '1s',
      '--polls',
      '2',
    ];
    const { code, stdout, stderr } = await spawnCli([...argv, '--json']);
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^\d s: not ready: schema_pending \(HTTP 503\)\n\d s: ready, and serves 1\.156\.0\n$/,
    );
    expect(stdout.match(/\n/g)).toHaveLength(1);
    expect(JSON.parse(stdout)).toEqual({
      schemaVersion: '1',
      safe: true,
      instance: `${url}/`,
      version: '1.156.0',
      verified: true,
      polls: 2,
      pollsInRow: 2,
      elapsedMs: expect.any(Number),
      lastState: { kind: 'ready', version: '1.156.0' },
    });
  });
});
