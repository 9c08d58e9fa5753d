import type { ServerResponse } from 'node:http';
import { type UpgradeVerifyOptions, upgradeVerify } from '../../src/commands/upgrade-verify.js';
import { parseVersion } from '../../src/core/version.js';
import type { CommandContext } from '../../src/door/context.js';
import { clockOfSleep, contextOf } from './cli.js';
import { serve } from './server.js';

/** What the instance is at one poll. */
export interface Moment {
  readonly readyz?: (response: ServerResponse) => void;
  /** The header of `/`; null leaves it out. */
  readonly header?: string | null;
  /** The status of `/`, 200 unless it says otherwise. */
  readonly home?: number;
  /** How long a cache kept `/`. */
  readonly homeAge?: string;
  /** `results.version` of health, or all that it answers; undefined answers 404 there. */
  readonly health?: string | ((response: ServerResponse) => void);
}

export const json = (status: number, body: unknown) => (response: ServerResponse) => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};
export const html = (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<html>Log in</html>');
};
export const ok = json(200, { status: 'ready' });
export const body = (status: number, text: string | Buffer) => (response: ServerResponse) => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(text);
};
/** What a cache kept for so many seconds. */
export const kept =
  (seconds: string, answer: (response: ServerResponse) => void) =>
  (response: ServerResponse): void => {
    response.setHeader('age', seconds);
    answer(response);
  };
export const waiting = (reason: string) => ({ readyz: json(503, { status: 'not_ready', reason }) });
export const serving = (header: string): Moment => ({ readyz: ok, header });
/** It serves the version that is wanted, and answers this to readyz. */
export const saying = (readyz: Moment['readyz']): Moment => ({ readyz: readyz ?? ok, header: '1.156.0' });
export const warning = (...warnings: string[]) => saying(json(200, { status: 'ready', warnings }));
export const healthy = (version: string, more: object = {}) =>
  json(200, { status: 'ok', results: { healthy: true, version, ...more } });
/** What releases before 1.129.0 answer: there is no readyz yet. */
export const missing = json(404, {
  status: 'error',
  error: { statusCode: 404, name: 'NotFoundError', message: 'x' },
});
export const before = (health: Moment['health'], readyz = missing): Moment => ({
  readyz,
  health: health ?? '',
});
export const unmigrated = json(500, {
  status: 'error',
  error: {
    statusCode: 500,
    name: 'UnexpectedDatabaseError',
    message: 'Database has not been migrated yet',
    data: { currentVersion: '20260610120000' },
  },
});

/** An instance that is another one at every poll, and stays at the last; a poll begins with readyz. */
export async function startInstance(...moments: readonly Moment[]) {
  const requests: string[] = [];
  let poll = -1;
  const { url } = await serve((request, response) => {
    requests.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`.trim());
    if (request.url?.endsWith('/api/v1/readyz')) poll = Math.min(poll + 1, moments.length - 1);
    const { readyz = ok, header = null, home = 200, homeAge, health } = moments[poll] ?? {};
    if (request.url?.endsWith('/api/v1/readyz')) return readyz(response);
    if (request.url?.endsWith('/api/v1/health')) {
      if (typeof health === 'function') return health(response);
      return health === undefined
        ? json(404, {})(response)
        : json(200, { status: 'ok', results: { version: health } })(response);
    }
    if (homeAge !== undefined) response.setHeader('age', homeAge);
    if (header !== null) response.setHeader('Lightdash-Version', header);
    response.writeHead(home, { 'content-type': 'text/html' }).end();
  });
  return { url, requests };
}

/** Runs it against a clock of its own, which only sleeping moves. */
export async function verify(
  instance: string,
  options: Partial<UpgradeVerifyOptions> = {},
  world: Pick<Partial<CommandContext>, 'env' | 'now'> & { readonly onSleep?: (sleeps: number) => void } = {},
) {
  const clock = clockOfSleep();
  let sleeps = 0;
  const { context, said } = contextOf({
    env: world.env ?? {},
    now: world.now ?? (() => new Date(1_800_000_000_000)),
    ...clock,
    sleep: async (ms) => {
      await clock.sleep(ms);
      // A loop that never ends would end no test: on this clock it takes no time.
      sleeps += 1;
      if (sleeps > 100) throw new Error('slept 100 times');
      world.onSleep?.(sleeps);
    },
  });
  const code = await upgradeVerify(
    {
      instance,
      version: parseVersion('1.156.0'),
      window: 60_000,
      interval: 5_000,
      timeout: 5_000,
      cache: false,
      ...options,
    },
    context,
  );
  return { code, ...said };
}
