import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { envOf, startLightdash } from '../support/lightdash-server.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const compiled = (query: string) => ({ status: 'ok', results: { query } });
const query = '{"exploreName":"orders","dimensions":["orders_id"]}';

describe('lightspan query compile', () => {
  it('prints the SQL, line breaks and tabs kept, other control characters shown', async () => {
    const server = await startLightdash(compiled('SELECT\r\n\t1 -- \u001b[2J\u009b\nFROM x'));
    const file = join(temporaryFolder(), 'query.json');
    writeFileSync(file, query);
    expect(await runCli(['query', 'compile', file], { env: envOf(server) })).toEqual({
      code: 0,
      stdout: 'SELECT\n\t1 -- \\u001b[2J\\u009b\nFROM x\n',
      stderr: '',
    });
    expect(server.received[0]).toMatchObject({ body: query });
  });

  it('--explore never leaves its place in the path', async () => {
    const server = await startLightdash(compiled('SELECT 1'));
    const argv = ['query', 'compile', '-', '--explore', 'orders/../../admin'];
    expect(await runCli(argv, { env: envOf(server), stdin: query })).toMatchObject({ code: 0 });
    expect(server.received[0]?.url).toContain('/explores/orders%2F..%2F..%2Fadmin/compileQuery');
  });

  it.each([
    [['--explore', '..'], query, /the explore "\.\." cannot be part of a URL/],
    [['--explore', ''], query, /--explore.*It is empty/],
    [[], '{}', /names no explore \(exploreName\)\nName one with --explore/],
    [[], '{"exploreName"', /the metric query on standard input is not a JSON object/],
    [[], '[]', /is not a JSON object/],
  ])('%j with the query %j is refused, and nothing is sent', async (flags, stdin, message) => {
    const server = await startLightdash();
    const outcome = await runCli(['query', 'compile', '-', ...flags], { env: envOf(server), stdin });
    expect(outcome).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
    expect(server.received).toEqual([]);
  });

  it('SQL that is no string is off the contract', async () => {
    const server = await startLightdash({ status: 'ok', results: { query: 7 } });
    const { code, stderr } = await runCli(['query', 'compile', '-'], { env: envOf(server), stdin: query });
    expect(code).toBe(4);
    expect(stderr).toContain('results.query: expected a string, got 7');
  });
});
