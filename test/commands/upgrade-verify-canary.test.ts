import { writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { validatorOf } from '../support/json-schema.js';
import {
  chartUuid,
  errorPayload,
  projectUuid,
  queryUuid,
  sendJson,
  token,
} from '../support/lightdash-server.js';
import { mergeQuery, metricQuery, notANumber } from '../support/merge.js';
import { queryState, refusedMerge, resultPage, startedMerge } from '../support/merge-responses.js';
import { serve } from '../support/server.js';
import { temporaryFolder } from '../support/temporary-folder.js';

type Answers = Partial<
  Record<'merge' | 'chart' | 'ready', (response: ServerResponse) => void> & {
    /** The states of the query, one a poll. */
    readonly query: readonly ((response: ServerResponse) => void)[];
  }
>;

interface Received {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: string;
}

/** An instance that is ready with 2.1.0, and answers these to its API. */
async function startInstance({ merge, chart, ready, query = [] }: Answers) {
  const received: Received[] = [];
  let polls = 0;
  const { url } = await serve((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url = '', headers } = request;
      const path = `${method} ${url.split('?')[0]}`;
      const { authorization } = headers;
      received.push({ path, authorization, body: Buffer.concat(chunks).toString() });
      if (url === '/api/v1/readyz') return (ready ?? sendJson({ status: 'ready' }))(response);
      if (url === '/') return response.setHeader('Lightdash-Version', '2.1.0').end();
      if (path === `POST /api/v2/projects/${projectUuid}/query/compose-merge-query`) {
        return (merge ?? sendJson(startedMerge()))(response);
      }
      if (path === `POST /api/v2/projects/${projectUuid}/query/chart`) {
        return (chart ?? sendJson(startedChart()))(response);
      }
      if (path === `GET /api/v2/projects/${projectUuid}/query/${queryUuid}`) {
        return query[Math.min(polls++, query.length - 1)]?.(response);
      }
      response.writeHead(404).end();
    });
  });
  return { url, received };
}

const rows = sendJson(resultPage([{ day: 'Monday', count: 7 }]));
const startedChart = (fields: object = {}) => ({
  status: 'ok',
  results: { queryUuid, metricQuery: metricQuery(), cacheMetadata: { cacheHit: false }, ...fields },
});

const folder = temporaryFolder();
const mergeFile = join(folder, 'merge.json');
writeFileSync(mergeFile, JSON.stringify({ mergeQuery: mergeQuery() }));

async function verify(url: string, canary: string, env: Record<string, string> = {}, ...more: string[]) {
  const argv = ['upgrade-verify', '--instance', url, '--version', '2.1.0'];
  const window = more.includes('--window') ? [] : ['--window', '0s'];
  const world = { env: { LIGHTDASH_API_KEY: token, LIGHTDASH_PROJECT: projectUuid, HOME: folder, ...env } };
  const outcome = await runCli([...argv, ...window, '--canary', canary, ...more], world);
  expect(`${outcome.stdout}${outcome.stderr}`).not.toContain(token);
  return outcome;
}

describe('upgrade-verify --canary', () => {
  it('is a yes where a merge returns rows, read anew', async () => {
    const { url, received } = await startInstance({ query: [sendJson(queryState('executing')), rows] });
    const outcome = await verify(url, mergeFile);
    expect(outcome).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^\d s: ready, and serves 2\.1\.0\n$/),
    });
    expect(outcome.stdout).toMatch(/^Answer: Verified: /);
    expect(outcome.stdout).toContain('\nok          canary: the query returned 1 row\n');
    const [sent] = received.filter(({ path }) => path.startsWith('POST '));
    const body = { mergeQuery: mergeQuery(), invalidateCache: true, context: 'cli' };
    expect(JSON.parse(sent?.body ?? '')).toEqual(body);
    expect(sent?.authorization).toBe(`ApiKey ${token}`);
    const others = received.filter(({ path }) => !path.includes('/query'));
    expect(others.map(({ authorization }) => authorization)).toEqual(others.map(() => undefined));
  });

  it('asks the project of --project, before that of the environment', async () => {
    const { url } = await startInstance({ query: [rows] });
    const other = { LIGHTDASH_PROJECT: chartUuid };
    expect(await verify(url, mergeFile, other)).toMatchObject({ code: 3 });
    expect(await verify(url, mergeFile, other, '--project', projectUuid)).toMatchObject({ code: 0 });
  });

  it('sends the token of a service account as Bearer, and any other so with --auth', async () => {
    const { url, received } = await startInstance({ query: [rows] });
    const ofService = 'ldsvc_0123456789abcdef';
    await verify(url, chartUuid, { LIGHTDASH_API_KEY: ofService });
    await verify(url, chartUuid, {}, '--auth', 'bearer');
    const sent = received.flatMap(({ authorization = [] }) => authorization);
    expect(sent).toEqual([...Array(2).fill(`Bearer ${ofService}`), ...Array(2).fill(`Bearer ${token}`)]);
  });

  it('runs a saved chart as it is saved, read anew', async () => {
    const { url, received } = await startInstance({ query: [sendJson(queryState('pending')), rows] });
    expect(await verify(url, chartUuid)).toMatchObject({ code: 0 });
    const asked = received.filter(({ authorization }) => authorization !== undefined);
    expect(asked.map(({ path }) => path)).toEqual([
      `POST /api/v2/projects/${projectUuid}/query/chart`,
      ...Array(2).fill(`GET /api/v2/projects/${projectUuid}/query/${queryUuid}`),
    ]);
    expect(JSON.parse(asked[0]?.body ?? '')).toEqual({ chartUuid, invalidateCache: true, context: 'cli' });
  });

  const of = (kind: string, code: number) => sendJson(errorPayload(code, kind, 'It is wrong.'), code);
  const query = (...state: Parameters<typeof queryState>) => ({ query: [sendJson(queryState(...state))] });
  const started = (more: Parameters<typeof startedMerge>[0]) => sendJson(startedMerge(more));
  const page = (response: ServerResponse) =>
    response.writeHead(404, { 'content-type': 'text/html' }).end('<title>Not found</title>');
  const login = (response: ServerResponse) =>
    response.setHeader('content-type', 'text/html').end('<title>Sign in</title>');
  const absent = { chart: of('NotFoundError', 404) };
  const ofCharts: [string, Answers, number, string][] = [
    ['no such request', absent, 3, 'not available on this release: POST '],
    ['a page for no such request', { chart: page }, 3, 'not available on this release: POST '],
    ['no such query', { query: [of('NotFoundError', 404)] }, 3, 'not available on this release: GET '],
    ['the page of a login in front of it', { chart: login }, 3, 'POST '],
    ['the page of a login, for its query', { query: [login] }, 3, 'GET '],
    ['a refusal', { chart: of('ParameterError', 400) }, 1, 'POST '],
    ['a token that may not', { chart: of('ForbiddenError', 403) }, 3, 'POST '],
    ['no rows', { query: [sendJson(resultPage([]))] }, 1, 'the query returned no rows'],
    [
      'rows from the cache',
      { chart: sendJson(startedChart({ cacheMetadata: { cacheHit: true } })), query: [rows] },
      3,
      'the rows may come from the cache',
    ],
    [
      'no word of the cache',
      { chart: sendJson(startedChart({ cacheMetadata: undefined })), query: [rows] },
      3,
      'the rows may come from the cache',
    ],
    ['no query', { chart: sendJson(startedChart({ queryUuid: undefined })) }, 1, 'POST '],
  ];
  it.each(ofCharts)('a chart that is answered with %s: exit %#', async (_, answers, code, told) => {
    const { url } = await startInstance(answers);
    const outcome = await verify(url, chartUuid);
    expect(outcome.stdout).toContain(`\n${code === 1 ? 'NO         ' : 'NOT CHECKED'} canary: ${told}`);
    expect(outcome.stdout).toContain('\n            To do: ');
    expect(outcome).toMatchObject({
      code,
      stdout: expect.stringMatching(/^Answer: (Not verified|not known): /),
    });
    const json = JSON.parse((await verify(url, chartUuid, {}, '--json')).stdout);
    expect(validatorOf('upgrade-verify-result.json')(json)).toBe(true);
  });

  it.each<[string, Answers, number, string]>([
    ['no rows', { query: [sendJson(resultPage([]))] }, 1, 'the query returned no rows'],
    ['a query that failed', query('error', { error: 'no orders' }), 1, 'the query ended as error: no orders'],
    [
      'a merge that is refused',
      { merge: sendJson(refusedMerge({ kind: 'fan_out' })) },
      1,
      'the merge was refused: fan_out: It is wrong.',
    ],
    ['an instance that refuses the request', { merge: of('ParameterError', 400) }, 1, 'POST '],
    [
      'a release without merges',
      { merge: of('NotFoundError', 404) },
      3,
      'not available on this release: POST ',
    ],
    [
      'an answer without a query to ask for',
      { merge: started({ queryUuid: undefined }) },
      1,
      'the answer names no query to wait for (results.query.queryUuid)\n',
    ],
    ['a token that is not known', { merge: of('AuthorizationError', 401) }, 3, 'POST '],
    [
      'a query that is answered from the cache',
      { merge: started({ cacheMetadata: { cacheHit: true } }), query: [rows] },
      3,
      'the rows may come from the cache of the instance, although it was asked to bypass it',
    ],
  ])('%s: exit %i', async (_, answers, code, told) => {
    const { url } = await startInstance(answers);
    const outcome = await verify(url, mergeFile);
    expect(outcome.stdout).toContain(`\n${code === 1 ? 'NO         ' : 'NOT CHECKED'} canary: ${told}`);
    expect(outcome.stdout).toContain('\n            To do: ');
    expect(outcome).toMatchObject({
      code,
      stdout: expect.stringMatching(/^Answer: (Not verified|not known): /),
    });
    const json = JSON.parse((await verify(url, mergeFile, {}, '--json')).stdout);
    expect(validatorOf('upgrade-verify-result.json')(json)).toBe(true);
    expect(json).toMatchObject({ safe: false, outcome: 'not-verified' });
  });

  it('waits for the rows of a query as long as --window says', async () => {
    const { url } = await startInstance(query('executing'));
    const outcome = await verify(url, mergeFile, {}, '--window', '3s', '--interval', '1s');
    const unended = `NOT CHECKED canary: the query ${queryUuid} is still executing after 3 s`;
    expect(outcome).toMatchObject({ code: 3, stdout: expect.stringContaining(unended) });
  });

  it('waits for each answer as long as --timeout says', async () => {
    const { url } = await startInstance({ merge: () => {} });
    const { code, stdout } = await verify(url, mergeFile, {}, '--timeout', '1s');
    expect(code).toBe(3);
    expect(stdout).toMatch(/\nNOT CHECKED canary: POST [^\n]* within 1 s/);
  });

  const posted = (received: readonly Received[]) => received.filter(({ path }) => path.startsWith('POST '));

  it.each([
    ['LIGHTDASH_API_KEY', '', 'the token is not set', 'Set LIGHTDASH_API_KEY to a personal access token'],
    ['LIGHTDASH_AUTH_SCHEME', 'Basic', 'LIGHTDASH_AUTH_SCHEME is "Basic"', 'Correct it, and verify again.'],
  ])('is no yes with %s=%s, and says what to set', async (name, value, what, todo) => {
    const { url, received } = await startInstance({ query: [rows] });
    const { code, stdout } = await verify(url, mergeFile, { [name]: value });
    expect(code).toBe(3);
    expect(stdout).toContain(`\nNOT CHECKED canary: ${what}`);
    expect(stdout.replaceAll(/\n +/g, ' ')).toContain(`To do: ${todo}`);
    expect(posted(received)).toEqual([]);
  });

  it('asks nothing of an instance that is not ready', async () => {
    const ready = sendJson({ status: 'not_ready', reason: 'schema_pending' }, 503);
    const { url, received } = await startInstance({ ready });
    const { code, stdout } = await verify(url, mergeFile);
    expect(code).toBe(1);
    expect(stdout).toMatch(/\nNOT CHECKED canary: the instance is not ready.*\n +To do: Verify again/);
    expect(received.filter(({ authorization }) => authorization !== undefined)).toEqual([]);
  });

  it.each([
    ['that is no merge', '{"mergeQuery": 1}'],
    ['that no JSON can carry', notANumber],
  ])('refuses a file %s before anything is asked', async (_, text) => {
    const { url, received } = await startInstance({});
    const file = join(temporaryFolder(), 'merge.yaml');
    writeFileSync(file, text);
    const outcome = await verify(url, file);
    expect(outcome).toMatchObject({ code: 2, stderr: expect.stringContaining('lightspan merge validate') });
    expect(received).toEqual([]);
  });

  it('refuses a file that is not there, and --project or --auth alone', async () => {
    const { url, received } = await startInstance({});
    expect(await verify(url, join(folder, 'none.yaml'))).toMatchObject({ code: 3 });
    for (const alone of [
      ['--project', projectUuid],
      ['--auth', 'bearer'],
    ]) {
      const argv = ['upgrade-verify', '--instance', url, '--version', '2.1.0', ...alone];
      expect(await runCli(argv)).toMatchObject({ code: 2, stderr: expect.stringContaining('--canary') });
    }
    expect(received).toEqual([]);
  });
});
