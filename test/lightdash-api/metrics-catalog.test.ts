import { describe, expect, it } from 'vitest';
import { listAllMetrics } from '../../src/lightdash-api/metrics-catalog.js';
import { projectUuid } from '../support/lightdash-server.js';

describe('listAllMetrics', () => {
  it('does not follow a list that never ends', async () => {
    let requests = 0;
    const endless = async () => {
      requests += 1;
      const metric = { name: `m${requests}`, label: '', tags: [], tableName: '', tableLabel: '' };
      return { request: 'GET', payload: { status: 'ok', results: { data: [metric] } } };
    };
    await expect(listAllMetrics(endless, { projectUuid })).rejects.toMatchObject({
      code: 'invalid-response',
      message: 'the metrics catalog: it has more than 1000 pages',
    });
    expect(requests).toBe(1000);
  });
});
