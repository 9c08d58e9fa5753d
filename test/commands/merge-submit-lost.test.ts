import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import {
  type Answer,
  envOf,
  errorPayload,
  queryUuid,
  sendJson,
  sendText,
  startLightdash,
} from '../support/lightdash-server.js';
import { mergeQuery } from '../support/merge.js';
import { queryState, refusedMerge, resultPage, startedMerge } from '../support/merge-responses.js';
import { closedPort } from '../support/server.js';

const stdin = JSON.stringify({ mergeQuery: mergeQuery() });
const lost = /^The merge may be running on the server: no answer named its query\.\nNext: \S.*\n/m;
const goOn = `Next: fetch its result with lightspan query results ${queryUuid}`;

async function submit(answers: readonly Answer[], flags: readonly string[] = []) {
  const server = await startLightdash(...answers);
  const outcome = await runCli(['merge', 'submit', '-', ...flags], { env: envOf(server), stdin });
  return { ...outcome, received: server.received };
}

describe('a submit whose answer is lost says that the merge may be running', () => {
  it.each<[string, Answer]>([
    ['it timed out', () => {}],
    ['the connection broke behind the body', (response) => response.destroy()],
    ['the answer was cut', (response) => response.writeHead(200, { 'content-length': 9 }).end('{')],
    ['an error of the server', sendJson(errorPayload(500, 'E'), 500)],
    ['an error of a proxy', sendText('<html><title>504 Gateway Time-out', { status: 504 })],
    ['no JSON', sendText('<html>')],
    ['it was done, and can be seen elsewhere', (r) => r.writeHead(303, { location: '/elsewhere' }).end()],
  ])('%s', async (_, answer) => {
    const { code, stderr, received } = await submit([answer], ['--timeout', '1s']);
    expect([3, 4]).toContain(code);
    expect(stderr).toMatch(lost);
    expect(received).toHaveLength(1);
  });

  it.each<[string, Answer]>([
    ['a refusal', sendJson(errorPayload(403, 'ForbiddenError', 'No.'), 403)],
    ['a limit', sendJson(errorPayload(429, 'TooManyRequests'), 429)],
    ['a redirect', (response) => response.writeHead(302, { location: '/login' }).end()],
  ])('but not after %s', async (_, answer) => {
    expect((await submit([answer])).stderr).not.toMatch(lost);
  });

  it('nor where it was never sent', async () => {
    const env = envOf({ url: `http://127.0.0.1:${await closedPort()}` });
    const { code, stderr } = await runCli(['merge', 'submit', '-'], { env, stdin });
    expect(code).toBe(3);
    expect(stderr).not.toMatch(lost);
  });

  it('nor at a port to which nothing is sent', async () => {
    const { code, stderr } = await runCli(['merge', 'submit', '-'], {
      env: envOf({ url: 'http://127.0.0.1:1' }),
      stdin,
    });
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('bad port') });
    expect(stderr).not.toMatch(lost);
  });
});

describe('the UUID of a merge that has started is never lost', () => {
  const without = (field: string) => {
    const answer = startedMerge();
    const query = Object(Object(answer.results).query);
    delete query[field];
    return answer;
  };

  it.each(['warnings', 'fields', 'metricQuery', 'cacheMetadata'])(
    'where the answer is off the contract, without %s',
    async (field) => {
      const text = await submit([without(field)]);
      expect(text).toMatchObject({ code: 4, stdout: '' });
      expect(text.stderr).toContain(goOn);
      const { stdout } = await submit([without(field)], ['--json']);
      expect(JSON.parse(stdout)).toMatchObject({ error: { response: { queryUuid } } });
    },
  );

  it('and what is no UUID is not taken for one', async () => {
    const { stderr } = await submit([startedMerge({ queryUuid: '; rm -rf x' })]);
    expect(stderr).toMatch(lost);
    expect(stderr).not.toContain('query results');
  });

  it('a state of the query that came later is waited through', async () => {
    const answers = [startedMerge(), queryState('napping'), resultPage([{ day: 1 }], { nextPage: null })];
    const { code, stdout } = await submit(answers, ['--wait', '--output', 'ndjson']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '{"day":1}\n' });
  });
});

describe('Ctrl-C', () => {
  it.each<[string, Answer[], string[], string]>([
    ['while the merge is sent', [() => {}], [], 'The merge may be running on the server'],
    ['while it is waited for', [startedMerge(), queryState('executing')], ['--wait'], goOn],
    ['reading pages', [startedMerge(), resultPage([{ a: 1 }], { nextPage: 2 }), () => {}], ['--wait'], goOn],
  ])('%s says how to go on', async (_, answers, flags, words) => {
    let reached = () => {};
    const isReached = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const last = answers.at(-1);
    const server = await startLightdash(...answers.slice(0, -1), (response, request) => {
      if (typeof last === 'function') last(response, request);
      else response.end(JSON.stringify(last));
      reached();
    });
    const child = spawn(process.execPath, ['bin/lightspan.cjs', 'merge', 'submit', '-', ...flags], {
      env: envOf(server),
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    child.stdin.end(stdin);
    await isReached;
    child.kill('SIGINT');
    expect(await new Promise((done) => child.on('close', (...how) => done(how)))).toEqual([null, 'SIGINT']);
    expect(stderr).toContain(words);
  });

  it.each<[string, Answer[], string[], boolean[]]>([
    ['started', [startedMerge()], [], [true, false]],
    ['refused', [refusedMerge({ kind: 'fan_out' })], ['--wait'], [true, false]],
    ['lost', [sendText('<html>')], [], [true, false]],
    ['waited for', [startedMerge(), resultPage([])], ['--wait'], [true, false, true, false]],
    ['ended', [startedMerge(), queryState('error')], ['--wait'], [true, false, true, false]],
  ])('says nothing of a merge once it is %s', async (_, answers, flags, says) => {
    const server = await startLightdash(...answers);
    const heard: boolean[] = [];
    await runCli(['merge', 'submit', '-', ...flags], {
      env: envOf(server),
      stdin,
      onSignal: (say) => heard.push(say !== undefined),
    });
    expect(heard).toEqual(says);
  });
});
