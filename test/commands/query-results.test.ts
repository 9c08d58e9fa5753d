import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { outcomeOf, runCli } from '../support/cli.js';
import {
  type Answer,
  envOf,
  projectUuid,
  queryUuid,
  sendJson,
  startLightdash,
} from '../support/lightdash-server.js';
import { queryState, resultPage } from '../support/merge-responses.js';
import { nodeUnderTest } from '../support/node-under-test.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const rows = [
  { day: '2026-01-01', count: 3 },
  { day: '=1+1', count: null },
];
const pages = [
  resultPage(rows.slice(0, 1), { page: 1, nextPage: 2, totalPageCount: 2, totalResults: 2 }),
  resultPage(rows.slice(1), { page: 2, nextPage: null, totalPageCount: 2, totalResults: 2 }),
];

async function results(answers: readonly Answer[], flags: readonly string[] = []) {
  const server = await startLightdash(...answers);
  const outcome = await runCli(['query', 'results', queryUuid, ...flags], { env: envOf(server) });
  return { ...outcome, received: server.received };
}

describe('lightspan query results', () => {
  it('--out - is standard output', async () => {
    expect(await results(pages, ['--out', '-', '--output', 'ndjson'])).toMatchObject({
      code: 0,
      stdout: '{"day":"2026-01-01","count":3}\n{"day":"=1+1","count":null}\n',
    });
  });

  it('waits for a query that still runs, and writes the rows of all pages', async () => {
    const { code, stdout, stderr, received } = await results(
      [queryState('queued'), queryState('executing'), ...pages],
      ['--output', 'csv'],
    );
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: "day,count\r\n2026-01-01,3\r\n'=1+1,\r\n",
      stderr:
        'An apostrophe was put before 1 value that a spreadsheet could run as a formula; --raw-csv leaves it out.\n',
    });
    const path = `/api/v2/projects/${projectUuid}/query/${queryUuid}?page=`;
    expect(received.map(({ method, url }) => `${method} ${url}`)).toEqual(
      [1, 1, 1, 2].map((page) => `GET ${path}${page}&pageSize=500`),
    );
  });

  it('--json is one line, with the rows or the file that has them', async () => {
    const end = { schemaVersion: '1', queryUuid, status: 'ready', rowCount: 2 };
    const { stdout } = await results(pages, ['--json']);
    expect(JSON.parse(stdout)).toEqual({ ...end, rows });
    expect(stdout.indexOf('\n')).toBe(stdout.length - 1);
    const out = join(temporaryFolder(), 'rows.ndjson');
    const filed = await results(pages, ['--json', '--output', 'ndjson', '--out', out]);
    expect(JSON.parse(filed.stdout)).toEqual({ ...end, out });
    expect(readFileSync(out, 'utf8')).toBe(`${rows.map((row) => JSON.stringify(row)).join('\n')}\n`);
  });

  it('ends where its reader does, and asks for no more', async () => {
    const many = Array.from({ length: 500 }, (_, i) => ({ i: 'x'.repeat(400) + i }));
    const server = await startLightdash((response, { url }) => {
      const page = Number(/page=(\d+)/.exec(url)?.[1]);
      sendJson(resultPage(many, { page, nextPage: page + 1 }))(response);
    });
    const argv = ['bin/lightspan.cjs', 'query', 'results', queryUuid, '--output', 'ndjson'];
    const child = spawn(nodeUnderTest, argv, { env: envOf(server), stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.once('data', () => child.stdout.destroy());
    const { code, stderr } = await outcomeOf(child);
    expect(code).toBe(3);
    expect(stderr).toContain('lightspan: cannot write standard output: its reader has gone\n');
  });

  it('--page-size asks for pages of that size, and takes the shorter ones that a server allows', async () => {
    const long = Array.from({ length: 500 }, (_, i) => ({ i }));
    const { code, stdout, received } = await results(
      [resultPage(long), resultPage(long.slice(0, 7))],
      ['--page-size', '5000', '--output', 'ndjson'],
    );
    expect({ code, rows: stdout.split('\n').length - 1 }).toEqual({ code: 0, rows: 507 });
    expect(received.map(({ url }) => url.split('?')[1])).toEqual([
      'page=1&pageSize=5000',
      'page=2&pageSize=5000',
    ]);
  });

  it.each(['error', 'cancelled', 'expired'])('a query that ended as %s is a no', async (status) => {
    const folder = temporaryFolder();
    const answers = [queryState(status, { error: 'no such column' })];
    const { code, stdout, stderr } = await results(answers, ['--out', join(folder, 'x.csv')]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^Query \S+ .*: no such column\nNext: /);
    expect(readdirSync(folder)).toEqual([]);
    const json = await results(answers, ['--json']);
    expect(JSON.parse(json.stdout)).toEqual({
      schemaVersion: '1',
      queryUuid,
      status,
      reason: 'no such column',
    });
  });

  it('says how to go on where the wait is over first', async () => {
    const out = join(temporaryFolder(), 'a b.csv');
    const flags = ['--wait', '1s', '--output', 'csv', '--raw-csv', '--page-size', '50', '--out', out];
    const { code, stdout, stderr } = await results([queryState('executing')], flags);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toContain(
      `Next: fetch its result with lightspan query results ${queryUuid} --output csv --out '${out}' --page-size 50 --raw-csv\n`,
    );
    expect(stderr).toContain(`the query ${queryUuid} is still executing after 1 s`);
  });

  it('fewer rows than it counts cannot be trusted', async () => {
    const answer = resultPage(rows, { nextPage: null, totalResults: 3 });
    const { code, stderr } = await results([answer], ['--output', 'ndjson']);
    expect(code).toBe(4);
    expect(stderr).toContain('3 rows, but its pages contained 2');
    const last = resultPage(rows.slice(1), { page: 2, nextPage: null, totalPageCount: 2, totalResults: 3 });
    expect(await results([...pages.slice(0, 1), last], ['--output', 'ndjson'])).toMatchObject({ code: 4 });
  });
});
