import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MergeQuery } from '../../src/merge-query/request.js';
import { checkMergeRules } from '../../src/merge-query/rules.js';
import { formatPath } from '../../src/shared/schema-problem.js';
import { mergeQuery, metricSource, resultSource } from '../support/merge.js';

const day = (fieldIdBySourceId: Record<string, string>) => ({ name: 'day', fieldIdBySourceId });
const calculation = (sql: string, name = 'ratio') => ({ name, displayName: name, sql });

/** A broken rule in short: kind, source, fields. */
function broken(fields: Partial<MergeQuery>): string[] {
  return checkMergeRules(mergeQuery(fields)).map(({ kind, sourceId, fieldIds }) =>
    [kind, sourceId ?? '-', ...fieldIds].join(' '),
  );
}

describe('checkMergeRules', () => {
  it.each<[rule: string, fields: Partial<MergeQuery>, expected: string[]]>([
    ['two metric sources on a key that covers both', {}, []],
    ['a metric and a result source', { sources: [metricSource('a'), resultSource('b')] }, []],

    ['too_few_sources: none', { sources: [], joinKey: [day({})] }, ['too_few_sources -']],
    [
      'too_few_sources: one',
      { sources: [metricSource('a')], joinKey: [day({ a: 'day' })] },
      ['too_few_sources -'],
    ],
    [
      'too_many_sources is for the server: no number is documented',
      {
        sources: Array.from({ length: 40 }, (_, i) => resultSource(`s${i}`)),
        joinKey: [day(Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`s${i}`, 'x'])))],
      },
      [],
    ],

    [
      'duplicate_source_id: reported once however often it stands',
      { sources: [resultSource('a'), resultSource('a'), resultSource('a'), resultSource('b')] },
      ['duplicate_source_id a'],
    ],
    [
      'ids that differ in case are two',
      { sources: [metricSource('a'), metricSource('A')], joinKey: [day({ a: 'day', A: 'day' })] },
      [],
    ],

    [
      'reserved_source_id: merge',
      { sources: [metricSource('a'), metricSource('merge')], joinKey: [day({ a: 'day', merge: 'day' })] },
      ['reserved_source_id merge'],
    ],

    ['empty_join_key, and not a fan out of every dimension besides', { joinKey: [] }, ['empty_join_key -']],

    [
      'join_key_coverage: every part needs every source',
      {
        sources: [resultSource('a'), resultSource('b')],
        joinKey: [day({ a: 'day' }), { name: 'region', fieldIdBySourceId: {} }],
      },
      ['join_key_coverage b', 'join_key_coverage a', 'join_key_coverage b'],
    ],
    [
      'join_key_coverage: a name that every object inherits is no entry',
      { sources: [resultSource('toString'), resultSource('constructor')], joinKey: [day({})] },
      ['join_key_coverage toString', 'join_key_coverage constructor'],
    ],
    [
      'join_key_coverage: nor does a source join on such a name',
      {
        sources: [metricSource('constructor', { dimensions: [] }), resultSource('b')],
        joinKey: [day({ b: 'day' })],
      },
      ['join_key_coverage constructor'],
    ],
    [
      'join_key_coverage: a source that stands twice lacks its entry once',
      { sources: [resultSource('a'), resultSource('a')], joinKey: [day({})] },
      ['duplicate_source_id a', 'join_key_coverage a'],
    ],

    [
      'unknown_source_in_join_key',
      { joinKey: [day({ a: 'day', b: 'day', c: 'day_c' })] },
      ['unknown_source_in_join_key c day_c'],
    ],

    [
      'join_key_not_selected: a field that the source does not select',
      { joinKey: [day({ a: 'day', b: 'week' })] },
      ['join_key_not_selected b week', 'fan_out b day'],
    ],
    [
      'join_key_not_selected: a metric is no dimension',
      { joinKey: [day({ a: 'day', b: 'day' }), { name: 'n', fieldIdBySourceId: { a: 'count', b: 'day' } }] },
      ['join_key_not_selected a count'],
    ],
    [
      'join_key_not_selected: a source without dimensions',
      { sources: [metricSource('a', { dimensions: [] }), metricSource('b')] },
      ['join_key_not_selected a day'],
    ],
    [
      'what a result source selects is for the server to know',
      { sources: [metricSource('a'), resultSource('b')], joinKey: [day({ a: 'day', b: 'anything' })] },
      [],
    ],

    [
      'fan_out: all dimensions outside the key in one error, each once',
      { sources: [metricSource('a', { dimensions: ['day', 'x', 'y', 'x'] }), metricSource('b')] },
      ['fan_out a x y'],
    ],
    [
      'fan_out: a key that names one field twice does not stand for the field left out',
      {
        sources: [metricSource('a', { dimensions: ['day', 'region'] }), resultSource('b')],
        joinKey: [day({ a: 'day', b: 'x' }), { name: 'region', fieldIdBySourceId: { a: 'day', b: 'y' } }],
      },
      ['fan_out a region'],
    ],
    [
      'a key that names one field twice breaks no rule by that',
      {
        sources: [metricSource('a'), resultSource('b')],
        joinKey: [day({ a: 'day', b: 'x' }), { name: 'again', fieldIdBySourceId: { a: 'day', b: 'y' } }],
      },
      [],
    ],
    [
      'a custom dimension joins like any other',
      {
        sources: [
          metricSource('a', { dimensions: ['bin'], customDimensions: [{ id: 'bin' }] }),
          metricSource('b'),
        ],
        joinKey: [day({ a: 'bin', b: 'day' })],
      },
      [],
    ],

    [
      'duplicate_calculation_name: reported once',
      { tableCalculations: [calculation('1'), calculation('2'), calculation('3'), calculation('4', 'x')] },
      ['duplicate_calculation_name - ratio'],
    ],
  ])('%s', (_, fields, expected) => {
    expect(broken(fields)).toEqual(expected);
  });

  it('reports all rules at once, rule by rule', () => {
    expect(
      broken({
        sources: [metricSource('merge'), metricSource('merge', { dimensions: ['day', 'x'] })],
        joinKey: [day({ c: 'day' })],
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the form of a reference.
        tableCalculations: [calculation('${d.count}'), calculation('1')],
      }),
    ).toEqual([
      'duplicate_source_id merge',
      'reserved_source_id merge',
      'reserved_source_id merge',
      'join_key_coverage merge',
      'unknown_source_in_join_key c day',
      'fan_out merge day',
      'fan_out merge day x',
      'duplicate_calculation_name - ratio',
      'unresolved_calculation_reference d count',
    ]);
  });

  it.each<[rule: string, fields: Partial<MergeQuery>, expected: string[]]>([
    [
      'too_few_sources: none',
      { sources: [], joinKey: [day({})] },
      ['mergeQuery.sources: a merge joins two or more sources, but this one has none'],
    ],
    [
      'too_few_sources: one',
      { sources: [resultSource('a')], joinKey: [day({ a: 'day' })] },
      ['mergeQuery.sources: a merge joins two or more sources, but this one has one'],
    ],
    [
      'duplicate_source_id: at the second, however many there are',
      { sources: [resultSource('b'), ...['a', 'a', 'a'].map(resultSource)] },
      ['mergeQuery.sources[2].id: source id "a" appears more than once; every source needs its own id'],
    ],
    [
      'reserved_source_id',
      { sources: [resultSource('a'), resultSource('merge')], joinKey: [day({ a: 'day', merge: 'day' })] },
      ['mergeQuery.sources[1].id: source id "merge" is reserved: it is the table of the merged result'],
    ],
    [
      'empty_join_key',
      { joinKey: [] },
      ['mergeQuery.joinKey: the join key has no parts, but the sources need at least one column to join on'],
    ],
    [
      'join_key_coverage',
      { sources: [resultSource('a'), resultSource('b')], joinKey: [day({ a: 'day' })] },
      [
        'mergeQuery.joinKey[0].fieldIdBySourceId: join key part "day" names no field of source "b"; it needs one for every source',
      ],
    ],
    [
      'unknown_source_in_join_key',
      {
        sources: [resultSource('a'), resultSource('orders')],
        joinKey: [day({ a: 'day', orders: 'day', order: 'day', x: 'day' })],
      },
      [
        'mergeQuery.joinKey[0].fieldIdBySourceId.order: join key part "day" names a field of "order", which is no source of this merge; did you mean `orders`?',
        'mergeQuery.joinKey[0].fieldIdBySourceId.x: join key part "day" names a field of "x", which is no source of this merge',
      ],
    ],
    [
      'fan_out: one dimension',
      { sources: [resultSource('a'), metricSource('b', { dimensions: ['day', 'x'] })] },
      [
        'mergeQuery.sources[1].metricQuery.dimensions[1]: source "b" may have several rows for one join key: its dimension "x" is not in the key',
      ],
    ],
    [
      'fan_out: several',
      { sources: [metricSource('a', { dimensions: ['x', 'day', 'y'] }), resultSource('b')] },
      [
        'mergeQuery.sources[0].metricQuery.dimensions[0]: source "a" may have several rows for one join key: its dimensions "x", "y" are not in the key',
      ],
    ],
    [
      'duplicate_calculation_name',
      { tableCalculations: [calculation('1', 'x'), calculation('1'), calculation('2'), calculation('3')] },
      [
        'mergeQuery.tableCalculations[2].name: calculation "ratio" appears more than once; every calculation needs its own name',
      ],
    ],
    [
      'unresolved_calculation_reference',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the form of a reference.
      { tableCalculations: [calculation('1', 'x'), calculation('${total}')] },
      [
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the form of a reference.
        'mergeQuery.tableCalculations[1].sql: calculation "ratio": ${total} names no source; a reference is ${sourceId.fieldId}',
      ],
    ],
  ])('says where and why: %s', (_, fields, expected) => {
    const found = checkMergeRules(mergeQuery({ joinKey: [day({ a: 'day', b: 'day' })], ...fields }));
    expect(found.map(({ path, message }) => `${formatPath(path)}: ${message}`)).toEqual(expected);
  });

  it('reports in the form of the API, with the path to the fault', () => {
    expect(checkMergeRules(mergeQuery({ joinKey: [day({ a: 'day', b: 'da' })] }))[0]).toEqual({
      kind: 'join_key_not_selected',
      message: 'source "b" joins on "da", which is not among its dimensions; did you mean `day`?',
      fieldIds: ['da'],
      sourceId: 'b',
      path: ['mergeQuery', 'joinKey', 0, 'fieldIdBySourceId', 'b'],
    });
  });

  it('finds nothing in a merge whose key is all dimensions of all its sources, whatever the ids', () => {
    const id = fc.string({ unit: 'binary' }).filter((text) => text !== 'merge' && text !== '__proto__');
    fc.assert(
      fc.property(fc.uniqueArray(id, { minLength: 2, maxLength: 5 }), fc.uniqueArray(id), (ids, fieldIds) => {
        const joinKey = fieldIds.map((fieldId) => ({
          name: fieldId,
          fieldIdBySourceId: Object.fromEntries(ids.map((sourceId) => [sourceId, fieldId])),
        }));
        const sources = ids.map((sourceId) => metricSource(sourceId, { dimensions: fieldIds }));
        expect(broken({ joinKey, sources })).toEqual(fieldIds.length === 0 ? ['empty_join_key -'] : []);
      }),
    );
  });
});

describe('unresolved_calculation_reference', () => {
  /* biome-ignore-start lint/suspicious/noTemplateCurlyInString: the form of a reference. */
  const sources = [
    metricSource('a', {
      metrics: ['count'],
      tableCalculations: [{ name: 'share', sql: '1' }],
      additionalMetrics: [{ type: 'sum', sql: '1', table: 'orders', name: 'extra' }],
      customDimensions: [{ id: 'bin' }],
    }),
    metricSource('a.b', { metrics: ['c.d'] }),
    metricSource('my source', { metrics: ['my metric'] }),
    metricSource('opaque', { tableCalculations: [{ formula: 'x' }] }),
    resultSource('r'),
  ];
  const joinKey = [day(Object.fromEntries(sources.map(({ id }) => [id, 'day'])))];

  it.each<[rule: string, sql: string, expected: string[]]>([
    ['no reference', 'now()', []],
    ['a dimension', '${a.day}', []],
    ['a metric', '${a.count} / 2', []],
    ['a table calculation', '${a.share}', []],
    ['an additional metric, by table and name', '${a.orders_extra}', []],
    ['a custom dimension', '${a.bin}', []],
    ['any field of a result source', '${r.whatever you like}', []],
    ['any field of a source with definitions that we cannot name', '${opaque.x}', []],
    ['ids with spaces', '${my source.my metric}', []],
    ['ids with dots', '${a.b.c.d}', []],
    ['spaces around a reference', '${ a.count }', []],
    ['dollars and braces that are none', '$a {a.count} $ {x} }', []],
    [
      'a column of the merged result, alone or in its table',
      '${day} || ${merge.day} || ${other} || ${merge.other}',
      [],
    ],
    ["Lightdash's own variables", '${lightdash.parameters.x} ${ld.attributes.y}', []],

    ['an unknown source', '${z.count}', ['z count']],
    ['a source whose name ends like theirs', '${my_lightdash.x}', ['my_lightdash x']],
    ['an unknown field', '${a.cuont}', ['a cuont']],
    ['an unknown field of a source with a dot in its id', '${a.b.x}', ['a.b x']],
    ['an inherited name', '${a.constructor} ${toString.x}', ['a constructor', 'toString x']],
    ['no dot', '${total}', ['- total']],
    ['nothing', '${}', ['-']],
    ['a field of nothing', '${.x}', [' x']],
    ['several, each once', '${z.x} + ${a.count} + ${z.x} + ${y.x}', ['z x', 'y x']],
    ['no closing brace', '${a.count', ['-']],
    ['one inside another', '${a.${a.count}}', ['-']],
    ['a brace inside', '${a.{count}}', ['a {count']],
    ['a backslash escapes nothing', '\\${z.x}', ['z x']],
    ['a table of the merged result that lacks the column', '${merge.nope}', ['merge nope']],
  ])('%s', (_, sql, expected) => {
    const tableCalculations = [calculation(sql), calculation('1', 'other')];
    const found = checkMergeRules(mergeQuery({ sources, joinKey, tableCalculations }));
    expect(found.map(({ sourceId, fieldIds }) => [sourceId ?? '-', ...fieldIds].join(' '))).toEqual(expected);
    expect(new Set(found.map(({ kind }) => kind))).toEqual(
      new Set(expected.length === 0 ? [] : ['unresolved_calculation_reference']),
    );
  });

  it.each([
    ['${a.cuont}', '${a.cuont}: source "a" has no field "cuont"; did you mean `count`?'],
    ['${my surce.x}', '${my surce.x}: there is no source "my surce"; did you mean `my source`?'],
    ['${total}', '${total} names no source; a reference is ${sourceId.fieldId}'],
    ['${a.count', '${a.count has no closing brace'],
  ])('%s is explained', (sql, message) => {
    const [found] = checkMergeRules(mergeQuery({ sources, joinKey, tableCalculations: [calculation(sql)] }));
    expect(found?.message).toBe(`calculation "ratio": ${message}`);
  });
  /* biome-ignore-end lint/suspicious/noTemplateCurlyInString: the form of a reference. */
});

describe('a merge that was made to take long', () => {
  const many = (count: number) => Array.from({ length: count }, (_, i) => `x${i}`);
  const dimensions = many(20_000);

  it.each<[string, Partial<MergeQuery>]>([
    [
      '1,500 sources and 1,500 key parts without a field',
      { sources: many(1500).map((id) => resultSource(id)), joinKey: many(1500).map(() => day({})) },
    ],
    [
      'key parts of sources that are none',
      {
        joinKey: [day({ a: 'day', b: 'day', ...Object.fromEntries(many(20_000).map((id) => [id, 'day'])) })],
      },
    ],
    [
      '20,000 references that lead nowhere',
      {
        sources: [
          { ...metricSource('a'), metricQuery: { ...metricSource('a').metricQuery, dimensions } },
          metricSource('b'),
        ],
        joinKey: [day({ a: 'x0', b: 'day' })],
        tableCalculations: [
          calculation(
            many(20_000)
              .map((id) => `\${a.${id}y}`)
              .join(),
          ),
        ],
      },
    ],
  ])('%s: a hundred faults in less than 2 s', (_, fields) => {
    const merge = mergeQuery(fields);
    const before = process.cpuUsage();
    expect(checkMergeRules(merge)).toHaveLength(100);
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(2);
  });
});
