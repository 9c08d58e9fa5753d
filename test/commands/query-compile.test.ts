import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { answerRequests, envOfAnswers as env } from '../support/answers.js';
import { runCli } from '../support/cli.js';
import { projectUuid } from '../support/lightdash-server.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const compiled = (query: string) => ({ status: 'ok', results: { query } });
const query = '{"exploreName":"orders","dimensions":["orders_id"]}';
const api = answerRequests();
const path = (explore: string) => `/api/v1/projects/${projectUuid}/explores/${explore}/compileQuery`;

describe('lightspan query compile', () => {
  it('prints the SQL, line breaks and tabs kept, other control characters shown', async () => {
    api().post(path('orders'), query).reply(200, compiled('SELECT\r\n\t1 -- \u001b[2J\u009b\nFROM x'));
    const file = join(temporaryFolder(), 'query.json');
    writeFileSync(file, query);
    expect(await runCli(['query', 'compile', file], { env })).toEqual({
      code: 0,
      stdout: 'SELECT\n\t1 -- \\u001b[2J\\u009b\nFROM x\n',
      stderr: '',
    });
  });

  it('--explore never leaves its place in the path', async () => {
    api().post(path('orders%2F..%2F..%2Fadmin'), query).reply(200, compiled('SELECT 1'));
    const argv = ['query', 'compile', '-', '--explore', 'orders/../../admin'];
    expect(await runCli(argv, { env, stdin: query })).toMatchObject({ code: 0 });
  });

  it.each([
    [['--explore', '..'], query, /the explore "\.\." cannot be part of a URL/],
    [['--explore', ''], query, /--explore.*It is empty/],
    [[], '{}', /names no explore \(exploreName\)\nName one with --explore/],
    [[], '{"exploreName"', /the metric query on standard input is not a JSON object/],
    [[], '[]', /is not a JSON object/],
  ])('%j with the query %j is refused, and nothing is sent', async (flags, stdin, message) => {
    // A request that is answered by nobody would end with 3.
    const outcome = await runCli(['query', 'compile', '-', ...flags], { env, stdin });
    expect(outcome).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
  });

  it('SQL that is no string is off the contract', async () => {
    api()
      .post(path('orders'), query)
      .reply(200, { status: 'ok', results: { query: 7 } });
    const { code, stderr } = await runCli(['query', 'compile', '-'], { env, stdin: query });
    expect(code).toBe(4);
    expect(stderr).toContain('results.query: expected a string, got 7');
  });
});
