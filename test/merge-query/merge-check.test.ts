import { describe, expect, it } from 'vitest';
import { checkMerge, findMergeWarnings } from '../../src/merge-query/merge-check.js';
import { formatPath, type SchemaProblem } from '../../src/shared/schema-problem.js';
import { mergeQuery, metricSource, resultSource } from '../support/merge.js';

/** Places as a file might have them, by path; a key stands a column before its value. */
const placesIn =
  (places: Record<string, readonly [line: number, column: number]>) =>
  (path: SchemaProblem['path'], about: SchemaProblem['about']) => {
    const [line, column] = places[formatPath(path)] ?? [1, 1];
    return { line, column: about === 'value' ? column : column - 1 };
  };

describe('checkMerge', () => {
  it('a merge that breaks no rule is valid, and given back as it came', () => {
    const request = { mergeQuery: mergeQuery() };
    expect(checkMerge(request, placesIn({}))).toEqual({ status: 'valid', request, warnings: [] });
  });

  it.each([
    [
      'of the whole merge',
      mergeQuery({
        sources: [metricSource('a')],
        joinKey: [{ name: 'day', fieldIdBySourceId: { a: 'day' } }],
      }),
      'too_few_sources',
    ],
    ['of one source', mergeQuery({ sources: [metricSource('a'), metricSource('a')] }), 'duplicate_source_id'],
  ])('a merge that breaks a rule is not valid: one %s', (_, broken, kind) => {
    expect(checkMerge({ mergeQuery: broken }, placesIn({}))).toMatchObject({
      status: 'breaks-rules',
      faults: expect.arrayContaining([expect.objectContaining({ kind })]),
    });
  });

  it('broken rules stand in the order of the text, by line and then by column', () => {
    const request = {
      mergeQuery: mergeQuery({
        sources: [resultSource('a'), metricSource('merge', { dimensions: ['day', 'x'] })],
        joinKey: [{ name: 'day', fieldIdBySourceId: { a: 'day', merge: 'day', b: 'day' } }],
      }),
    };
    const result = checkMerge(
      request,
      placesIn({
        'mergeQuery.sources[1].id': [7, 9],
        'mergeQuery.sources[1].metricQuery.dimensions[1]': [7, 4],
        'mergeQuery.joinKey[0].fieldIdBySourceId.b': [3, 20],
      }),
    );
    expect(result).toEqual({
      status: 'breaks-rules',
      request,
      faults: [
        expect.objectContaining({
          line: 3,
          column: 20,
          path: 'mergeQuery.joinKey[0].fieldIdBySourceId.b',
          kind: 'unknown_source_in_join_key',
          fieldIds: ['day'],
          sourceId: 'b',
        }),
        expect.objectContaining({ line: 7, column: 4, kind: 'fan_out' }),
        expect.objectContaining({ line: 7, column: 9, kind: 'reserved_source_id' }),
      ],
      warnings: [],
    });
  });

  it('what is no merge request is said in the order of the text, a key where it stands', () => {
    const result = checkMerge(
      { mergeQuery: { ...mergeQuery(), limit: 'many' }, invalidateCache: 'no', mod: 1 },
      placesIn({ 'mergeQuery.limit': [9, 3], invalidateCache: [2, 8], mod: [2, 5] }),
    );
    expect(result).toEqual({
      status: 'no-merge-request',
      faults: [
        { line: 2, column: 4, path: 'mod', message: 'unknown key; did you mean `mode`?' },
        { line: 2, column: 8, path: 'invalidateCache', message: 'expected true or false, got "no"' },
        { line: 9, column: 3, path: 'mergeQuery.limit', message: 'expected a finite number, got "many"' },
      ],
    });
  });

  it('a key that is missing stands behind all others, of which one may be its misspelling', () => {
    const { limit: _, joinKey: __, ...rest } = mergeQuery();
    const result = checkMerge(
      { mergeQuery: { ...rest, limits: 1, joinkey: [] }, chart: 1 },
      placesIn({ 'mergeQuery.limits': [5, 2], 'mergeQuery.joinkey': [4, 2], chart: [8, 1] }),
    );
    expect(result.status === 'no-merge-request' && result.faults.map(({ path }) => path)).toEqual([
      'mergeQuery.joinkey',
      'mergeQuery.limits',
      'chart',
      'mergeQuery.limit',
      'mergeQuery.joinKey',
    ]);
  });

  it('warnings stand in the order of the text', () => {
    const { warnings } = checkMerge(
      { mergeQuery: mergeQuery({ sources: ['a', 'b c', 'd e'].map((id) => resultSource(id)) }) },
      placesIn({
        'mergeQuery.sources[1].id': [7, 9],
        'mergeQuery.sources[2]': [9, 4],
        'mergeQuery.sources[2].id': [3, 20],
      }),
    ) as Extract<ReturnType<typeof checkMerge>, { warnings: unknown }>;
    expect(warnings.map(({ line }) => line)).toEqual([3, 7, 9]);
  });
});

it('a hundred warnings at most are told', () => {
  const ids = Array.from({ length: 2000 }, (_, i) => `s ${i}`);
  const found = findMergeWarnings(mergeQuery({ sources: ids.map((id) => metricSource(id)) }));
  expect(found).toHaveLength(100);
});
