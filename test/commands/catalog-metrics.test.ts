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
  results: { data: names.map((name) => metric(name)) },
});
/** One page of many, which says so. */
const told = (pagination: Record<string, unknown>, ...names: string[]) => ({
  status: 'ok',
  results: { data: names.map((name) => metric(name)), pagination },
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
      stderr: 'Page 1 of how many is not known; --all lists every metric.\n',
    });
    expect(server.received[0]?.url).toBe(path);
  });

  it.each([
    [
      { totalPageCount: 7, totalResults: 613 },
      [],
      'Page 1 of 7, 613 metrics in all; --all lists every metric.\n',
    ],
    [{ totalPageCount: 7 }, ['--page', '2'], 'Page 2 of 7; --all lists every metric.\n'],
    [{ totalPageCount: 1, totalResults: 1 }, [], ''],
    [{ totalPageCount: 7 }, ['--json'], ''],
    [{ totalPageCount: 'many' }, [], 'Page 1 of how many is not known; --all lists every metric.\n'],
  ])('with %j and %j says which page it is', async (pagination, flags, stderr) => {
    const server = await startLightdash({ status: 'ok', results: { data: [metric('n')], pagination } });
    const outcome = await runCli(['catalog', 'metrics', ...flags], { env: envOf(server) });
    expect(outcome).toMatchObject({ code: 0, stderr });
  });

  it('fits into the terminal', async () => {
    const told = async (columns: number) => {
      const server = await startLightdash(page('a_name_of_some_length'));
      return (await runCli(['catalog', 'metrics'], { env: envOf(server), columns })).stdout;
    };
    expect(await told(24)).not.toBe(await told(200));
  });

  it('says so where there are none', async () => {
    const server = await startLightdash(page());
    expect(await runCli(['catalog', 'metrics'], { env: envOf(server) })).toMatchObject({
      stdout: 'No metrics.\n',
      stderr: '',
    });
    const beyond = await startLightdash(told({ page: 9, totalPageCount: 2 }));
    const argv = ['catalog', 'metrics', '--page', '9'];
    expect((await runCli(argv, { env: envOf(beyond) })).stderr).toMatch(/^Page 9 of 2; /);
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
    const server = await startLightdash(told({ totalPageCount: 1 }, 'a'));
    await runCli(['catalog', 'metrics', ...flags], { env: envOf(server) });
    expect(server.received.map(({ url }) => url)).toEqual([path + query]);
  });

  it.each([
    ['no short page', [page('a', 'b'), page('c'), page('d', 'e'), page()], ['a', 'b', 'c', 'd', 'e'], 4],
    [
      'the last page that it tells of',
      [told({ page: 1, totalPageCount: 2 }, 'a'), told({ page: 2, totalPageCount: 2 }, 'b', 'c')],
      ['a', 'b', 'c'],
      2,
    ],
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
    [
      'another page than was asked for',
      ['--page', '2'],
      told({ page: 1, totalPageCount: 2 }, 'a'),
      /page 1 came for page 2/,
    ],
    [
      'more metrics than there are in all',
      [],
      told({ page: 1, totalResults: 1 }, 'a', 'b'),
      /its count of items is 1, but page 1 alone has 2/,
    ],
  ])('%s cannot be trusted, without --all either', async (_, flags, answer, message) => {
    for (const more of [[], ['--json']]) {
      const server = await startLightdash(answer);
      const { code, stderr } = await runCli(['catalog', 'metrics', ...flags, ...more], {
        env: envOf(server),
      });
      expect(code).toBe(4);
      expect(stderr).toMatch(message);
    }
  });

  it('names the metric that is off the contract', async () => {
    const data = [metric('a'), { ...metric('b'), tags: 'x' }];
    const server = await startLightdash({ status: 'ok', results: { data } });
    const { code, stderr } = await runCli(['catalog', 'metrics'], { env: envOf(server) });
    expect(code).toBe(4);
    expect(stderr).toContain('results.data[1].tags: expected a list, got "x"');
  });
});
