import { describe, expect, it } from 'vitest';
import { parseMergeRequest } from '../../src/merge/request.js';
import { parseMergeResponse } from '../../src/merge/response.js';
import { metricQuery, metricSource, problemsOf, resultSource } from '../support/merge.js';
import { processorSeconds } from '../support/processor-time.js';

const request = {
  mergeQuery: {
    limit: 500,
    tableCalculations: [],
    joinType: 'inner',
    joinKey: [{ name: 'day', fieldIdBySourceId: { orders: 'orders_day', visits: 'visits_day' } }],
    sources: [
      { id: 'orders', queryUuid: '6f1c1f5e-9d0e-4b6e-8a52-6f6f2b1f0f11' },
      { id: 'visits', queryUuid: '7a2d2a6f-0e1f-4c7f-9b63-7a7a3c2a1a22' },
    ],
  },
};

describe('a value with faults without end', () => {
  const keys = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`k${i}`, 1]));
  const more = ': these are the first 100 faults, and there are more';

  it.each<[string, unknown, number, string]>([
    ['100,000 unknown keys', { ...request, ...keys }, 101, more],
    [
      '1,000 sources that are none',
      { mergeQuery: { ...request.mergeQuery, sources: Array(1000).fill(1) } },
      101,
      more,
    ],
  ])('%s: the first are named, in less than 2 s', (_, json, count, last) => {
    const seconds = processorSeconds(() => {
      const problems = problemsOf(parseMergeRequest(json));
      expect(problems).toHaveLength(count);
      expect(problems.at(-1)).toBe(last);
    });
    expect(seconds).toBeLessThan(2);
  });
});

const withSource = (source: unknown) => ({ mergeQuery: { ...request.mergeQuery, sources: [source] } });

/** What is said of each stands in `parse.txt`. */
const requests: Readonly<Record<string, unknown>> = {
  'no object': 5,
  nothing: undefined,
  'several faults, each where it is': {
    mergeQuery: { ...request.mergeQuery, joinType: 'outer', tableCalculation: [] },
    context: 'clii',
  },
  'a source that is none': withSource('orders'),
  'a source without a shape': withSource({ id: 'a' }),
  'a source of both shapes': withSource({ ...metricSource('a'), ...resultSource('a') }),
  'a source whose shape is misspelt': withSource({ id: 'a', queryUUID: 'x' }),
  'a fault inside the shape that a source has': withSource({ id: 'a', queryUuid: 'x' }),
  'more faults inside the shape that a source has than make it one of the other': withSource({
    id: 'a',
    metricQuery: { ...metricQuery(), limit: 'x', dimensions: 1, metrics: 2, filters: 3 },
  }),
  'an export whose limit is neither a number nor null': {
    ...request,
    mode: { type: 'export', limit: 'all' },
  },
  'an export without a limit': { ...request, mode: { type: 'export' } },
  'limits of less than no row': {
    mergeQuery: {
      ...request.mergeQuery,
      limit: -5,
      sources: [metricSource('a', { limit: -0.5 }), ...request.mergeQuery.sources],
    },
    mode: { type: 'export', limit: -1 },
  },
  'a chart type that is none': { ...request, chart: { chartConfig: { type: 'sankeys' } } },
  'numbers out of bounds, and a value that is none of those listed': {
    ...request,
    chart: {
      chartConfig: {
        type: 'map',
        config: { dataLayerOpacity: 0, mapType: 'wolrd', hexbinConfig: { fixedResolution: 16, opacity: 2 } },
      },
    },
  },
  'a version of no data app': {
    ...request,
    chart: { chartConfig: { type: 'data_app_viz', config: { dataAppVizVersion: 0 } } },
  },
  'a parameter of mixed values, under an odd name': { ...request, parameters: { 'my list': [1, 'a'] } },
  'a key that resembles none': { ...request, mode: { type: 'interactive', colour: 'red' } },
  'a value of any length': { ...request, context: 'x'.repeat(1_000_000) },
};

const mergeMetadata = { fieldOrigins: {}, parameterReferences: [] };
const error = { kind: 'empty_join_key', message: 'no key', fieldIds: [], sourceId: null };
const results: Readonly<Record<string, object>> = {
  'an outcome never seen': { outcome: 'paused' },
  'a refusal without errors': { outcome: 'refused', ...mergeMetadata, errors: [] },
  'a refusal with a query': { outcome: 'refused', ...mergeMetadata, errors: [error], query: {} },
};

it('names every fault, where it is and what was expected there', async () => {
  const told = [
    ...Object.entries(requests).map(([title, json]) => [title, problemsOf(parseMergeRequest(json))]),
    ...Object.entries(results).map(([title, results]) => [
      title,
      problemsOf(parseMergeResponse({ status: 'ok', results })),
    ]),
  ];
  const texts = told.map(([title, problems = []]) => [title, ...problems].join('\n  '));
  await expect(`${texts.join('\n')}\n`).toMatchFileSnapshot('parse.txt');
});

it('takes a value nested deeper than any stack, where anything may stand', () => {
  const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
  const chart = { chartConfig: { type: 'custom', config: { spec: { deep } } } };
  expect(parseMergeRequest({ ...request, chart }).ok).toBe(true);
});
