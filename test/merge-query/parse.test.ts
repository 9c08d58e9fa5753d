import { describe, expect, it } from 'vitest';
import { parseMergeRequest } from '../../src/merge-query/request.js';
import { parseMergeResponse } from '../../src/merge-query/response.js';
import { metricQuery, metricSource, problemsOf, resultSource } from '../support/merge.js';

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

describe('parseMergeRequest', () => {
  it('names every fault, where it is and what was expected there', () => {
    expect(
      problemsOf(
        parseMergeRequest({
          mergeQuery: { ...request.mergeQuery, joinType: 'outer', tableCalculation: [] },
          context: 'clii',
        }),
      ),
    ).toEqual([
      'mergeQuery.joinType: expected "full", "left" or "inner", got "outer"',
      'mergeQuery.tableCalculation: unknown key; did you mean `tableCalculations`?',
      'context: expected one of 32 values, got "clii"; did you mean `cli`?',
    ]);
  });
});

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
    const before = process.cpuUsage();
    const problems = problemsOf(parseMergeRequest(json));
    const { user } = process.cpuUsage(before);
    expect(problems).toHaveLength(count);
    expect(problems.at(-1)).toBe(last);
    expect(user / 1e6).toBeLessThan(2);
  });
});

describe('what parseMergeRequest says', () => {
  const withSource = (source: unknown) => ({
    mergeQuery: { ...request.mergeQuery, sources: [source] },
  });
  const eitherShape =
    'mergeQuery.sources[0]: expected an object with an id and either a metricQuery or a queryUuid';

  it.each<[what: string, json: unknown, problems: string[]]>([
    ['no object', 5, [': expected an object, got 5']],
    ['nothing', undefined, [': missing; expected an object']],
    ['a source that is none', withSource('orders'), [`${eitherShape}, got "orders"`]],
    ['a source without a shape', withSource({ id: 'a' }), [`${eitherShape}, got an object`]],
    [
      'a source of both shapes',
      withSource({ ...metricSource('a'), ...resultSource('a') }),
      [`${eitherShape}, got an object`],
    ],
    [
      'a source whose shape is misspelt',
      withSource({ id: 'a', queryUUID: 'x' }),
      [`${eitherShape}, got an object`],
    ],
    [
      'a fault inside the shape that a source has',
      withSource({ id: 'a', queryUuid: 'x' }),
      ['mergeQuery.sources[0].queryUuid: expected a version 4 UUID, got "x"'],
    ],
    [
      'more faults inside the shape that a source has than make it one of the other',
      withSource({
        id: 'a',
        metricQuery: { ...metricQuery(), limit: 'x', dimensions: 1, metrics: 2, filters: 3 },
      }),
      ['dimensions', 'metrics', 'filters', 'limit'].map((field) =>
        expect.stringContaining(`mergeQuery.sources[0].metricQuery.${field}: expected `),
      ),
    ],
    [
      'an export whose limit is neither a number nor null',
      { ...request, mode: { type: 'export', limit: 'all' } },
      ['mode.limit: expected a finite number of rows, or null, got "all"'],
    ],
    [
      'an export without a limit',
      { ...request, mode: { type: 'export' } },
      ['mode.limit: missing; expected a finite number of rows, or null'],
    ],
    [
      'a parameter of mixed values, under an odd name',
      { ...request, parameters: { 'my list': [1, 'a'] } },
      ['parameters["my list"]: expected a string, a number, or a list of either, got a list'],
    ],
    [
      'a key that resembles none',
      { ...request, mode: { type: 'interactive', colour: 'red' } },
      ['mode.colour: unknown key; the keys here are type'],
    ],
    [
      'a value of any length',
      { ...request, context: 'x'.repeat(1_000_000) },
      [expect.stringMatching(/^context: .{1,1500}$/)],
    ],
  ])('of %s', (_, json, problems) => {
    expect(problemsOf(parseMergeRequest(json))).toEqual(problems);
  });

  it('takes a value nested deeper than any stack, where anything may stand', () => {
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    const chart = { chartConfig: { type: 'custom', config: { spec: { deep } } } };
    expect(parseMergeRequest({ ...request, chart }).ok).toBe(true);
  });
});

const mergeMetadata = { fieldOrigins: {}, parameterReferences: [] };
const error = { kind: 'empty_join_key', message: 'no key', fieldIds: [], sourceId: null };

describe('parseMergeResponse', () => {
  it.each([
    [
      'an outcome never seen',
      { outcome: 'paused' },
      'results.outcome: expected "started" or "refused", got "paused"',
    ],
    [
      'refused without errors',
      { outcome: 'refused', ...mergeMetadata, errors: [] },
      'results.errors: expected at least 1 in the list, got an empty list',
    ],
    [
      'refused with a query',
      { outcome: 'refused', ...mergeMetadata, errors: [error], query: {} },
      'results.query: expected nothing here, got an object',
    ],
  ])('refuses %s', (_, results, problem) => {
    expect(problemsOf(parseMergeResponse({ status: 'ok', results }))).toEqual([problem]);
  });
});
