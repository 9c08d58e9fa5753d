import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { leastTime } from '../support/least-time.js';
import { chartUuid, projectUuid, token } from '../support/lightdash-server.js';
import { mergeQuery } from '../support/merge.js';
import { healthyFacts, writeSituation } from '../support/preflight.js';
import { realIndexFile } from '../support/real-index.js';
import { serve, serveTcp } from '../support/server.js';
import { standIn } from '../support/stand-in.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** What is asked of a server, a database or a program on a command line, is asked as its options and the environment say. */

const folder = temporaryFolder();
const merge = join(folder, 'merge.json');
writeFileSync(merge, JSON.stringify({ mergeQuery: mergeQuery() }));

const login = { LIGHTDASH_API_KEY: token, LIGHTDASH_PROJECT: projectUuid, HOME: folder };
const span = ['--from', '1.121.0', '--to', '1.123.0'];
const index = ['--index', realIndexFile];

/** Command lines that ask this server, each in a way of its own. */
const asking: readonly [name: string, argvOf: (url: string) => string[]][] = [
  ['an index', (url) => ['upgrade-check', ...span, '--index', `${url}/index.json`]],
  ['an index to verify', (url) => ['index', 'verify', '--index', `${url}/index.json`]],
  ['known issues', (url) => ['upgrade-check', ...span, ...index, '--known-issues', `${url}/ours.json`]],
  ['an artifact', (url) => ['release', 'show', '1.121.0', '--artifact-url', `${url}/{version}.json`]],
  ['an instance', (url) => ['upgrade-check', '--instance', url, '--to', '1.123.0', ...index]],
  ['a list', (url) => ['org', 'users', '--url', url]],
  ['a chart', (url) => ['chart', 'get', chartUuid, '--url', url]],
  ['a merge', (url) => ['merge', 'submit', merge, '--url', url]],
  ['a query', (url) => ['query', 'results', chartUuid, '--url', url]],
];

/** As well, though its answer is a no where none comes. */
const verifying: (typeof asking)[number] = [
  'an instance to verify',
  (url) => [
    ...['upgrade-verify', '--instance', url, '--version', '2.1.0', '--canary', merge],
    ...['--window', '0s'],
  ],
];

const elsewhere = 'http://lightdash.example.com';
const refusingProxy = () => serve((_, response) => response.writeHead(404).end());

describe('a command line that asks for', () => {
  it('anything that there is waits as long as --timeout says', async () => {
    const { port } = await serveTcp((socket) => socket.resume());
    const waited = asking.map(async ([what, argvOf]) => {
      const argv = [...argvOf(`http://127.0.0.1:${port}`), '--timeout', '1s'];
      const { code, stderr } = await runCli(argv, { env: login });
      expect([code, stderr], what).toEqual([3, expect.stringMatching(/ within 1 s/)]);
    });
    await Promise.all(waited);
  });

  it.each([...asking, verifying])(
    '%s asks nothing by plain http that --allow-http does not allow',
    async (_, argvOf) => {
      const proxy = await refusingProxy();
      const env = { ...login, HTTP_PROXY: proxy.url };
      expect(await runCli(argvOf(elsewhere), { env })).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('--allow-http'),
      });
      expect(proxy.requests).toEqual([]);
    },
  );

  it.each([...asking, verifying])(
    '%s asks through the proxy that the environment names',
    async (_, argvOf) => {
      const proxy = await refusingProxy();
      const env = { ...login, HTTP_PROXY: proxy.url };
      await runCli([...argvOf(elsewhere), '--allow-http'], { env });
      expect(proxy.requests[0]?.url).toMatch(new RegExp(`^${elsewhere}/`));
    },
  );

  it('the query of an instance to verify asks as its other requests do', async () => {
    const proxy = await serve(({ url = '' }, response) => {
      const { pathname } = new URL(url);
      if (pathname === '/') response.setHeader('Lightdash-Version', '2.1.0');
      else if (pathname !== '/api/v1/readyz') response.writeHead(404);
      response.end('{"status":"ready"}');
    });
    await runCli([...verifying[1](elsewhere), '--allow-http'], { env: { ...login, HTTP_PROXY: proxy.url } });
    expect(proxy.requests.at(-1)?.url).toMatch(/^http:\/\/lightdash.example.com\/api\/v2\/.*merge-query$/);
  });
});

it('a database is asked for as long as --timeout says', async () => {
  const { port } = await serveTcp((socket) => socket.resume());
  const database = `postgresql://joe@127.0.0.1:${port}/bi?sslmode=disable`;
  const argv = ['upgrade-preflight', ...span, ...index, '--database', database, '--timeout', '1s'];
  const ask = async () =>
    expect(await runCli(argv, { env: { HOME: folder } })).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/did not answer .*within the time limit/),
    });
  expect(await leastTime(ask, 8000)).toBeLessThan(8000);
});

it('kubectl is run for as long as --timeout says, with the environment', async () => {
  const argv = ['upgrade-preflight', ...span, ...index, '--kubernetes', '--timeout', '1s'];
  expect(await runCli(argv, { env: standIn('kubectl', 'sleep 60') })).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('kubectl config took longer than 1 s'),
  });
});

/** Command lines of two releases; what they read is nowhere. */
const nowhere = join(folder, 'nowhere');
const ofTwoReleases: readonly string[][] = [
  ['upgrade-check'],
  ['upgrade-plan'],
  ['upgrade-report'],
  ['upgrade-preflight', '--facts', nowhere],
  ['index', 'mirror', '--out', nowhere],
  ['known-issues', 'list', '--known-issues', nowhere],
];

it.each(ofTwoReleases)('%s refuses a target that is behind before it reads anything', async (...argv) => {
  const readable = argv[0] === 'known-issues' ? [] : ['--index', nowhere];
  const back = await runCli([...argv, '--from', '1.123.0', '--to', '1.121.0', ...readable]);
  expect(back).toMatchObject({ code: 2, stdout: '' });
  expect(back.stderr).toMatch(/1\.121\.0 is older than 1\.123\.0/);
  expect((await runCli([...argv, ...span, ...readable])).code).toBe(3);
});

it.each(['upgrade-check', 'upgrade-plan', 'upgrade-report', 'upgrade-preflight'])(
  '%s reads facts from standard input once, for all that it asks of them',
  async (command) => {
    const mirror = temporaryFolder();
    const releases = ['2.125.0', '2.126.0'].map((version) => ({ version, migrations: [{ name: 'x.ts' }] }));
    await writeSituation(mirror, {
      releases,
      facts: { ...healthyFacts(), stated: { edition: 'community' } },
    });
    const argv = [command, '--from', '2.125.0', '--to', '2.126.0', '--index', mirror, '--facts', '-'];
    const community = readFileSync(join(mirror, 'facts.json'), 'utf8');
    for (const [edition, concerns] of [
      ['community', true],
      ['enterprise', false],
    ] as const) {
      const stdin = community.replace('"community"', JSON.stringify(edition));
      const { stdout } = await runCli(argv, { stdin });
      expect(stdout).not.toBe('');
      expect(stdout.includes('ai-prompt-table-in-core-migration')).toBe(concerns);
    }
  },
);
