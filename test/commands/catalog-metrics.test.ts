import { describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { envOf, projectUuid, startLightdash } from '../support/lightdash-server.js';

const metric = (name: string, tags: string[] = []) => ({
  name,
  label: name.toUpperCase(),
  tags,
  categories: [],
  tableName: 'orders',
  tableLabel: 'Orders',
  more: 1,
});
const page = (...names: string[]) => ({
  status: 'ok',
  results: { data: names.map((name) => metric(name)), pagination: { page: 1 } },
});
const path = `/api/v2/projects/${projectUuid}/dataCatalog/metrics-with-time-dimensions`;

describe('lightspan catalog metrics', () => {
  it('lists metrics as a table', async () => {
    const server = await startLightdash({
      status: 'ok',
      results: { data: [metric('revenue', ['finance', 'a\u001bb']), metric('n')] },
    });
    expect(await runCli(['catalog', 'metrics'], { env: envOf(server) })).toEqual({
      code: 0,
      stdout: [
        'LABEL    METRIC   TABLE   TAGS',
        'REVENUE  revenue  orders  finance, a\\u001bb',
        'N        n        orders',
        '',
      ].join('\n'),
      stderr: '',
    });
    expect(server.received[0]?.url).toBe(path);
  });

  it('says so where there are none', async () => {
    const server = await startLightdash(page());
    expect(await runCli(['catalog', 'metrics'], { env: envOf(server) })).toMatchObject({
      stdout: 'No metrics.\n',
    });
  });

  it.each([
    [['--tag', 'a', '--tag', 'b&c'], '?tags=a&tags=b%26c'],
    [['--sort', 'label', '--order', 'desc'], '?sort=label&order=desc'],
    [['--page', '2', '--page-size', '50'], '?page=2&pageSize=50'],
  ])('%j asks for %s', async (flags, query) => {
    const server = await startLightdash(page('a'));
    await runCli(['catalog', 'metrics', ...flags], { env: envOf(server) });
    expect(server.received.map(({ url }) => url)).toEqual([path + query]);
  });

  it('--json is the answer as it came', async () => {
    const server = await startLightdash(page('a'));
    const { stdout } = await runCli(['catalog', 'metrics', '--json'], { env: envOf(server) });
    expect(JSON.parse(stdout)).toEqual({ schemaVersion: '1', ...page('a') });
  });

  it.each([
    ['an empty page', [page('a', 'b'), page('c', 'd'), page()], ['a', 'b', 'c', 'd'], 3],
    ['a page shorter than the first', [page('a', 'b'), page('c')], ['a', 'b', 'c'], 2],
    ['nothing at all', [page()], [], 1],
    ['the first page again', [page('a', 'b')], ['a', 'b'], 2],
  ])('--all ends at %s', async (_, answers, names, requests) => {
    const server = await startLightdash(...answers);
    const { code, stdout } = await runCli(['catalog', 'metrics', '--all', '--json'], { env: envOf(server) });
    const { results } = JSON.parse(stdout);
    expect({ code, names: results.data.map(({ name }: { name: string }) => name) }).toEqual({
      code: 0,
      names,
    });
    expect(server.received.map(({ url }) => url)).toEqual(
      Array.from({ length: requests }, (_, i) => `${path}?page=${i + 1}&pageSize=100`),
    );
  });

  it.each([
    [['--page', '0'], /--page/],
    [['--page', '1.5'], /--page/],
    [['--page-size', '1e9999'], /--page-size/],
    [['--order', 'up'], /--order/],
    [['--all', '--page', '2'], /--all/],
    [['extra'], /too many arguments/],
  ])('%j is a usage error', async (flags, message) => {
    const outcome = await runCli(['catalog', 'metrics', ...flags]);
    expect(outcome).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
  });

  it('names the metric that is off the contract', async () => {
    const data = [metric('a'), { ...metric('b'), tags: 'x' }];
    const server = await startLightdash({ status: 'ok', results: { data } });
    const { code, stderr } = await runCli(['catalog', 'metrics'], { env: envOf(server) });
    expect(code).toBe(4);
    expect(stderr).toContain('results.data[1].tags: expected a list, got "x"');
  });
});
