import { describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { envOf, projectUuid, startLightdash } from '../support/lightdash-server.js';

const metric = (name: string) => ({
  name,
  label: name.toUpperCase(),
  tags: [],
  categories: [],
  tableName: 'orders',
  tableLabel: 'Orders',
  more: 1,
});
const page = (...names: string[]) => ({
  status: 'ok',
  results: { data: names.map((name) => metric(name)) },
});
const path = `/api/v2/projects/${projectUuid}/dataCatalog/metrics-with-time-dimensions`;

describe('lightspan catalog metrics', () => {
  it.each([
    [['--page', '2'], 'This is page 2; --all lists every metric.\n'],
    [['--json'], ''],
    [['--all'], ''],
  ])('with %j says which page it is', async (flags, stderr) => {
    const server = await startLightdash(page('n'), page());
    expect(await runCli(['catalog', 'metrics', ...flags], { env: envOf(server) })).toMatchObject({
      code: 0,
      stderr,
    });
  });

  it('says so where there are none', async () => {
    const server = await startLightdash(page());
    expect(await runCli(['catalog', 'metrics'], { env: envOf(server) })).toMatchObject({
      stdout: 'No metrics.\n',
      stderr: '',
    });
    const beyond = await runCli(['catalog', 'metrics', '--page', '9'], { env: envOf(server) });
    expect(beyond.stderr).toMatch(/^This is page 9; /);
  });

  it.each([
    [['--tag', 'a', '--tag', 'b&c'], '?tags=a&tags=b%26c'],
    [['--sort', 'label', '--order', 'desc'], '?sort=label&order=desc'],
    [['--page', '2', '--page-size', '50'], '?page=2&pageSize=50'],
    [
      ['--all', '--tag', 'a', '--sort', 'label', '--order', 'desc', '--page-size', '50'],
      '?page=1&pageSize=50&sort=label&order=desc&tags=a',
    ],
  ])('%j asks for %s', async (flags, query) => {
    const server = await startLightdash(page());
    await runCli(['catalog', 'metrics', ...flags], { env: envOf(server) });
    expect(server.received.map(({ url }) => url)).toEqual([path + query]);
  });

  it('names the metric that is off the contract', async () => {
    const data = [metric('a'), { ...metric('b'), tags: 'x' }];
    const server = await startLightdash({ status: 'ok', results: { data } });
    const { code, stderr } = await runCli(['catalog', 'metrics'], { env: envOf(server) });
    expect(code).toBe(4);
    expect(stderr).toContain('results.data[1].tags: expected a list, got "x"');
  });
});
