import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseMergeRequest } from '../../src/merge/request.js';
import { parseErrorPayload, parseMergeResponse } from '../../src/merge/response.js';
import { validatorOf } from '../support/json-schema.js';
import { mergeQuery, metricQuery, metricSource, problemsOf, resultSource } from '../support/merge.js';

/** Every table of the contract, field by field: values that pass, and values that do not. */
type Values = readonly [good: readonly unknown[], bad: readonly unknown[]];
const values = (good: readonly unknown[], bad: readonly unknown[]): Values => [good, bad];

const string = values(['', 'x'], [1, null, true, [], {}]);
const number = values([0, -1, 1.5], ['1', null, Number.NaN, Infinity, -Infinity]);
const limit = values([0, 1.5, 500], [-1, '1', null, Number.NaN, Infinity]);
const boolean = values([true, false], ['true', 0, null]);
/** What the contract does not have, and newer servers take. */
const anything = values([true, [], {}, 'x', null], []);
const strings = values([[], ['a', 'b']], ['a', [1], [null], null, {}]);
const map = values([{}, { a: { anything: [null] } }], [[], 'x', null]);
const stringMap = values([{}, { a: 'b' }], [{ a: 1 }, [], null]);
const records = values([[], [{ anything: { goes: [1] } }]], [{}, 'x', null]);
const uuid = [
  ['6f1c1f5e-9d0e-4b6e-8a52-6f6f2b1f0f11', '6F1C1F5E-9D0E-4B6E-BA52-6F6F2B1F0F11'],
  [
    '6f1c1f5e-9d0e-1b6e-8a52-6f6f2b1f0f11',
    '6f1c1f5e-9d0e-7b6e-8a52-6f6f2b1f0f11',
    '6f1c1f5e-9d0e-4b6e-ca52-6f6f2b1f0f11',
    '00000000-0000-0000-0000-000000000000',
    '6f1c1f5e9d0e4b6e8a526f6f2b1f0f11',
    ' 6f1c1f5e-9d0e-4b6e-8a52-6f6f2b1f0f11',
    '6f1c1f5e-9d0e-4b6e-8a52-6f6f2b1f0f11\n',
    '../x',
    null,
  ],
] as const;
const oneOf = (...good: string[]) => values(good, ['', 'other', good[0]?.toUpperCase(), null, 1]);

/** An object of the contract: what it does with a field left out, and with one that the contract does not know. */
interface Shape {
  readonly additions: 'refused' | 'pass';
  /** An object of the shape, with its required fields and no others. */
  readonly least: Record<string, unknown>;
  /** The whole, with this object in its place. */
  readonly inside: (value: unknown) => unknown;
  readonly fields: Readonly<Record<string, Values>>;
}

const request = (fields: object) => ({ mergeQuery: mergeQuery(), ...fields });
const inMergeQuery = (fields: object) => request({ mergeQuery: { ...mergeQuery(), ...fields } });
const inMetricQuery = (value: unknown) =>
  inMergeQuery({ sources: [metricSource('a'), { id: 'b', metricQuery: value }] });
const refusing = (
  least: object,
  inside: Shape['inside'],
  fields: Shape['fields'],
  additions: Shape['additions'] = 'refused',
): Shape => ({ additions, least: { ...least }, inside, fields });
const passing = (least: object, inside: Shape['inside'], fields: Shape['fields']) =>
  refusing(least, inside, fields, 'pass');

/** The types of ChartConfig, as the contract lists them. */
const chartTypes = [
  ...['big_number', 'cartesian', 'custom', 'pie', 'funnel', 'table', 'treemap', 'gauge', 'data_app_viz'],
  ...['map', 'sankey'],
];
const opacity = values([0.1, 0.5, 1], [0, 0.09, 1.01, -0.5, '0.5', null]);
const orientation = oneOf('horizontal', 'vertical');
const tileBackground = oneOf('none', 'openstreetmap', 'light', 'dark', 'satellite', 'voyager');
const anObject = values([{}, { anything: [null] }], [[], 'x', null]);
const inChart = (type: string, field: string, fields: Shape['fields']) =>
  passing({}, (value) => request({ chart: { chartConfig: { type, config: { [field]: value } } } }), fields);
const aRowLimit = { count: 5, direction: 'first', mode: 'show' };
const rowLimits = values([aRowLimit], [{}, { anything: [null] }, [], 'x', null]);

/** Of each type, the required fields of its config, where there is one. */
const leastOfChart: Readonly<Record<string, Record<string, unknown>>> = {
  cartesian: { layout: {}, eChartsConfig: {} },
  data_app_viz: { fieldMapping: {}, dataAppVizUuid: 'a' },
};

/** Of each type, the fields of its config of which the contract states values or a limit. */
const chartFields: Readonly<Record<string, Shape['fields']>> = {
  big_number: { comparisonFormat: oneOf('raw', 'percentage') },
  cartesian: {
    layout: values([{}, { xField: 'a' }], [null]),
    eChartsConfig: values([{}, { series: [] }], [null]),
    rowLimit: rowLimits,
  },
  table: { rowLimit: rowLimits },
  gauge: {
    sections: values(
      [
        [],
        [
          { color: 'red', min: 0, max: 1 },
          { color: '#fff', min: 1, max: 2.5, minFieldId: 'a' },
        ],
      ],
      [[{ color: 'red', min: 0 }], [{ min: 0, max: 1 }], [{ color: 'red', min: '0', max: 1 }], {}, null],
    ),
  },
  pie: { legendPosition: orientation, valueLabel: oneOf('hidden', 'inside', 'outside') },
  funnel: { dataInput: oneOf('row', 'column'), legendPosition: orientation, labels: anObject },
  data_app_viz: {
    fieldMapping: stringMap,
    dataAppVizUuid: string,
    dataAppVizVersion: values([1, 2], [0, 1.5, -1, '1', null]),
  },
  map: {
    mapType: values(['USA', 'world', 'europe', 'custom'], ['usa', 'World', '', null]),
    locationType: oneOf('scatter', 'area', 'heatmap', 'hexbin'),
    dataLayerOpacity: opacity,
    tileBackground,
    darkModeTileBackground: tileBackground,
    hexbinConfig: anObject,
    // No opacity of a heatmap is bounded.
    heatmapConfig: values([{ opacity: 0 }, 'x'], []),
  },
  sankey: {
    orient: orientation,
    nodeAlign: oneOf('left', 'right', 'justify'),
    nodeLayout: oneOf('multi-step', 'merged', 'direct'),
  },
};

/** QueryExecutionContext, as the contract lists it. */
const contexts = [
  ...['dashboardView', 'autorefreshedDashboard', 'exploreView', 'filterAutocomplete', 'chartView'],
  ...['chartHistory', 'sqlChartView', 'sqlRunner', 'viewUnderlyingData', 'alert', 'scheduledDelivery'],
  ...['csvDownload', 'gsheets', 'scheduledGsheetsChart', 'scheduledGsheetsDashboard'],
  ...['scheduledGsheetsSqlChart', 'scheduledChart', 'scheduledDashboard', 'calculateTotal'],
  ...['calculateSubtotal', 'embed', 'ai', 'mcp.run_metric_query', 'mcp.run_sql'],
  ...['mcp.search_field_values', 'api', 'cli', 'metricsExplorer', 'preAggregateMaterialization'],
  ...['composeSqlRunner', 'multiSourceQuery', 'dataAppSample'],
];
const hasADateDimension = { name: 'a', label: 'b', table: 'c' };
const parameterValue = values(
  ['x', 1, -1.5, [], ['a'], [1, 2]],
  [null, true, {}, [1, 'a'], [null], [[1]], Number.NaN],
);

const requestShapes: Readonly<Record<string, Shape>> = {
  'request body': refusing(request({}), (value) => value, {
    mergeQuery: values([mergeQuery()], [null, [], 'x']),
    chart: values([{ chartConfig: { type: 'table' } }], [null, {}]),
    parameters: values([{}, { a: 'x', b: [1] }], [[], null]),
    invalidateCache: boolean,
    context: [contexts, ['', 'CLI', 'web', null]],
    mode: values([{ type: 'interactive' }, { type: 'export', limit: null }], ['export', null, {}]),
  }),
  MergeQuery: refusing(mergeQuery(), (value) => ({ mergeQuery: value }), {
    limit,
    sorts: anything,
    tableCalculations: values([[]], [{}, null, ['1']]),
    joinType: oneOf('full', 'left', 'inner'),
    joinKey: values([[]], [{}, null]),
    sources: values([[], [resultSource('a')]], [{}, null, ['a']]),
  }),
  MergeJoinKeyPart: refusing(
    { name: 'day', fieldIdBySourceId: {} },
    (value) => inMergeQuery({ joinKey: [value] }),
    { name: string, fieldIdBySourceId: stringMap },
  ),
  MergeTableCalculation: refusing(
    { name: 'x', displayName: 'X', sql: '1' },
    (value) => inMergeQuery({ tableCalculations: [value] }),
    { name: string, displayName: string, sql: string, formula: string },
  ),
  'metric source': refusing(metricSource('a'), (value) => inMergeQuery({ sources: [value] }), {
    id: string,
    metricQuery: values([metricQuery()], [null, {}, []]),
    queryUuid: values([], [uuid[0][0]]),
    repeatValues: anything,
  }),
  'result source': refusing(resultSource('a'), (value) => inMergeQuery({ sources: [value] }), {
    id: string,
    queryUuid: uuid,
    repeatValues: anything,
  }),
  'MergeQueryExecutionMode interactive': refusing({ type: 'interactive' }, (mode) => request({ mode }), {
    type: values(['interactive'], ['Interactive', 'export', null]),
    limit: values([], [1, null]),
  }),
  'MergeQueryExecutionMode export': refusing({ type: 'export', limit: 10 }, (mode) => request({ mode }), {
    type: values(['export'], ['all', null]),
    limit: values([null, ...limit[0]], ['all', -1, Number.NaN, Infinity]),
  }),
  parameters: passing({}, (parameters) => request({ parameters }), { 'any name': parameterValue }),
  MergeQueryChart: refusing({ chartConfig: { type: 'pie' } }, (chart) => request({ chart }), {
    chartConfig: values([{ type: 'custom' }], [{ type: 'bar' }, {}, null, 'pie']),
    pivotConfig: values(
      [{ columns: [] }, { columns: ['a'], rows: ['b'] }],
      [{}, { columns: 'a' }, { rows: [] }, null],
    ),
  }),
  'MergeQueryChart.pivotConfig': refusing(
    { columns: [] },
    (pivotConfig) => request({ chart: { chartConfig: { type: 'pie' }, pivotConfig } }),
    { columns: strings, rows: strings },
  ),
  ChartConfig: passing({ type: 'pie' }, (chartConfig) => request({ chart: { chartConfig } }), {
    type: values(chartTypes, ['', 'bar', 'Pie', null]),
    config: values([{}, { anything: [null] }], [[], null, 'x']),
  }),
  'ChartConfig cartesian.rowLimit': passing(
    aRowLimit,
    (rowLimit) =>
      request({
        chart: { chartConfig: { type: 'cartesian', config: { ...leastOfChart.cartesian, rowLimit } } },
      }),
    { count: values([0, 1.5], ['1', null]), direction: oneOf('first', 'last'), mode: oneOf('show', 'hide') },
  ),
  ...Object.fromEntries(
    Object.entries(chartFields).map(([type, fields]) => [
      `ChartConfig ${type}`,
      passing(
        leastOfChart[type] ?? {},
        (config) => request({ chart: { chartConfig: { type, config } } }),
        fields,
      ),
    ]),
  ),
  'ChartConfig table.rowLimit': passing(
    aRowLimit,
    (rowLimit) => request({ chart: { chartConfig: { type: 'table', config: { rowLimit } } } }),
    { count: values([0, 1.5], ['1', null]), direction: oneOf('first', 'last'), mode: oneOf('show', 'hide') },
  ),
  'ChartConfig gauge.sections': passing(
    { color: 'red', min: 0, max: 1 },
    (section) => request({ chart: { chartConfig: { type: 'gauge', config: { sections: [section] } } } }),
    { color: string, min: values([0, -1.5], ['0', null]), max: values([0, 1e6], ['0', null]) },
  ),
  'ChartConfig funnel.labels': inChart('funnel', 'labels', {
    position: oneOf('inside', 'left', 'right', 'hidden'),
  }),
  'ChartConfig map.hexbinConfig': inChart('map', 'hexbinConfig', {
    sizingMode: oneOf('dynamic', 'fixed'),
    fixedResolution: values([0, 7.5, 15], [-1, 15.5, 16, '7', null]),
    valueBasis: oneOf('count', 'field'),
    aggregation: oneOf('sum', 'avg', 'min', 'max'),
    opacity,
  }),
  MetricQuery: refusing(metricQuery(), inMetricQuery, {
    exploreName: string,
    dimensions: strings,
    metrics: strings,
    filters: values(
      [{}, { dimensions: { and: [] }, metrics: {}, tableCalculations: {} }],
      [{ dimension: {} }, [], null],
    ),
    sorts: values([[]], [{}, null, ['x']]),
    limit,
    tableCalculations: records,
    additionalMetrics: values([[]], [{}, null, [{}]]),
    customDimensions: records,
    metricOverrides: map,
    dimensionOverrides: map,
    timezone: string,
    pivotDimensions: strings,
    metadata: values(
      [{ hasADateDimension }],
      [{}, { hasADateDimension: null }, { hasADateDimension, more: 1 }, null],
    ),
  }),
  'MetricQuery.filters': refusing({}, (filters) => inMetricQuery({ ...metricQuery(), filters }), {
    dimensions: map,
    metrics: map,
    tableCalculations: map,
  }),
  'MetricQuery.metadata': refusing(
    { hasADateDimension },
    (metadata) => inMetricQuery({ ...metricQuery(), metadata }),
    { hasADateDimension: [[hasADateDimension], [{}, null, 'x']] },
  ),
  'MetricQuery.metadata.hasADateDimension': refusing(
    hasADateDimension,
    (value) => inMetricQuery({ ...metricQuery(), metadata: { hasADateDimension: value } }),
    { name: string, label: string, table: string },
  ),
  SortField: refusing(
    { fieldId: 'a', descending: true },
    (value) => inMetricQuery({ ...metricQuery(), sorts: [value] }),
    {
      fieldId: string,
      descending: boolean,
      nullsFirst: boolean,
      pivotValues: values([[], [null, 1, {}]], [{}, null]),
    },
  ),
  AdditionalMetric: passing(
    { type: 'sum', sql: '1', table: 'a', name: 'b' },
    (value) => inMetricQuery({ ...metricQuery(), additionalMetrics: [value] }),
    {
      type: string,
      sql: string,
      table: string,
      name: string,
      uuid: values([null, 'any', ...uuid[0]], [1, {}]),
      generationType: values(['periodOverPeriod'], ['', 'other', null]),
      periodOffset: values([1, 1.5, 12], [0, 0.9, -1, '1', null]),
    },
  ),
};

/** MergeQueryErrorKind, as the contract lists it. */
const errorKinds = [
  ...['too_few_sources', 'too_many_sources', 'duplicate_source_id', 'reserved_source_id', 'empty_join_key'],
  ...['join_key_coverage', 'unknown_source_in_join_key', 'fan_out', 'join_key_not_selected'],
  ...['join_key_type_mismatch', 'join_key_granularity_mismatch', 'unsupported_table_calculation'],
  ...['duplicate_calculation_name', 'unresolved_calculation_reference', 'unresolved_column_type'],
  ...['missing_parameters', 'result_source_unavailable'],
];

const error = { kind: 'fan_out', message: 'x', fieldIds: [], sourceId: null };
const query = {
  resolvedTimezone: null,
  usedParametersValues: {},
  parameterReferences: [],
  cacheMetadata: { cacheHit: false },
  warnings: [],
  fields: {},
  metricQuery: metricQuery(),
};
const started = { outcome: 'started', fieldOrigins: {}, parameterReferences: [], query };
const refused = { outcome: 'refused', fieldOrigins: {}, parameterReferences: [], errors: [error] };
const ok = (results: unknown) => ({ status: 'ok', results });
const inQuery = (fields: object) => ok({ ...started, query: { ...query, ...fields } });
const inOrigins = (origin: unknown) => ok({ ...started, fieldOrigins: { a: origin } });
const inPreAggregate = (preAggregate: unknown) =>
  inQuery({ cacheMetadata: { cacheHit: false, preAggregate } });
const dateTime = values(
  ['2026-09-06T18:08:42Z', '2026-09-06T18:08:42.053+02:00'],
  ['yesterday', '2026-09-06', 0, null],
);
const fieldOrigins = [
  [
    { a: { kind: 'source', sourceId: 's', sourceFieldId: 'f', more: 1 } },
    { a: { kind: 'joinKey', fieldIdBySourceId: { s: 'f' } } },
    { a: { kind: 'tableCalculation' } },
    { a: { kind: 'later', more: 1 } },
  ],
  [
    { a: { kind: 'source', sourceId: 's' } },
    { a: { kind: 'joinKey' } },
    { a: { kind: 7 } },
    { a: null },
    [],
    null,
  ],
] as const;

const responseShapes: Readonly<Record<string, Shape>> = {
  'success envelope': passing({ status: 'ok', results: started }, (value) => value, {
    status: values(['ok'], ['error', 'OK', null]),
    results: values([started, refused], [{}, null, [], { ...started, outcome: 'paused' }]),
  }),
  started: passing(started, ok, {
    outcome: values(['started'], ['refused', 'paused', null]),
    query: values([query], [{}, null]),
    errors: values([], [[], [error], null]),
    parameterReferences: strings,
    fieldOrigins,
  }),
  refused: passing(refused, ok, {
    outcome: values(['refused'], ['started', 'paused', null]),
    errors: values([[error, error]], [[], null, {}]),
    query: values([], [query, null, {}]),
    parameterReferences: strings,
    fieldOrigins,
  }),
  'field origin of kind source': passing({ kind: 'source', sourceId: 's', sourceFieldId: 'f' }, inOrigins, {
    kind: values(['source'], [null, 1, 'joinKey']),
    sourceId: string,
    sourceFieldId: string,
  }),
  'field origin of kind joinKey': passing({ kind: 'joinKey', fieldIdBySourceId: {} }, inOrigins, {
    kind: values(['joinKey'], [null, 1, 'source']),
    fieldIdBySourceId: stringMap,
  }),
  'field origin of kind tableCalculation': passing({ kind: 'tableCalculation' }, inOrigins, {
    kind: values(['tableCalculation'], [null, 1, 'source']),
  }),
  MergeQueryError: passing(error, (value) => ok({ ...refused, errors: [value] }), {
    kind: values([...errorKinds, 'a kind of a later release'], [null, 1]),
    message: string,
    fieldIds: strings,
    sourceId: values([null, 'a'], [1, {}]),
  }),
  'metric query results': passing(query, (value) => ok({ ...started, query: value }), {
    queryUuid: uuid,
    resolvedTimezone: values([null, 'UTC'], [1, {}]),
    usedParametersValues: values([{}, { a: [1] }], [{ a: null }, [], null]),
    parameterReferences: strings,
    cacheMetadata: values([{ cacheHit: true, more: 1 }], [{}, [], null]),
    warnings: values(
      [[], [{ message: 'x', tables: ['a'], fields: [], more: 1 }]],
      [[{}], [{ message: 'x', tables: 'a' }], null],
    ),
    fields: map,
    metricQuery: values([{ ...metricQuery(), more: 1, timezone: null, filters: { more: 1 } }], [{}, null]),
  }),
  'echoed MetricQuery': passing(metricQuery(), (value) => inQuery({ metricQuery: value }), {
    exploreName: string,
    dimensions: strings,
    metrics: strings,
    filters: map,
    sorts: values([[{ fieldId: 'a', descending: true, more: 1 }]], [[{}], null]),
    limit: number,
    tableCalculations: records,
  }),
  'echoed SortField': passing(
    { fieldId: 'a', descending: true },
    (value) => inQuery({ metricQuery: { ...metricQuery(), sorts: [value] } }),
    { fieldId: string, descending: boolean },
  ),
  QueryWarning: passing({ message: 'x' }, (value) => inQuery({ warnings: [value] }), {
    message: string,
    tables: strings,
    fields: strings,
  }),
  CacheMetadata: passing({ cacheHit: true }, (cacheMetadata) => inQuery({ cacheMetadata }), {
    cacheHit: boolean,
    cacheKey: string,
    cacheExpiresAt: dateTime,
    cacheUpdatedTime: dateTime,
    preAggregate: values(
      [{ hit: true }, { hit: false, name: 'a', reason: { reason: 'any', fieldId: 'a' } }],
      [{}, { hit: 1 }, { hit: true, reason: 'any' }, null],
    ),
  }),
  'CacheMetadata.preAggregate': passing({ hit: false }, inPreAggregate, {
    hit: boolean,
    name: string,
    reason: values([{ reason: 'x' }], [{}, 'x', null]),
  }),
  'CacheMetadata.preAggregate.reason': passing(
    { reason: 'x' },
    (reason) => inPreAggregate({ hit: false, reason }),
    {
      // The contract shows no values.
      reason: values(['GRANULARITY_TOO_FINE', 'later'], [null, 1, {}]),
      fieldId: string,
      preAggregateTimeDimension: string,
      preAggregateGranularity: string,
      queryGranularity: string,
    },
  ),
};

const payloadShapes: Readonly<Record<string, Shape>> = {
  'error payload': passing({ status: 'error', error: { name: 'x', statusCode: 500 } }, (value) => value, {
    status: values(['error'], ['ok', null]),
    error: values([{ name: 'x', statusCode: 500, more: 1 }], [{}, 'x', null]),
  }),
  error: passing({ name: 'NotFoundError', statusCode: 404 }, (value) => ({ status: 'error', error: value }), {
    name: string,
    statusCode: values([404], ['404', 404.5, null]),
    message: string,
    data: values([null, 1, {}, []], []),
  }),
};

const document = (
  schema: string,
  parse: typeof parseMergeRequest | typeof parseMergeResponse | typeof parseErrorPayload,
  shapes: Readonly<Record<string, Shape>>,
  takesAnything: readonly string[],
  ...takesNothing: readonly string[]
) => ({ schema, parse, shapes, takesAnything, takesNothing });
const noLimit = 'MergeQueryExecutionMode interactive limit';
const documents = [
  document(
    'merge-request.json',
    parseMergeRequest,
    requestShapes,
    ['sorts', 'repeatValues', 'repeatValues', 'heatmapConfig'],
    'metric source queryUuid',
    noLimit,
  ),
  document('merge-response.json', parseMergeResponse, responseShapes, [], 'started errors', 'refused query'),
  document('error-payload.json', parseErrorPayload, payloadShapes, ['data']),
];

/** The names of all properties that a JSON Schema describes. */
function propertiesOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {} }: { readonly properties?: object } = schema;
  return [...Object.keys(properties), ...Object.values(schema).flatMap(propertiesOf)];
}

describe.each(documents)('$schema', ({ schema, parse, shapes, takesAnything, takesNothing }) => {
  const validate = validatorOf(schema);

  /** Whether a value passes; by our own reading and by the JSON Schema, which must say the same. */
  function passes(value: unknown): boolean {
    const { ok } = parse(value);
    // What JSON cannot hold never reaches a JSON Schema.
    const inJson =
      JSON.stringify(value) ===
      JSON.stringify(value, (_, v) => (Number.isFinite(v) || typeof v !== 'number' ? v : 'none'));
    if (inJson) expect(validate(value), 'the JSON Schema says otherwise').toBe(ok);
    return ok;
  }

  it('stands here whole: each field of it with a value that passes and one that does not', () => {
    const rows = Object.entries(shapes).flatMap(([name, { fields }]) =>
      Object.entries(fields).map(([field, [good, bad]]) => ({ name, field, good, bad })),
    );
    const told = new Set(rows.map(({ field }) => field));
    const described = new Set(propertiesOf(JSON.parse(readFileSync(`schemas/${schema}`, 'utf8'))));
    expect([...described].filter((field) => !told.has(field) && field !== '$schema')).toEqual([]);
    const anything = rows.filter(({ bad }) => bad.length === 0);
    expect(anything.map(({ field }) => field)).toEqual(takesAnything);
    const nothing = rows.filter(({ good }) => good.length === 0);
    expect(nothing.map(({ name, field }) => `${name} ${field}`)).toEqual(takesNothing);
  });

  describe.each(Object.entries(shapes))('%s', (_, { additions, least, inside, fields }) => {
    it('passes with the required fields alone, unchanged', () => {
      const whole = inside(least);
      expect(problemsOf(parse(whole))).toEqual([]);
      expect(parse(whole)).toEqual({ ok: true, value: whole });
      expect(passes(whole)).toBe(true);
    });

    it.each(Object.keys(least))('needs %s', (field) => {
      const { [field]: _, ...rest } = least;
      expect(passes(inside(rest))).toBe(false);
    });

    it('and an addition', () => {
      expect(passes(inside({ ...least, addition: 'x' }))).toBe(additions === 'pass');
    });

    it.each(Object.entries(fields))('%s', (field, [good, bad]) => {
      for (const value of good) {
        const whole = inside({ ...least, [field]: value });
        expect(passes(whole), `${JSON.stringify(value)} passes`).toBe(true);
        expect(parse(whole)).toEqual({ ok: true, value: whole });
      }
      for (const value of bad) {
        const said = `${String(value)} ${JSON.stringify(value)} does not pass`;
        expect(passes(inside({ ...least, [field]: value })), said).toBe(false);
      }
    });
  });
});
