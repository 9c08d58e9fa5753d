import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createClient, LightspanError } from '../../../src/library/index.js';
import { answerRequests } from '../../support/answers.js';
import { projectUuid, token } from '../../support/lightdash-server.js';
import { mergeQuery, metricQuery } from '../../support/merge.js';
import { refusedMerge, startedMerge } from '../../support/merge-responses.js';

const url = 'https://lightdash.example.com';
const client = createClient({ url, token, project: projectUuid });
const api = answerRequests({ authorization: `ApiKey ${token}`, accept: 'application/json' });

describe('createClient', () => {
  it.each<[string, Partial<Parameters<typeof createClient>[0]>, Record<string, unknown>]>([
    [
      'as it is',
      {},
      { authorization: `ApiKey ${token}`, 'user-agent': expect.stringMatching(/^lightspan\/\d+\.\d+\.\d+$/) },
    ],
    ['with another scheme', { scheme: 'Bearer' }, { authorization: `Bearer ${token}` }],
    ['by another name', { userAgent: 'mine/1' }, { 'user-agent': 'mine/1' }],
    ['with what a proxy asks for', { proxyAuthorization: 'Basic x' }, { 'proxy-authorization': 'Basic x' }],
  ])('asks %s', async (_, options, headers) => {
    const asked: Headers[] = [];
    const fetch = (async (_: unknown, { headers }: RequestInit) => {
      asked.push(new Headers(headers));
      return Response.json({ status: 'ok', results: [] });
    }) as typeof globalThis.fetch;
    await createClient({ url, token, fetch, ...options }).listUsers();
    expect(Object.fromEntries(asked[0] ?? [])).toMatchObject(headers);
  });

  it('asks no longer than it may, and ends with the signal that it was given', async () => {
    const never = ((_: unknown, { signal }: RequestInit) =>
      new Promise((_, fail) => {
        signal?.addEventListener('abort', () => fail(signal.reason));
      })) as typeof globalThis.fetch;
    await expect(createClient({ url, token, fetch: never, timeoutMs: 50 }).listUsers()).rejects.toMatchObject(
      { code: 'timeout' },
    );
    const asking = new AbortController();
    const asked = createClient({ url, token, fetch: never, signal: asking.signal }).listUsers();
    asking.abort(new Error('no longer wanted'));
    await expect(asked).rejects.toThrow('no longer wanted');
  });

  it('asks nobody in a process that trusts every certificate, whatever environment it was given', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    onTestFinished(() => void vi.unstubAllEnvs());
    for (const env of [undefined, {}, { NODE_TLS_REJECT_UNAUTHORIZED: '1' }]) {
      await expect(createClient({ url, token, env }).listUsers()).rejects.toMatchObject({
        code: 'usage',
        message: expect.stringContaining('NODE_TLS_REJECT_UNAUTHORIZED=0'),
      });
    }
  });

  it.each([startedMerge(), refusedMerge({ kind: 'fan_out' })])('submits a merge', async (answer) => {
    const body = { mergeQuery: mergeQuery() };
    api()
      .post(`/api/v2/projects/${projectUuid}/query/compose-merge-query`, JSON.stringify(body))
      .reply(200, answer);
    expect(await client.submitMerge(body)).toEqual(answer);
  });

  it('compiles a query against its own explore, or another', async () => {
    const answer = { status: 'ok', results: { query: 'SELECT 1' } };
    const explores = `/api/v1/projects/${projectUuid}/explores`;
    api().post(`${explores}/orders/compileQuery`, JSON.stringify(metricQuery())).reply(200, answer);
    api().post(`${explores}/a%2Fb/compileQuery`, JSON.stringify(metricQuery())).reply(200, answer);
    expect(await client.compileQuery(metricQuery())).toEqual(answer);
    expect(await client.compileQuery(metricQuery(), 'a/b')).toEqual(answer);
  });

  it.each([201, 204, 206])('takes no %i for an answer', async (status) => {
    api()
      .get('/api/v1/org/users')
      .reply(status, status === 204 ? '' : { status: 'ok', results: [] });
    await expect(client.listUsers()).rejects.toThrow(`HTTP ${status}`);
  });

  it('follows no redirect, not even on the same host', async () => {
    api()
      .get('/api/v1/org/users')
      .reply(302, '', { location: `${url}/api/v1/users` });
    await expect(client.listUsers()).rejects.toThrow(/HTTP 302, a redirect to .*, not followed/);
  });

  it('throws what the server says, without the token in it', async () => {
    const error = { name: 'ForbiddenError', statusCode: 403, message: `No, ${token}`, data: {} };
    api().get('/api/v1/org/users').reply(403, { status: 'error', error });
    const thrown: unknown = await client.listUsers().catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(LightspanError);
    expect(thrown).toMatchObject({
      code: 'api-error',
      message: `GET ${url}/api/v1/org/users: HTTP 403 ForbiddenError: No, [redacted]`,
      response: { name: 'ForbiddenError', statusCode: 403, message: 'No, [redacted]' },
    });
    expect(JSON.stringify(Object.entries(Object(thrown)))).not.toContain(token);
    api().get('/api/v1/org/users').reply(403, `No, ${token}`);
    await expect(client.listUsers()).rejects.toThrow(': No, [redacted]');
  });

  it.each<[string, string | Uint8Array<ArrayBuffer>]>([
    ['nothing', ' \n'],
    ['a page', ' \n<html>'],
    ['half an answer', '{"status":"<ok>'],
    ['brackets without end', '['.repeat(100_000)],
    ['bytes', Uint8Array.of(0xff)],
  ])('takes no %s for an answer', async (_, body) => {
    const fetch = async () => new Response(body);
    await expect(createClient({ url, token, fetch }).listUsers()).rejects.toMatchObject({
      code: 'invalid-response',
      message: `GET ${url}/api/v1/org/users: the answer is not JSON`,
    });
  });

  it.each([
    '{"status":"error","status":"ok","results":[]}',
    '{"status":"ok","results":[{"userUuid":"a","userUuid":"b"}]}',
    '{"status":"ok","stat\\u0075s":"ok","results":[]}',
  ])('takes no answer with a key twice in one object: %s', async (body) => {
    const fetch = async () => new Response(body);
    await expect(createClient({ url, token, fetch }).listUsers()).rejects.toMatchObject({
      code: 'invalid-response',
      message: expect.stringMatching(/the answer holds an object with the key "\w+" twice$/),
      details: { mayHaveArrived: true },
    });
  });

  it.each([
    [
      'a merge',
      () => createClient({ url, token }).submitMerge({}),
      /^no project is given, but this request needs one$/,
    ],
    ['a query without an explore', () => client.compileQuery({}), /names no explore/],
    ['a chart that is no UUID', () => client.getChart('../x'), /is not a UUID version 4/],
    [
      'a query that is no UUID',
      () => client.followQuery('a/b', { windowMs: 1 }).next(),
      /the query UUID "a\/b" is not a UUID/,
    ],
  ])('rejects %s before anything is sent', async (_, ask, message) => {
    await expect(ask()).rejects.toMatchObject({ code: 'usage', message: expect.stringMatching(message) });
  });
});
