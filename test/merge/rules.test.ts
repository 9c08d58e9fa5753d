import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatPath } from '../../src/core/json/schema-problem.js';
import { findMergeWarnings } from '../../src/merge/merge-check.js';
import type { MergeQuery } from '../../src/merge/request.js';
import { type BrokenRule, checkMergeRules } from '../../src/merge/rules.js';
import { mergeQuery, metricSource, resultSource } from '../support/merge.js';

const day = (fieldIdBySourceId: Record<string, string>) => ({ name: 'day', fieldIdBySourceId });
const calculation = (sql: string, name = 'ratio') => ({ name, displayName: name, sql });
const many = (count: number) => Array.from({ length: count }, (_, i) => `x${i}`);
const results = (...ids: string[]) => ids.map(resultSource);

/** What is found of each stands in `rules.txt`: kind, source and fields, where, and why. */
const merges: Readonly<Record<string, Partial<MergeQuery>>> = {
  'two metric sources on a key that covers both': {},
  'a metric and a result source': { sources: [metricSource('a'), resultSource('b')] },
  'no source': { sources: [], joinKey: [day({})] },
  'one source': { sources: [metricSource('a')], joinKey: [day({ a: 'day' })] },
  'forty sources': {
    sources: results(...many(40)),
    joinKey: [day(Object.fromEntries(many(40).map((id) => [id, 'x'])))],
  },
  'an id that stands three times is reported for each after the first': {
    sources: results('b', 'a', 'a', 'a'),
  },
  'ids that differ in case are two': {
    sources: [metricSource('a'), metricSource('A')],
    joinKey: [day({ a: 'day', A: 'day' })],
  },
  'a reserved id': {
    sources: [metricSource('a'), metricSource('merge')],
    joinKey: [day({ a: 'day', merge: 'day' })],
  },
  'an empty join key, and a fan out of every dimension': {
    joinKey: [],
    sources: [metricSource('a', { dimensions: ['day', 'x', 'day'] }), resultSource('b')],
  },
  'an empty join key without a dimension outside it': {
    joinKey: [],
    sources: [metricSource('a', { dimensions: [] }), resultSource('b')],
  },
  'every part of the key needs every source': {
    sources: results('a', 'b'),
    joinKey: [day({ a: 'day' }), { name: 'region', fieldIdBySourceId: {} }],
  },
  'a name that every object inherits is no entry of a key': {
    sources: results('toString', 'constructor'),
    joinKey: [day({})],
  },
  'nor does a source join on such a name': {
    sources: [metricSource('constructor', { dimensions: [] }), resultSource('b')],
    joinKey: [day({ b: 'day' })],
  },
  'a source that stands twice lacks its entry once': { sources: results('a', 'a'), joinKey: [day({})] },
  'unknown sources in a key': {
    sources: results('a', 'orders'),
    joinKey: [day({ a: 'day', orders: 'day', order: 'day_o', x: 'day' })],
  },
  'a field that the source does not select depends on the server': {
    joinKey: [day({ a: 'day', b: 'week' })],
  },
  'a field that is misspelt': { joinKey: [day({ a: 'day', b: 'da' })] },
  'a metric is no dimension': {
    joinKey: [day({ a: 'day', b: 'day' }), { name: 'n', fieldIdBySourceId: { a: 'count', b: 'day' } }],
  },
  'a source without dimensions': { sources: [metricSource('a', { dimensions: [] }), metricSource('b')] },
  'what a result source selects is for the server to know': {
    sources: [metricSource('a'), resultSource('b')],
    joinKey: [day({ a: 'day', b: 'anything' })],
  },
  'a dimension outside the key': {
    sources: [resultSource('a'), metricSource('b', { dimensions: ['day', 'x'] })],
  },
  'all dimensions outside the key in one fault, each once': {
    sources: [metricSource('a', { dimensions: ['x', 'day', 'y', 'x'] }), metricSource('b')],
  },
  'a key that names one field twice does not stand for the field left out': {
    sources: [metricSource('a', { dimensions: ['day', 'region'] }), resultSource('b')],
    joinKey: [day({ a: 'day', b: 'x' }), { name: 'region', fieldIdBySourceId: { a: 'day', b: 'y' } }],
  },
  'a key that names one field twice breaks no rule by that': {
    sources: [metricSource('a'), resultSource('b')],
    joinKey: [day({ a: 'day', b: 'x' }), { name: 'again', fieldIdBySourceId: { a: 'day', b: 'y' } }],
  },
  'a custom dimension joins like any other': {
    sources: [
      metricSource('a', { dimensions: ['bin'], customDimensions: [{ id: 'bin' }] }),
      metricSource('b'),
    ],
    joinKey: [day({ a: 'bin', b: 'day' })],
  },
  'a name of three calculations is reported for each after the first': {
    tableCalculations: [calculation('1', 'x'), calculation('1'), calculation('2'), calculation('3')],
  },
  'usual and unusual ids': {
    sources: results('aZ0_.-9', 'b c'),
    joinKey: [day({ 'aZ0_.-9': 'x', 'b c': 'x' })],
  },
  'other unusual ids': { sources: results('źródło', ''), joinKey: [day({ źródło: 'x', '': 'x' })] },
  'three sources': { sources: results('a', 'b', 'c'), joinKey: [day({ a: 'x', b: 'x', c: 'x' })] },
  'what the contract does not have, each that is given': {
    sorts: [{ fieldId: 'merge_day', descending: true }],
    sources: [
      { ...metricSource('a'), repeatValues: true },
      { ...resultSource('b'), repeatValues: false },
    ],
    tableCalculations: [{ ...calculation(''), formula: '=a.count' }, calculation('1', 'x')],
  },
  'a source that repeats its values allows several rows of the other': {
    sources: [
      { ...metricSource('a', { dimensions: ['day', 'x'] }), repeatValues: true },
      metricSource('b', { dimensions: ['day', 'y'] }),
    ],
  },
  'a source that does not repeat them allows none': {
    sources: [
      { ...resultSource('a'), repeatValues: false },
      { ...metricSource('b', { dimensions: ['day', 'y'] }), repeatValues: null },
    ],
  },
  'the longest formula, and a longer one': {
    tableCalculations: [
      { ...calculation(''), formula: 'x'.repeat(10_000) },
      { ...calculation('', 'long'), formula: 'x'.repeat(10_001) },
    ],
  },
  'more than can be named of what is newer': {
    joinKey: many(6).map((name) => ({ name, fieldIdBySourceId: { a: 'day', b: name } })),
  },
  'all rules at once, rule by rule': {
    sources: [metricSource('merge'), metricSource('merge', { dimensions: ['day', 'x'] }), resultSource('b')],
    joinKey: [day({ c: 'day' })],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the form of a reference.
    tableCalculations: [calculation('${d.count}'), { ...calculation('1'), formula: 'x'.repeat(20_000) }],
  },
};

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

/* biome-ignore-start lint/suspicious/noTemplateCurlyInString: the form of a reference. */
const calculations: Readonly<Record<string, string>> = {
  'no reference': 'now()',
  'a dimension': '${a.day}',
  'a metric': '${a.count} / 2',
  'a table calculation': '${a.share}',
  'an additional metric, by table and name': '${a.orders_extra}',
  'a custom dimension': '${a.bin}',
  'any field of a result source': '${r.whatever you like}',
  'any field of a source with definitions that we cannot name': '${opaque.x}',
  'ids with spaces': '${my source.my metric}',
  'ids with dots': '${a.b.c.d}',
  'spaces around a reference': '${ a.count }',
  'dollars and braces that are none': '$a {a.count} $ {x} }',
  'a column of the merged result, alone or in its table':
    '${day} || ${merge.day} || ${other} || ${merge.other}',
  "Lightdash's own variables": '${lightdash.parameters.x} ${ld.attributes.y}',
  'an unknown source': '${z.count}',
  'a source whose name ends like theirs': '${my_lightdash.x}',
  'an unknown field': '${a.cuont}',
  'an unknown field of a source with a dot in its id': '${a.b.x}',
  'an inherited name': '${a.constructor} ${toString.x}',
  'no dot': '${total}',
  nothing: '${}',
  'a field of nothing': '${.x}',
  'several, each once': '${z.x} + ${a.count} + ${z.x} + ${y.x}',
  'no closing brace': '${a.count',
  'one inside another': '${a.${a.count}}',
  'a brace inside': '${a.{count}}',
  'a backslash escapes nothing': '\\${z.x}',
  'a table of the merged result that lacks the column': '${merge.nope}',
  'a misspelt source': '${my surce.x}',
  'blanks inside the braces, each reference once': '${ a.count } + ${a.count\n} + ${ a.count }',
  'unusual characters inside the braces': 'x ${r.größe}',
};
/* biome-ignore-end lint/suspicious/noTemplateCurlyInString: the form of a reference. */

it('names the rules that a merge breaks, where and why, in the form of the API', async () => {
  const ofCalculations = Object.entries(calculations).map(([title, sql]) => {
    const tableCalculations = [calculation(sql), calculation('1', 'other')];
    return [`a calculation with ${title}`, { sources, joinKey, tableCalculations }] as const;
  });
  const texts = [...Object.entries(merges), ...ofCalculations].map(([title, fields]) => {
    const placed = ({ path, part, message }: Pick<BrokenRule, 'path' | 'part' | 'message'>) =>
      `\n    ${formatPath(path)}${part ? ` at ${part.offset}, ${JSON.stringify(part.text)}` : ''}\n    ${message}`;
    // The sources of all calculations are the same.
    const isShown = ({ path: [, list] }: Pick<BrokenRule, 'path'>) =>
      list === 'tableCalculations' || title in merges;
    const found = checkMergeRules(mergeQuery(fields))
      .filter(isShown)
      .map(
        ({ kind, fieldIds, sourceId, ...fault }) =>
          `  ${kind} ${JSON.stringify(sourceId)} ${JSON.stringify(fieldIds)}${placed(fault)}`,
      );
    const warnings = findMergeWarnings(mergeQuery(fields))
      .filter(isShown)
      .map(({ kind, ...warning }) => `  warning ${kind}${placed(warning)}`);
    return [title, ...found, ...warnings, ''].join('\n');
  });
  await expect(texts.join('\n')).toMatchFileSnapshot('rules.txt');
});

it('finds nothing in a merge whose key is all dimensions of all its sources, whatever the ids', () => {
  const id = fc.string({ unit: 'binary' }).filter((text) => text !== 'merge' && text !== '__proto__');
  fc.assert(
    fc.property(fc.uniqueArray(id, { minLength: 2, maxLength: 2 }), fc.uniqueArray(id), (ids, fieldIds) => {
      const joinKey = fieldIds.map((fieldId) => ({
        name: fieldId,
        fieldIdBySourceId: Object.fromEntries(ids.map((sourceId) => [sourceId, fieldId])),
      }));
      const sources = ids.map((sourceId) => metricSource(sourceId, { dimensions: fieldIds }));
      const kinds = checkMergeRules(mergeQuery({ joinKey, sources })).map(({ kind }) => kind);
      expect(kinds).toEqual(fieldIds.length === 0 ? ['empty_join_key'] : []);
    }),
  );
});

/** Seconds of processor time in a process of its own: in that of the tests, what ran before them counts too. */
function secondsAlone(merge: MergeQuery): number {
  const program = `
    const { checkMergeRules } = require('./dist/cjs/merge.js');
    const merge = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
    const seconds = [1, 2, 3].map(() => {
      const before = process.cpuUsage();
      if (checkMergeRules(merge).length !== 100) throw new Error('not a hundred faults');
      return process.cpuUsage(before).user / 1e6;
    });
    process.stdout.write(String(Math.min(...seconds)));`;
  return Number(
    execFileSync(process.execPath, ['-e', program], { input: JSON.stringify(merge), encoding: 'utf8' }),
  );
}

describe('a merge that was made to take long', () => {
  it.each<[string, number, (count: number) => Partial<MergeQuery>]>([
    [
      'sources and key parts without a field',
      1500,
      (count) => ({
        sources: many(count).map((id) => resultSource(id)),
        joinKey: many(count).map(() => day({})),
      }),
    ],
    [
      'key parts of sources that are none',
      20_000,
      (count) => ({
        joinKey: [day({ a: 'day', b: 'day', ...Object.fromEntries(many(count).map((id) => [id, 'day'])) })],
      }),
    ],
    [
      'references that lead nowhere',
      20_000,
      (count) => ({
        sources: [
          {
            ...metricSource('a'),
            metricQuery: { ...metricSource('a').metricQuery, dimensions: many(count) },
          },
          metricSource('b'),
        ],
        joinKey: [day({ a: 'x0', b: 'day' })],
        tableCalculations: [
          calculation(
            many(count)
              .map((id) => `\${a.${id}y}`)
              .join(),
          ),
        ],
      }),
    ],
  ])('%s: %i of them take as long as eight times an eighth, and not as its square', (_, count, fieldsOf) => {
    const [few, all] = [Math.round(count / 8), count].map((some) => secondsAlone(mergeQuery(fieldsOf(some))));
    expect(all).toBeLessThan(24 * Math.max(few ?? 0, 0.01));
  });
});
