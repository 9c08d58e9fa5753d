import dns from 'node:dns';
import { readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { parseVersion } from '../../src/core/version.js';
import { clockOfSleep, runCli, spawnCli } from '../support/cli.js';
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
  unmigrated,
  verify,
  waiting,
  warning,
} from '../support/instance-server.js';
import { leastTime } from '../support/least-time.js';
import { asList, chartObjects, inCluster } from '../support/manifests.js';
import { healthyFacts, writeSituation } from '../support/preflight.js';
import { realIndexFile } from '../support/real-index.js';
import { closedPort, serveTcp } from '../support/server.js';
import { quoted, standIn } from '../support/stand-in.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** As many moments as a window has polls, each with the version of its number. */
const served = (versionAt: (poll: number) => string) =>
  Array.from({ length: 13 }, (_, poll) => serving(versionAt(poll)));

describe('upgrade-verify', () => {
  it('waits until the instance is ready, and says the reasons as they change', async () => {
    const pending = waiting('schema_pending');
    const { url } = await startInstance(pending, pending, waiting('db_unavailable'), serving('1.156.0'));
    expect(await verify(url)).toEqual({
      code: 0,
      stdout: `Answer: Verified: ready, and serves 1.156.0\nUpgrade verify: ${url}/ (3 of 3 polls in a row, after 25 s)\nNext: nothing, if that was the last hop; else: lightspan upgrade-plan --from 1.156.0\n`,
      stderr:
        '0 s: not ready: schema_pending (HTTP 503)\n' +
        '10 s: not ready: db_unavailable (HTTP 503)\n' +
        '15 s: ready, and serves 1.156.0\n',
    });
  });

  it('begins the row again where an old pod answers', async () => {
    const ready = serving('1.156.0');
    const { url } = await startInstance(ready, ready, serving('1.155.0'), serving('v1.156.0'));
    const { code, stdout, stderr } = await verify(url);
    expect(code).toBe(0);
    expect(stdout).toContain('after 25 s');
    expect(stderr).toContain('10 s: ready, and serves 1.155.0 instead of 1.156.0\n');
  });

  it('connects anew for each poll, and so meets the old pods behind a service', async () => {
    const pods = await Promise.all(['1.156.0', '1.155.0'].map((served) => startInstance(serving(served))));
    let connections = 0;
    const { port } = await serveTcp((socket) => {
      const pod = pods[connections++ % pods.length];
      socket.pipe(connect(Number(new URL(pod?.url ?? '').port), '127.0.0.1')).pipe(socket);
    });
    const service = `http://127.0.0.1:${port}`;
    const { code, stderr } = await verify(service);
    expect(code).toBe(1);
    expect(stderr).toContain('serves 1.155.0 instead of 1.156.0');
  });

  it.each<[string, readonly Moment[], RegExp]>([
    ['the last reason', [waiting('schema_pending'), waiting('db_unavailable')], /not ready: db_unavailable/],
    ['another version', [serving('1.155.0')], /serves 1\.155\.0 instead of 1\.156\.0/],
    ['ready too late', [...Array(11).fill(waiting('x')), serving('1.156.0')], /2 of 3 polls in a row/],
    ['pods that answer in turn', served((i) => (i % 3 === 2 ? '1.155.0' : '1.156.0')), /1 of 3/],
    ['hostile', [waiting('\u001B[2J\n::error::x')], /not ready: \\u001b\[2J\\u000a::error::x \(HTTP 503\)/],
  ])('is a no when the window closes: %s', async (_, moments, expected) => {
    const { url } = await startInstance(...moments);
    const { code, stdout } = await verify(url);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^Answer: Not verified: [^\n]*\n[^\n]*\nWhy: lightspan explain [\w-]+\n(Next: [^\n]+\n)?$/,
    );
    expect(stdout).toMatch(expected);
  });

  it.each<[string, Moment]>([
    ['as a warning', warning('migration_parked')],
    ['beside another', warning('migration_ledger_unavailable', 'migration_parked')],
    ['as a reason', waiting('migration_parked')],
  ])('ends at once where a migration is parked, %s', async (_, moment) => {
    const { url, requests } = await startInstance(moment, serving('1.156.0'));
    const { code, stdout } = await verify(url);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^Answer: Not verified: not ready: migration_parked \(HTTP \d+\)[^\n]*\n[^\n]*after 0 s\)\n/,
    );
    expect(stdout).toMatch(
      /\nWhy: lightspan explain migration_parked\nNext: read the migration logs [^\n]*\n$/,
    );
    expect(requests).toHaveLength(1);
  });

  describe('where a newer version is served', () => {
    it.each([
      [
        false,
        1,
        /^Answer: Not verified: ready, and serves 1\.157\.0, which is newer than 1\.156\.0\n[^\n]*\nWhy: lightspan explain superseded\nNext: [^\n]*\n$/,
      ],
      [
        true,
        0,
        /^Answer: Verified: ready, and serves 1\.157\.0, which is newer than 1\.156\.0\n[^\n]*\nNext: .*: lightspan upgrade-plan --from 1\.157\.0\n$/,
      ],
    ])('--allow-newer %s: exit %i', async (allowNewer, expected, words) => {
      const { url, requests } = await startInstance(serving('1.157.0'));
      const options = allowNewer ? { allowNewer } : {};
      const { code, stdout } = await verify(url, options);
      expect(code).toBe(expected);
      expect(stdout).toMatch(words);
      expect(stdout).toContain('(3 of 3 polls in a row, after 10 s)');
      expect(requests).toHaveLength(6);
      const json = await verify(url, { ...options, json: true });
      expect(JSON.parse(json.stdout)).toMatchObject({
        safe: allowNewer,
        verified: false,
        outcome: 'superseded',
        lastState: { kind: 'ready', version: '1.157.0' },
      });
    });

    it.each<[string, readonly Moment[], RegExp]>([
      ['another one every time', served((i) => `1.157.${i}`), /1 of 3 polls in a row/],
      ['in turn with the wanted one', served((i) => (i % 2 === 0 ? '1.157.0' : '1.156.0')), /1 of 3 polls/],
      ['an older one', [serving('1.99.0')], /serves 1\.99\.0 instead/],
      ['and is a pre-release', [serving('1.157.0-beta.1')], /does not report which release/],
      ['and is not ready', [{ ...waiting('schema_pending'), header: '1.157.0' }], /schema_pending/],
    ])('%s, it is no yes', async (_, moments, expected) => {
      const { url } = await startInstance(...moments);
      const { code, stdout } = await verify(url, { allowNewer: true });
      expect(code).toBe(1);
      expect(stdout).toMatch(expected);
    });
  });

  /** An answer that comes later than anybody waits for one. */
  const slow = (response: ServerResponse) => {
    setTimeout(() => ok(response), 10_000).unref();
  };

  it('says once that an instance is slow to the end', async () => {
    const { url } = await startInstance(saying(slow));
    const stderr = expect.stringMatching(/^0 s: no answer: [^\n]*\n$/);
    expect(await verify(url, { timeout: 1_000, window: 10_000 })).toMatchObject({ code: 1, stderr });
  });

  describe('a release that has no readyz yet', () => {
    const old = { version: parseVersion('1.128.9') };

    it.each([
      ['answers 404', missing],
      ['answers with the page of the app', html],
    ])('is held to what health tells, where it %s', async (_, readyz) => {
      const { url, requests } = await startInstance(
        before(unmigrated, readyz),
        before(healthy('1.128.9'), readyz),
      );
      expect(await verify(url, old)).toEqual({
        code: 0,
        stdout: `Answer: Verified: healthy, and serves 1.128.9, by /api/v1/health: there is no readyz before 1.129.0\nUpgrade verify: ${url}/ (3 of 3 polls in a row, after 15 s)\nNext: nothing, if that was the last hop; else: lightspan upgrade-plan --from 1.128.9\n`,
        stderr:
          '0 s: not ready: Database has not been migrated yet (HTTP 500), by /api/v1/health: there is no readyz before 1.129.0\n' +
          '5 s: healthy, and serves 1.128.9, by /api/v1/health: there is no readyz before 1.129.0\n',
      });
      expect(requests.slice(0, 2)).toEqual(['GET /api/v1/readyz', 'GET /api/v1/health']);
    });

    it.each<[string, Moment, RegExp]>([
      ['serves another', before(healthy('1.128.8')), /serves 1\.128\.8 instead of 1\.128\.9/],
      ['has a health that moved', before((r) => r.writeHead(302, { location: '/x' }).end()), /a redirect/],
      ['is ready with another status', before(healthy('1.128.9'), json(405, {})), /\(HTTP 405\)/],
    ])('is a no where it %s', async (_, moment, expected) => {
      const { url } = await startInstance(moment);
      const { code, stdout } = await verify(url, old);
      expect(code).toBe(1);
      expect(stdout).toMatch(expected);
    });

    it.each([
      ['1.129.0', '1.129.0'],
      ['1.128.9', '1.129.0'],
      ['1.128.9', '2.0.0'],
    ])('is not one that has it: %s wanted, %s served', async (version, served) => {
      for (const readyz of [missing, html]) {
        const { url } = await startInstance(before(healthy(served), readyz));
        const { code, stdout } = await verify(url, { version: parseVersion(version), allowNewer: true });
        expect(code).toBe(1);
        expect(stdout).toContain(`${served} has /api/v1/readyz, and it is not there`);
      }
    });
  });

  it('takes an age of nothing for an answer of now, and the header of a page that a cache kept for none', async () => {
    const fresh = await startInstance({ readyz: kept('0', ok), health: kept('0', healthy('1.156.0')) });
    expect((await verify(fresh.url)).code).toBe(0);
    const old = await startInstance({ header: '1.156.0', homeAge: '37', health: '1.155.0' });
    expect((await verify(old.url)).stdout).toContain('serves 1.155.0');
  });

  /** All of them: test/gather/instance-state.test.ts. */
  it.each<[string, Moment]>([
    ['a status twice', saying(body(200, '{"status":"not_ready","status":"ready"}'))],
    ['ready, kept by a cache', saying(kept('37', ok))],
    ['a health that a cache kept, and no readyz', before(kept('37', healthy('1.128.0')))],
    ['a health that is not healthy', { health: healthy('1.156.0', { healthy: false }) }],
  ])('takes no answer that contradicts itself, unless a later one is sound: %s', async (_, moment) => {
    const { url } = await startInstance(moment);
    const message = expect.stringContaining('is not verified: GET http');
    await expect(verify(url)).rejects.toMatchObject({ code: 'invalid-response', message });
    const later = await startInstance(moment, serving('1.156.0'));
    const stderr = expect.stringMatching(/^0 s: not to be trusted: .*\n5 s: ready/);
    expect(await verify(later.url)).toMatchObject({ code: 0, stderr });
  });

  it('is a no, with the reason, where the page itself fails in every poll', async () => {
    const { url } = await startInstance({ home: 500, health: '1.156.0' });
    const { code, stdout } = await verify(url, { window: 10_000 });
    expect(code).toBe(1);
    expect(stdout).toContain('not ready: its page (GET /) fails (HTTP 500)');
    const later = await startInstance({ home: 502, header: '1.156.0' }, serving('1.156.0'));
    expect((await verify(later.url)).code).toBe(0);
  });

  it.each([401, 403, 404])('asks health where a proxy keeps the page to itself (%i)', async (home) => {
    const { url } = await startInstance({ home, health: '1.156.0' });
    expect((await verify(url, { window: 0 })).code).toBe(0);
  });

  it.each([
    ['1.156.0, 1.156.0', 0],
    ['v1.156.0, 1.156.0', 0],
    ['1.156.0, 1.155.0', 1],
    ['1.156.0, ', 1],
    ['1.156.0 1.156.0', 1],
  ])('takes a header that a proxy doubles for one, if both say the same: %s', async (header, expected) => {
    const { url } = await startInstance({ readyz: ok, header });
    expect((await verify(url, { window: 10_000 })).code).toBe(expected);
  });

  it('asks health where there is no header, and follows an instance under a path', async () => {
    const { url, requests } = await startInstance({ health: '1.156.0' });
    expect(await verify(`${url}/bi/`, { window: 0 })).toMatchObject({ code: 0 });
    expect(requests).toEqual(['GET /bi/api/v1/readyz', 'GET /bi/', 'GET /bi/api/v1/health']);
  });

  it('is a no where nobody answers', async () => {
    const { code, stdout, stderr } = await verify(`http://127.0.0.1:${await closedPort()}`, {
      window: 10_000,
    });
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^Answer: Not verified: no answer: GET http:[^ ]*\/api\/v1\/readyz: [^\n]*ECONNREFUSED/,
    );
    expect(stderr.match(/\n/g)).toHaveLength(1);
  });

  it('says every 30 s what it waits for', async () => {
    const { url } = await startInstance(waiting('schema_pending'));
    const { stderr } = await verify(url, { window: 70_000 });
    expect(stderr).toBe(
      '0 s: not ready: schema_pending (HTTP 503)\n' +
        '30 s: not ready: schema_pending (HTTP 503)\n' +
        '60 s: not ready: schema_pending (HTTP 503)\n',
    );
  });

  it('gives up on a name that does not resolve after a minute', async () => {
    // As every resolver answers in the end. One that is slow says before that it may know the name later.
    const lookup = vi.spyOn(dns, 'lookup').mockImplementation(((
      name: string,
      _: object,
      answer: (error: Error) => void,
    ) => {
      answer(
        Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), {
          code: 'ENOTFOUND',
          syscall: 'getaddrinfo',
          hostname: name,
        }),
      );
    }) as typeof dns.lookup);
    onTestFinished(() => lookup.mockRestore());
    const { code, stdout, stderr } = await verify('https://lightdash.invalid', { window: 1_200_000 });
    expect(code).toBe(1);
    expect(stdout).toMatch(/no answer: .*lightdash\.invalid.*\(0 of 3 polls in a row, after 60 s\)\n/s);
    expect(stdout).toContain('\nNext: check the name of the host');
    expect(stderr).toContain('\n30 s: no answer: ');
    expect(lookup).toHaveBeenCalled();
  });

  it.each(['manifests', 'values'])(
    'reads what standard input holds of %s once, before the instance is asked',
    async (of) => {
      const { url, requests } = await startInstance(serving('1.156.0'));
      const gone = `postgresql://looker@127.0.0.1:${await closedPort()}/instance`;
      const look = { database: gone, [of]: ['-'], index: realIndexFile };
      await expect(verify(url, look)).rejects.toMatchObject({ code: 'network' });
      expect(requests).toEqual([]);
    },
  );

  it('takes no facts that are older than a day, which may be from before the deploy', async () => {
    const folder = temporaryFolder();
    const release = { version: '2.0.0', migrations: [{ name: '20260801000000_old' }] };
    await writeSituation(folder, { releases: [release], facts: healthyFacts('20260801000000_old') });
    const { url } = await startInstance(serving('2.0.0'));
    const argv = [
      'upgrade-verify',
      '--instance',
      url,
      '--version',
      '2.0.0',
      '--window',
      '0s',
      '--index',
      folder,
    ];
    const ask = async (now: string, ...more: string[]) =>
      (await runCli([...argv, '--facts', join(folder, 'facts.json'), ...more], { now: new Date(now) })).code;
    expect(await ask('2026-09-07T17:00:00Z')).toBe(0);
    expect(await ask('2026-09-08T18:00:01Z')).toBe(3);
    expect(await ask('2026-09-08T18:00:01Z', '--max-age', '7d')).toBe(0);
  });

  it('looks again where the database did not answer in time', async () => {
    const { url } = await startInstance(serving('1.156.0'));
    let connections = 0;
    const { port } = await serveTcp(() => {
      connections += 1;
    });
    const database = `postgresql://looker@127.0.0.1:${port}/instance?sslmode=disable`;
    // Long enough for the instance on a busy machine: only the database gives no answer.
    const look = { database, index: realIndexFile, timeout: 1000, window: 10_000, interval: 2_500 };
    await expect(verify(url, look)).rejects.toMatchObject({ code: 'timeout' });
    expect(connections).toBe(3);
  });

  it('says that it did not look, and looks again where that may pass', async () => {
    const { url } = await startInstance(serving('1.156.0'));
    const port = await closedPort();
    const database = `postgresql://looker@127.0.0.1:${port}/instance`;
    const argv = [
      ...['upgrade-verify', '--instance', url, '--version', '1.156.0', '--index', realIndexFile],
      ...['--database', database, '--window', '5s', '--interval', '1s'],
    ];
    const { code, stderr } = await runCli(argv, clockOfSleep());
    expect(code).toBe(3);
    const why = `no connection to the database "instance" at 127.0.0.1:${port}: connect ECONNREFUSED 127.0.0.1:${port}`;
    const said = stderr.split('\n').map((line) => line.replace(/^\d+ s: /, ''));
    const ready = 'ready, and serves 1.156.0';
    expect(said.slice(0, 3)).toEqual([ready, `${ready}; waits on ${why}`, `lightspan: ${why}`]);
    const newer = await startInstance(serving('1.157.0'));
    const look = {
      database,
      index: realIndexFile,
      allowNewer: true as const,
      window: 2_000,
      interval: 1_000,
    };
    await expect(verify(newer.url, look)).rejects.toMatchObject({ code: 'network' });
  });

  it.each([
    ['nothing', 'core', [], 1],
    ['that it has run', 'core', ['--fact', 'migration.20260901000001_more=applied'], 0],
    ['that it is of the other edition', 'ee', ['--fact', 'edition=community'], 0],
  ] as const)(
    'judges a migration that is not in the ledger by what is stated: %s',
    async (_, edition, stated, code) => {
      const folder = temporaryFolder();
      const ran = ['20260801000000_old', '20260901000000_new'];
      const more = { name: '20260901000001_more', edition };
      await writeSituation(folder, {
        releases: [
          { version: '2.0.0', migrations: [{ name: '20260801000000_old' }] },
          { version: '2.1.0', migrations: [{ name: '20260901000000_new' }, more] },
        ],
        facts: healthyFacts(...ran),
      });
      const { url } = await startInstance(serving('2.1.0'));
      const outcome = await runCli([
        ...['upgrade-verify', '--instance', url, '--version', '2.1.0', '--window', '0s'],
        ...['--index', folder, '--facts', join(folder, 'facts.json'), ...stated],
      ]);
      expect(outcome).toMatchObject({ code });
    },
  );

  it('waits for nothing that files cannot show', async () => {
    const { url, requests } = await startInstance(serving('1.156.0'));
    const manifests = join(temporaryFolder(), 'manifests.yaml');
    const pods = asList(inCluster(chartObjects({ chart: '2.16.101', app: '1.156.0' })));
    writeFileSync(manifests, pods.replaceAll('"ready":true', '"ready":false'));
    const { code, stdout } = await verify(url, { manifests: [manifests] });
    expect(stdout).toMatch(/after 10 s\)\n.*\n\nNO +pods: .* has 0 of 1 pod\n/);
    expect({ code, polls: requests.filter((request) => request.endsWith('readyz')).length }).toEqual({
      code: 1,
      polls: 3,
    });
  });

  it('stays at the cluster that it looked at first, whatever the current context is by then', async () => {
    const { url } = await startInstance(serving('1.156.0'));
    const container = { name: 'lightdash', image: 'lightdash/lightdash:1.156.0' };
    const backend = {
      kind: 'Deployment',
      apiVersion: 'apps/v1',
      metadata: { name: 'lightdash-backend', namespace: 'bi', uid: 'a' },
      spec: { replicas: 1, template: { spec: { containers: [container] } } },
    };
    const list = (...items: object[]) => quoted(JSON.stringify({ kind: 'List', apiVersion: 'v1', items }));
    const env = standIn(
      'kubectl',
      `printf '%s\\n' "$*" >> "$ASIDE/run"
       case "$*" in
         config*--context=prod) name=prod;;
         config*) if [ -e "$ASIDE/asked" ]; then name=staging; else name=prod; fi; : > "$ASIDE/asked";;
         get\\ deployments*) echo ${list(backend)};;
         *) echo ${list()};;
       esac
       [ "$1" = get ] || printf '{"current-context":"%s","contexts":[{"name":"prod","context":{"namespace":"bi"}}]}' $name`,
    );
    const { code, stderr } = await verify(
      url,
      { kubernetes: true, window: 12_000, interval: 3_000 },
      { env },
    );
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('0 of 1 pod') });
    const runs = readFileSync(join(env.ASIDE, 'run'), 'utf8').trim().split('\n');
    expect(runs.filter((run) => run.startsWith('config'))).toHaveLength(3);
    const ofOther = runs.slice(1).filter((run) => !run.endsWith(' --context=prod'));
    expect(ofOther).toEqual([]);
  });

  it('says why it did not look at the database of an instance that is not ready', async () => {
    const { url } = await startInstance(waiting('schema_pending'));
    const port = await closedPort();
    const look = { database: `postgresql://looker@127.0.0.1:${port}/instance`, index: realIndexFile };
    const { code, stderr } = await verify(url, look);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      `the other checks were not made: no connection to the database "instance" at 127.0.0.1:${port}: connect ECONNREFUSED 127.0.0.1:${port}\n`,
    );
  });

  it('waits for no answer longer than the window', async () => {
    const { url } = await startInstance({ readyz: () => {} });
    const ask = async () => {
      const { code, stdout } = await verify(url, { window: 100, interval: 50, timeout: 10_000 });
      expect(code).toBe(1);
      expect(stdout).toMatch(/no answer: .* within 1 s/);
    };
    expect(await leastTime(ask, 5_000)).toBeLessThan(5_000);
  });

  it.each([
    ['a slow answer', 1_200, 60_000, 0, '1 of 1 polls in a row'],
    ['none in time', 120_000, 1_500, 1, '0 of 1 polls in a row'],
  ])(
    'looks once with --window 0s, for as long as one answer may take: %s',
    async (_, delayMs, timeout, code, row) => {
      const slow = (response: ServerResponse) => {
        const timer = setTimeout(() => ok(response), delayMs);
        onTestFinished(() => clearTimeout(timer));
      };
      const { url, requests } = await startInstance({ readyz: slow, header: '1.156.0' });
      const outcome = await verify(url, { window: 0, timeout });
      expect(outcome).toMatchObject({ code, stdout: expect.stringContaining(row) });
      expect(requests.filter((request) => request.endsWith('readyz'))).toHaveLength(1);
    },
  );

  it('polls as a process, on the real clock, and writes one line of JSON', async () => {
    const { url } = await startInstance(waiting('schema_pending'), serving('1.156.0'));
    const argv = ['upgrade-verify', '--instance', url, '--version', '1.156.0'];
    const { code, stdout, stderr } = await spawnCli([...argv, '--interval', '1s', '--json']);
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^\d+ s: not ready: schema_pending \(HTTP 503\)\n\d+ s: ready, and serves 1\.156\.0\n$/,
    );
    expect(stdout.match(/\n/g)).toHaveLength(1);
    expect(JSON.parse(stdout)).toEqual({
      ...{ schemaVersion: '1', safe: true, instance: `${url}/`, version: '1.156.0' },
      ...{ verified: true, outcome: 'verified', polls: 3, pollsInRow: 3, elapsedMs: expect.any(Number) },
      ...{ lastState: { kind: 'ready', version: '1.156.0', probe: 'readyz' }, facts: null, findings: [] },
    });
  });
});
