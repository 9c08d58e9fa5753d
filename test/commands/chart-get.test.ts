import { describe, expect, it } from 'vitest';
import { runCli, spawnCli } from '../support/cli.js';
import { chartUuid, envOf, projectUuid, startLightdash, token } from '../support/lightdash-server.js';

const metricQuery = {
  exploreName: 'orders',
  dimensions: ['orders_status'],
  metrics: ['orders_total'],
  filters: {},
  sorts: [{ fieldId: 'orders_total', descending: true }],
  limit: 500,
  tableCalculations: [],
  newInThisVersion: { kept: true },
};
const chart = {
  status: 'ok',
  results: { uuid: chartUuid, name: 'Orders by \u001b[31mstatus', metricQuery, extra: [1] },
};

describe('lightspan chart get', () => {
  it('shows the chart to a person', async () => {
    const server = await startLightdash(chart);
    expect(await runCli(['chart', 'get', chartUuid], { env: envOf(server) })).toEqual({
      code: 0,
      stdout: [
        'Chart: Orders by \\u001b[31mstatus',
        'Explore: orders',
        'Dimensions: orders_status',
        'Metrics: orders_total',
        'Sorted by: orders_total descending',
        'Calculations: none',
        'Limit: 500',
        '',
      ].join('\n'),
      stderr: '',
    });
  });

  it('sends one GET, with the token and nothing else', async () => {
    const server = await startLightdash(chart);
    await runCli(['chart', 'get', chartUuid], { env: envOf(server) });
    expect(server.received).toMatchObject([
      {
        method: 'GET',
        url: `/api/v1/saved/${chartUuid}`,
        headers: {
          authorization: `ApiKey ${token}`,
          accept: 'application/json',
          'user-agent': expect.stringMatching(/^lightspan\/\d/),
        },
        body: '',
      },
    ]);
    expect(server.received[0]?.headers).not.toHaveProperty('content-type');
  });

  it('--metric-query feeds query compile, which sends it', async () => {
    const server = await startLightdash(chart, { status: 'ok', results: { query: 'SELECT 1' } });
    const got = await spawnCli(['chart', 'get', chartUuid, '--metric-query'], { env: envOf(server) });
    expect(got).toMatchObject({ code: 0, stderr: '' });
    const compiled = await spawnCli(['query', 'compile', '-'], { env: envOf(server), stdin: got.stdout });
    expect(JSON.parse(got.stdout)).toEqual(metricQuery);
    expect(compiled).toEqual({ code: 0, stdout: 'SELECT 1\n', stderr: '' });
    expect(server.received[1]).toMatchObject({
      method: 'POST',
      url: `/api/v1/projects/${projectUuid}/explores/orders/compileQuery`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(metricQuery),
    });
  });

  it.each(['../../etc', 'a/b', 'a?b', '..', '', '8c1f0e52-6f0a-1a8b-9d2e-1f3a5b7c9d0e', `${chartUuid}x`])(
    'refuses the chart UUID %j and sends nothing',
    async (uuid) => {
      const server = await startLightdash();
      const { code, stdout, stderr } = await runCli(['chart', 'get', uuid], { env: envOf(server) });
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain('is not a UUID version 4');
      expect(server.received).toEqual([]);
    },
  );

  it('a chart without a metric query is off the contract', async () => {
    const server = await startLightdash({ status: 'ok', results: { name: 'x' } });
    const { code, stderr } = await runCli(['chart', 'get', chartUuid], { env: envOf(server) });
    expect(code).toBe(4);
    expect(stderr).toContain('results.metricQuery: missing; expected an object');
  });
});
