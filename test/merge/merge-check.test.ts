import { expect, it } from 'vitest';
import { formatPath, type SchemaProblem } from '../../src/core/json/schema-problem.js';
import { checkMerge, findMergeWarnings } from '../../src/merge/merge-check.js';
import { mergeQuery, metricSource, resultSource } from '../support/merge.js';

/** Places as a file might have them, by path; a key stands a column before its value. */
const placesIn =
  (places: Record<string, readonly [line: number, column: number]>) =>
  (path: SchemaProblem['path'], about: SchemaProblem['about']) => {
    const [line, column] = places[formatPath(path)] ?? [1, 1];
    return { line, column: about === 'value' ? column : column - 1 };
  };

/** What is found, and in which order, as `status` and `line:column kind or path`. */
function found(request: unknown, places: Parameters<typeof placesIn>[0] = {}): string[] {
  const check = checkMerge(request, placesIn(places));
  const faults = check.status === 'valid' ? [] : check.faults;
  const warnings = check.status === 'no-merge-request' ? [] : check.warnings;
  return [
    check.status,
    ...[...faults, ...warnings].map(
      (one) => `${one.line}:${one.column} ${'kind' in one ? one.kind : `${one.path}: ${one.message}`}`,
    ),
  ];
}
const day = (fieldIdBySourceId: Record<string, string>) => [{ name: 'day', fieldIdBySourceId }];

it('a merge that breaks no rule is valid, and given back as it came', () => {
  const request = { mergeQuery: mergeQuery() };
  expect(checkMerge(request, placesIn({}))).toEqual({ status: 'valid', request, warnings: [] });
});

it.each([
  [{ sources: [metricSource('a')], joinKey: day({ a: 'day' }) }, 'too_few_sources'],
  [{ sources: [metricSource('a'), metricSource('a')] }, 'duplicate_source_id'],
])('a merge that breaks a rule is not valid: %#', (fields, kind) => {
  const [status, first] = found({ mergeQuery: mergeQuery(fields) });
  expect([status, first]).toEqual(['breaks-rules', `1:1 ${kind}`]);
});

it('broken rules and warnings stand in the order of the text, by line and then by column', () => {
  const merge = {
    sources: [resultSource('a'), metricSource('merge', { dimensions: ['day', 'x'] })],
    joinKey: day({ a: 'day', merge: 'day', b: 'day' }),
  };
  const places = {
    'mergeQuery.sources[1].id': [7, 9],
    'mergeQuery.sources[1].metricQuery.dimensions[1]': [7, 4],
    'mergeQuery.joinKey[0].fieldIdBySourceId.b': [3, 20],
  } as const;
  expect(found({ mergeQuery: mergeQuery(merge) }, places)).toEqual([
    'breaks-rules',
    ...['3:20 unknown_source_in_join_key', '7:4 fan_out', '7:9 reserved_source_id'],
  ]);
  const sources = ['b c', 'd e'].map(resultSource);
  const joinKey = day({ 'b c': 'x', 'd e': 'x' });
  const warned = {
    'mergeQuery.sources[0].id': [7, 9],
    'mergeQuery.sorts': [9, 4],
    'mergeQuery.sources[1].id': [3, 20],
  } as const;
  expect(found({ mergeQuery: mergeQuery({ sources, joinKey, sorts: [] }) }, warned)).toEqual([
    'valid',
    ...['3:20 unusual_source_id', '7:9 unusual_source_id', '9:4 newer_than_contract'],
  ]);
});

it('what is no merge request is said in the order of the text, a key where it stands, what is missing last', () => {
  const { joinKey: _, ...rest } = mergeQuery();
  expect(
    found(
      { mergeQuery: { ...rest, limit: 'many', joinkey: [] }, invalidateCache: 'no', mod: 1 },
      { 'mergeQuery.limit': [9, 3], 'mergeQuery.joinkey': [4, 2], invalidateCache: [2, 8], mod: [2, 5] },
    ),
  ).toEqual([
    'no-merge-request',
    '2:4 mod: unknown key; did you mean `mode`?',
    '2:8 invalidateCache: expected true or false, got "no"',
    '4:1 mergeQuery.joinkey: unknown key; did you mean `joinKey`?',
    '9:3 mergeQuery.limit: expected a finite number, got "many"',
    '1:0 mergeQuery.joinKey: missing; expected a list',
  ]);
});

it('a hundred warnings at most are told', () => {
  const ids = Array.from({ length: 2000 }, (_, i) => `s ${i}`);
  const found = findMergeWarnings(mergeQuery({ sources: ids.map((id) => metricSource(id)) }));
  expect(found).toHaveLength(100);
});
