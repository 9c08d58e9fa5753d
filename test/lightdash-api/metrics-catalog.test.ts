import { describe, expect, it } from 'vitest';
import { listAllMetrics } from '../../src/lightdash-api/endpoints.js';
import type { Send } from '../../src/lightdash-api/send.js';
import { projectUuid } from '../support/lightdash-server.js';

describe('listAllMetrics', () => {
  it.each([
    [undefined, '100'],
    [7, '7'],
  ])('asks for pages of %s: %s', async (pageSize, expected) => {
    let asked: unknown;
    const empty: Send = async ({ query = [] }) => {
      asked = new Map(query).get('pageSize');
      return { request: 'GET', payload: { status: 'ok', results: { data: [] } } };
    };
    await listAllMetrics(empty, { projectUuid, pageSize });
    expect(String(asked)).toBe(expected);
  });

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
