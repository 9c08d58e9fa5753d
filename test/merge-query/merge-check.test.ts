import { describe, expect, it } from 'vitest';
import { checkMerge, findMergeWarnings } from '../../src/merge-query/merge-check.js';
import type { MergeQuery } from '../../src/merge-query/request.js';
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

const calculation = (sql: string) => ({ name: 'ratio', displayName: 'Ratio', sql });
const sources = (...ids: string[]) => ({ sources: ids.map(resultSource) });

describe('findMergeWarnings', () => {
  /* biome-ignore-start lint/suspicious/noTemplateCurlyInString: the form of a reference. */
  it.each<[what: string, fields: Partial<MergeQuery>, expected: string[]]>([
    ['a usual merge', {}, []],
    ['every character that is usual', sources('a', 'aZ0_.-9'), []],
    ['a blank in an id', sources('a', 'b c'), ['sources[1].id unusual_source_id']],
    ['letters of another alphabet', sources('źródło', 'b'), ['sources[0].id unusual_source_id']],
    ['an empty id', sources('', 'b'), ['sources[0].id unusual_source_id']],
    ['two sources', sources('a', 'b'), []],
    ['three', sources('a', 'b', 'c'), ['sources[2] more_than_two_sources']],
    ['ten, once', sources(...'abcdefghij'), ['sources[2] more_than_two_sources']],
    ['a usual reference', { tableCalculations: [calculation('${a.count} / ${b.count}')] }, []],
    ["Lightdash's own variables", { tableCalculations: [calculation('${lightdash.parameters.x}')] }, []],
    [
      'blanks inside the braces, each reference once',
      { tableCalculations: [calculation('1'), calculation('${ a.count } + ${a.count\n} + ${ a.count }')] },
      [
        'tableCalculations[1].sql unusual_reference ${ a.count } at 0',
        'tableCalculations[1].sql unusual_reference ${a.count\n} at 15',
      ],
    ],
    [
      'other characters inside the braces',
      { tableCalculations: [calculation('x ${a.größe}')] },
      ['tableCalculations[0].sql unusual_reference ${a.größe} at 2'],
    ],
    ['what never closes is no warning: it breaks a rule', { tableCalculations: [calculation('${a b')] }, []],
  ])('%s', (_, fields, expected) => {
    const found = findMergeWarnings(mergeQuery(fields)).map(({ path, kind, part }) =>
      [formatPath(path.slice(1)), kind, ...(part === undefined ? [] : [part.text, 'at', part.offset])].join(
        ' ',
      ),
    );
    expect(found).toEqual(expected);
  });

  it.each<[Partial<MergeQuery>, string]>([
    [
      sources('a', 'b c'),
      'source id "b c" does not consist of letters, digits, "_", "." and "-" only: a server may refuse it',
    ],
    [sources('a', 'b', 'c'), 'the merge has 3 sources: a server may take no more than two'],
    [
      { tableCalculations: [calculation('${ a.count }')] },
      'calculation "ratio": ${ a.count } holds blanks: a server may refuse it',
    ],
    [
      { tableCalculations: [calculation('${a.ö}')] },
      'calculation "ratio": ${a.ö} holds unusual characters: a server may refuse it',
    ],
  ])('%# says why', (fields, message) => {
    expect(findMergeWarnings(mergeQuery(fields)).map((warning) => warning.message)).toEqual([message]);
  });

  it('tells of a hundred at most', () => {
    const ids = Array.from({ length: 2000 }, (_, i) => `s ${i}`);
    const found = findMergeWarnings(mergeQuery({ sources: ids.map((id) => metricSource(id)) }));
    expect(found).toHaveLength(100);
  });
  /* biome-ignore-end lint/suspicious/noTemplateCurlyInString: the form of a reference. */
});
