import { describe, expect, it } from 'vitest';
import { answerRequests, envOfAnswers } from '../support/answers.js';
import { runCli } from '../support/cli.js';
import { projectUuid } from '../support/lightdash-server.js';

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
const api = answerRequests();
const metrics = (...flags: readonly string[]) =>
  runCli(['catalog', 'metrics', ...flags], { env: envOfAnswers });

describe('lightspan catalog metrics', () => {
  it.each([
    [['--page', '2'], ['2'], 'This is page 2; --all lists every metric.\n'],
    [['--json'], [undefined], ''],
    [['--all'], ['1', '2'], ''],
  ])('with %j says which page it is', async (flags, pages, stderr) => {
    for (const [i, number] of pages.entries()) {
      const data = i === 0 ? page('n') : page();
      api()
        .get(path)
        .query((asked) => asked.page === number)
        .reply(200, data);
    }
    expect(await metrics(...flags)).toMatchObject({ code: 0, stderr });
  });

  it('says so where there are none', async () => {
    api().get(path).reply(200, page());
    expect(await metrics()).toMatchObject({ stdout: 'No metrics.\n', stderr: '' });
    api().get(`${path}?page=9`).reply(200, page());
    const beyond = await metrics('--page', '9');
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
    const asked = api()
      .get(path + query)
      .reply(200, page());
    await metrics(...flags);
    expect(asked.isDone()).toBe(true);
  });

  it('names the metric that is off the contract', async () => {
    const data = [metric('a'), { ...metric('b'), tags: 'x' }];
    api().get(path).reply(200, { status: 'ok', results: { data } });
    const { code, stderr } = await metrics();
    expect(code).toBe(4);
    expect(stderr).toContain('results.data[1].tags: expected a list, got "x"');
  });
});
