import { describe, expect, it } from 'vitest';
import { findMergeWarnings } from '../../src/merge-query/merge-check.js';
import type { MergeQuery } from '../../src/merge-query/request.js';
import { formatPath } from '../../src/shared/schema-problem.js';
import { mergeQuery, metricSource, resultSource } from '../support/merge.js';

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
