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
  results: { uuid: chartUuid, name: 'Orders by status', metricQuery, extra: [1] },
};

describe('lightspan chart get', () => {
  it('sends one GET, with the token and nothing else', async () => {
    const server = await startLightdash(chart);
    await runCli(['chart', 'get', chartUuid], { env: envOf(server) });
    const headers = { authorization: `ApiKey ${token}`, accept: 'application/json' };
    const url = `/api/v1/saved/${chartUuid}`;
    expect(server.received).toMatchObject([{ method: 'GET', url, headers, body: '' }]);
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

  it('refuses what is no UUID and sends nothing', async () => {
    const server = await startLightdash();
    const { code, stdout, stderr } = await runCli(['chart', 'get', '../../etc'], { env: envOf(server) });
    expect({ code, stdout, received: server.received }).toEqual({ code: 2, stdout: '', received: [] });
    expect(stderr).toContain('is not a UUID version 4');
  });

  it('a chart without a metric query is off the contract', async () => {
    const server = await startLightdash({ status: 'ok', results: { name: 'x' } });
    const { code, stderr } = await runCli(['chart', 'get', chartUuid], { env: envOf(server) });
    expect(code).toBe(4);
    expect(stderr).toContain('results.metricQuery: missing; expected an object');
  });
});
