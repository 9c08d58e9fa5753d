import { describe, expect, it } from 'vitest';
import { parseErrorPayload, parseMergeRequest, parseMergeResponse } from '../../src/merge-query/parse.js';
import { validatorOf } from '../support/json-schema.js';
import { mergeQuery, metricQuery, metricSource, problemsOf, resultSource } from '../support/merge.js';

/** Every table of the contract, field by field: values that pass, values that do not. */
type Row = readonly [field: string, good: readonly unknown[], bad: readonly unknown[]];

const string = [
  ['', 'x'],
  [1, null, true, [], {}],
] as const;
const number = [
  [0, -1, 1.5],
  ['1', null, Number.NaN, Infinity, -Infinity],
] as const;
const boolean = [
  [true, false],
  ['true', 0, null],
] as const;
const strings = [
  [[], ['a', 'b']],
  ['a', [1], [null], null, {}],
] as const;
const map = [
  [{}, { a: { anything: [null] } }],
  [[], 'x', null],
] as const;
const stringMap = [
  [{}, { a: 'b' }],
  [{ a: 1 }, [], null],
] as const;
const records = [
  [[], [{ anything: { goes: [1] } }]],
  [{}, 'x', null],
] as const;
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
const opacity = [
  [0.1, 0.5, 1],
  [0, 0.09, 1.01, -0.5, '0.5', null],
] as const;
const oneOf = (...values: string[]) => [values, ['', 'other', values[0]?.toUpperCase(), null, 1]] as const;

/** What an object does with a field left out, and with one that the contract does not know. */
interface Shape {
  readonly name: string;
  readonly required: readonly string[];
  readonly additions: 'refused' | 'pass';
  readonly rows: readonly Row[];
  /** The whole, with this object in its place. */
  readonly inside: (value: unknown) => unknown;
  /** An object of the shape, with its required fields. */
  readonly least: Record<string, unknown>;
}

const request = (fields: object) => ({ mergeQuery: mergeQuery(), ...fields });
const inMergeQuery = (fields: object) => ({ mergeQuery: { ...mergeQuery(), ...fields } });
const inMetricQuery = (value: unknown) =>
  inMergeQuery({ sources: [metricSource('a'), { id: 'b', metricQuery: value }] });
const chart = (type: string, rows: readonly Row[], required: Record<string, unknown> = {}): Shape => ({
  name: `ChartConfig ${type}`,
  required: Object.keys(required),
  additions: 'refused',
  rows,
  least: required,
  inside: (config) => request({ chart: { chartConfig: { type, config } } }),
});
const part = (type: string, field: string, rows: readonly Row[], required: Record<string, unknown> = {}) => ({
  ...chart(type, rows, required),
  name: `ChartConfig ${type}.${field}`,
  inside: (value: unknown) => request({ chart: { chartConfig: { type, config: { [field]: value } } } }),
});

const rowLimit = { count: 5, direction: 'first', mode: 'show' };
const tileBackground = oneOf('none', 'openstreetmap', 'light', 'dark', 'satellite', 'voyager');
const parameterValue = [
  ['x', 1, -1.5, [], ['a'], [1, 2]],
  [null, true, {}, [1, 'a'], [null], [[1]], Number.NaN],
] as const;

const requestShapes: readonly Shape[] = [
  {
    name: 'request body',
    required: ['mergeQuery'],
    additions: 'refused',
    least: { mergeQuery: mergeQuery() },
    inside: (value) => value,
    rows: [
      ['mergeQuery', [mergeQuery()], [null, [], 'x']],
      ['chart', [{ chartConfig: { type: 'table' } }], [null, {}]],
      ['parameters', [{}, { a: 'x', b: [1] }], [[], null]],
      ['invalidateCache', ...boolean],
      ['context', ['cli', 'mcp.run_sql', 'dashboardView', 'dataAppSample'], ['', 'CLI', 'web', null]],
      ['mode', [{ type: 'interactive' }, { type: 'export', limit: null }], ['export', null, {}]],
    ],
  },
  {
    name: 'MergeQuery',
    required: ['limit', 'tableCalculations', 'joinType', 'joinKey', 'sources'],
    additions: 'refused',
    least: { ...mergeQuery() },
    inside: (value) => ({ mergeQuery: value }),
    rows: [
      ['limit', ...number],
      ['tableCalculations', [[]], [{}, null, ['1']]],
      ['joinType', ...oneOf('full', 'left', 'inner')],
      ['joinKey', [[]], [{}, null]],
      ['sources', [[], [resultSource('a')]], [{}, null, ['a']]],
    ],
  },
  {
    name: 'MergeJoinKeyPart',
    required: ['name', 'fieldIdBySourceId'],
    additions: 'refused',
    least: { name: 'day', fieldIdBySourceId: {} },
    inside: (value) => inMergeQuery({ joinKey: [value] }),
    rows: [
      ['name', ...string],
      ['fieldIdBySourceId', ...stringMap],
    ],
  },
  {
    name: 'MergeTableCalculation',
    required: ['name', 'displayName', 'sql'],
    additions: 'refused',
    least: { name: 'x', displayName: 'X', sql: '1' },
    inside: (value) => inMergeQuery({ tableCalculations: [value] }),
    rows: [
      ['name', ...string],
      ['displayName', ...string],
      ['sql', ...string],
    ],
  },
  {
    name: 'metric source',
    required: ['id', 'metricQuery'],
    additions: 'refused',
    least: { id: 'a', metricQuery: metricQuery() },
    inside: (value) => inMergeQuery({ sources: [value] }),
    rows: [
      ['id', ...string],
      ['metricQuery', [metricQuery()], [null, {}, []]],
      ['queryUuid', [], [uuid[0][0]]],
    ],
  },
  {
    name: 'result source',
    required: ['id', 'queryUuid'],
    additions: 'refused',
    least: { ...resultSource('a') },
    inside: (value) => inMergeQuery({ sources: [value] }),
    rows: [
      ['id', ...string],
      ['queryUuid', ...uuid],
    ],
  },
  {
    name: 'MergeQueryExecutionMode interactive',
    required: ['type'],
    additions: 'refused',
    least: { type: 'interactive' },
    inside: (mode) => request({ mode }),
    rows: [['limit', [], [1, null]]],
  },
  {
    name: 'MergeQueryExecutionMode export',
    required: ['type', 'limit'],
    additions: 'refused',
    least: { type: 'export', limit: 10 },
    inside: (mode) => request({ mode }),
    rows: [['limit', [null, ...number[0]], ['all', Number.NaN, Infinity]]],
  },
  {
    name: 'parameters',
    required: [],
    additions: 'pass',
    least: {},
    inside: (parameters) => request({ parameters }),
    rows: [['any name', ...parameterValue]],
  },
  {
    name: 'MergeQueryChart',
    required: ['chartConfig'],
    additions: 'refused',
    least: { chartConfig: { type: 'pie' } },
    inside: (value) => request({ chart: value }),
    rows: [
      ['chartConfig', [{ type: 'custom' }], [{ type: 'bar' }, {}, null, 'pie', { type: 'pie', extra: 1 }]],
      [
        'pivotConfig',
        [{ columns: [] }, { columns: ['a'], rows: ['b'] }],
        [{}, { columns: 'a' }, { rows: [] }, null],
      ],
    ],
  },
  {
    name: 'MetricQuery',
    required: ['exploreName', 'dimensions', 'metrics', 'filters', 'sorts', 'limit', 'tableCalculations'],
    additions: 'refused',
    least: { ...metricQuery() },
    inside: inMetricQuery,
    rows: [
      ['exploreName', ...string],
      ['dimensions', ...strings],
      ['metrics', ...strings],
      [
        'filters',
        [{}, { dimensions: { and: [] }, metrics: {}, tableCalculations: {} }],
        [{ dimension: {} }, [], null],
      ],
      ['sorts', [[]], [{}, null, ['x']]],
      ['limit', ...number],
      ['tableCalculations', ...records],
      ['additionalMetrics', [[]], [{}, null, [{}]]],
      ['customDimensions', ...records],
      ['metricOverrides', ...map],
      ['dimensionOverrides', ...map],
      ['timezone', ...string],
      ['pivotDimensions', ...strings],
      [
        'metadata',
        [{ hasADateDimension: { name: 'a', label: 'b', table: 'c' } }],
        [{}, { hasADateDimension: { name: 'a', label: 'b' } }, null],
      ],
    ],
  },
  {
    name: 'SortField',
    required: ['fieldId', 'descending'],
    additions: 'refused',
    least: { fieldId: 'a', descending: true },
    inside: (value) => inMetricQuery({ ...metricQuery(), sorts: [value] }),
    rows: [
      ['fieldId', ...string],
      ['descending', ...boolean],
      ['nullsFirst', ...boolean],
      ['pivotValues', [[], [null, 1, {}]], [{}, null]],
    ],
  },
  {
    name: 'AdditionalMetric',
    required: ['type', 'sql', 'table', 'name'],
    additions: 'pass',
    least: { type: 'sum', sql: '1', table: 'a', name: 'b' },
    inside: (value) => inMetricQuery({ ...metricQuery(), additionalMetrics: [value] }),
    rows: [
      ['type', ...string],
      ['sql', ...string],
      ['table', ...string],
      ['name', ...string],
      ['label', ...string],
      ['description', ...string],
      ['hidden', ...boolean],
      ['round', ...number],
      ['index', ...number],
      ['percentile', ...number],
      ['distinctKeys', ...strings],
      ['uuid', [null, 'any', ...uuid[0]], [1, {}]],
      ['baseDimensionName', ...string],
      ['baseMetricName', ...string],
      ['baseMetricId', ...string],
      ['timeDimensionId', ...string],
      ['granularity', ...string],
      ['generationType', ['periodOverPeriod'], ['', 'other', null]],
      ['periodOffset', [1, 1.5, 12], [0, 0.9, -1, '1', null]],
      ['compact', ['thousands', null], []],
      ['format', ['usd', {}], []],
      ['separator', ['commaPeriod', 1], []],
      ['filters', [[{}], null], []],
      ['formatOptions', [{}, 'x'], []],
    ],
  },
  chart('big_number', [
    ['selectedField', ...string],
    ['label', ...string],
    ['showBigNumberLabel', ...boolean],
    ['showComparison', ...boolean],
    ['comparisonField', ...string],
    ['comparisonLabel', ...string],
    ['comparisonFormat', ...oneOf('raw', 'percentage')],
    ['flipColors', ...boolean],
    ['showTableNamesInLabel', ...boolean],
    ['style', ...string],
    ['conditionalFormattings', ...records],
  ]),
  chart(
    'cartesian',
    [
      ['layout', ...map],
      ['eChartsConfig', ...map],
      ['columnLimit', ...number],
      ['rowLimit', [rowLimit], [{}, null, 5]],
      ['metadata', ...map],
      ['conditionalFormattings', ...records],
    ],
    { layout: {}, eChartsConfig: {} },
  ),
  part(
    'table',
    'rowLimit',
    [
      ['count', ...number],
      ['direction', ...oneOf('first', 'last')],
      ['mode', ...oneOf('show', 'hide')],
    ],
    rowLimit,
  ),
  chart('custom', [['spec', ...map]]),
  chart('pie', [
    ['metricId', ...string],
    ['groupFieldIds', ...strings],
    ['isDonut', ...boolean],
    ['showLegend', ...boolean],
    ['legendPosition', ...oneOf('horizontal', 'vertical')],
    ['legendMaxItemLength', ...number],
    ['showValue', ...boolean],
    ['showPercentage', ...boolean],
    ['valueLabel', ...oneOf('hidden', 'inside', 'outside')],
    ['groupLabelOverrides', ...stringMap],
    ['groupColorOverrides', ...stringMap],
    ['groupValueOptionOverrides', ...map],
    ['groupSortOverrides', ...strings],
    ['metadata', ...map],
  ]),
  chart('funnel', [
    ['fieldId', ...string],
    ['dataInput', ...oneOf('row', 'column')],
    ['showLegend', ...boolean],
    ['legendPosition', ...oneOf('horizontal', 'vertical')],
    ['labels', [{}], [[], null]],
    ['colorOverrides', ...stringMap],
    ['labelOverrides', ...stringMap],
    ['metadata', ...map],
  ]),
  part('funnel', 'labels', [
    ['position', ...oneOf('inside', 'left', 'right', 'hidden')],
    ['showValue', ...boolean],
    ['showPercentage', ...boolean],
  ]),
  chart('table', [
    ['columns', ...map],
    ['rowLimit', [rowLimit], [{}, null]],
    ...[
      'metricsAsRows',
      'showRowGrouping',
      'showSubtotals',
      'showSubtotalsExpanded',
      'showResultsTotal',
      'hideRowNumbers',
      'showTableNames',
      'showRowCalculation',
      'showColumnCalculation',
    ].map((field): Row => [field, ...boolean]),
    ['conditionalFormattings', ...records],
  ]),
  chart('treemap', [
    ['groupFieldIds', ...strings],
    ['sizeMetricId', ...string],
    ['colorMetricId', ...string],
    ...['leafDepth', 'visibleMin', 'startColorThreshold', 'endColorThreshold'].map(
      (field): Row => [field, ...number],
    ),
    [
      'startColor',
      ['#fff', '#3B82F6', '3b82f6', '#3b82f6cc'],
      ['red', '#12', '#12345', '#ggg', 'x#fff', null],
    ],
    ['endColor', ['#000'], ['black']],
    ['useDynamicColors', ...boolean],
  ]),
  chart('gauge', [
    ['selectedField', ...string],
    ['min', ...number],
    ['max', ...number],
    ['maxFieldId', ...string],
    ['sections', [[]], [{}, [{}], null]],
    ['showAxisLabels', ...boolean],
    ['showPercentage', ...boolean],
    ['customLabel', ...string],
    ['customPercentageLabel', ...string],
  ]),
  {
    ...part(
      'gauge',
      'sections',
      [
        ['color', ...string],
        ['min', ...number],
        ['max', ...number],
        ['minFieldId', ...string],
        ['maxFieldId', ...string],
      ],
      { color: '#fff', min: 0, max: 1 },
    ),
    inside: (value) => request({ chart: { chartConfig: { type: 'gauge', config: { sections: [value] } } } }),
  },
  chart(
    'data_app_viz',
    [
      ['fieldMapping', ...stringMap],
      ['dataAppVizUuid', ...string],
      ['dataAppVizVersion', [1, 2], [0, 1.5, -1, '1', null]],
      ['optionValues', ...map],
    ],
    { fieldMapping: {}, dataAppVizUuid: 'any' },
  ),
  chart('map', [
    ['mapType', ['USA', 'world', 'europe', 'custom'], ['usa', 'World', '', null]],
    ['locationType', ...oneOf('scatter', 'area', 'heatmap', 'hexbin')],
    ...[
      'customGeoJsonUrl',
      'geoJsonPropertyKey',
      'locationFieldId',
      'latitudeFieldId',
      'longitudeFieldId',
      'valueFieldId',
      'sizeFieldId',
      'backgroundColor',
      'noDataColor',
    ].map((field): Row => [field, ...string]),
    ['colorRange', ...strings],
    ['colorOverrides', ...stringMap],
    ['showLegend', ...boolean],
    ...['defaultZoom', 'defaultCenterLat', 'defaultCenterLon', 'minBubbleSize', 'maxBubbleSize'].map(
      (field): Row => [field, ...number],
    ),
    ['dataLayerOpacity', ...opacity],
    ['tileBackground', ...tileBackground],
    ['darkModeTileBackground', ...tileBackground],
    ['saveMapExtent', ...boolean],
    ['fieldConfig', ...map],
    ['heatmapConfig', [{}], [[], null]],
    ['hexbinConfig', [{}], [[], null]],
  ]),
  part('map', 'heatmapConfig', [
    ['radius', ...number],
    ['blur', ...number],
    ['opacity', ...number],
  ]),
  part('map', 'hexbinConfig', [
    ['sizingMode', ...oneOf('dynamic', 'fixed')],
    ['fixedResolution', [0, 7, 15], [-1, 16, '7', null]],
    ['valueBasis', ...oneOf('count', 'field')],
    ['aggregation', ...oneOf('sum', 'avg', 'min', 'max')],
    ['opacity', ...opacity],
    ['showEmptyBins', ...boolean],
    ['emptyBinColor', ['#fff', null], [1, {}]],
  ]),
  chart('sankey', [
    ['sourceFieldId', ...string],
    ['targetFieldId', ...string],
    ['metricFieldId', ...string],
    ['orient', ...oneOf('horizontal', 'vertical')],
    ['nodeAlign', ...oneOf('left', 'right', 'justify')],
    ['nodeLayout', ...oneOf('multi-step', 'merged', 'direct')],
  ]),
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
const inQuery = (fields: object) => ({
  status: 'ok',
  results: { ...started, query: { ...query, ...fields } },
});
const dateTime = [
  ['2026-09-06T18:08:42Z', '2026-09-06T18:08:42.053+02:00'],
  ['yesterday', '2026-09-06', 0, null],
] as const;

const responseShapes: readonly Shape[] = [
  {
    name: 'success envelope',
    required: ['status', 'results'],
    additions: 'pass',
    least: { status: 'ok', results: started },
    inside: (value) => value,
    rows: [
      ['status', ['ok'], ['error', 'OK', null]],
      ['results', [started, refused], [{}, null, [], { ...started, outcome: 'paused' }]],
    ],
  },
  {
    name: 'started',
    required: ['outcome', 'fieldOrigins', 'parameterReferences', 'query'],
    additions: 'pass',
    least: started,
    inside: (results) => ({ status: 'ok', results }),
    rows: [
      ['query', [query], [{}, null]],
      ['errors', [], [[], [error], null]],
      ['parameterReferences', ...strings],
      [
        'fieldOrigins',
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
      ],
    ],
  },
  {
    name: 'refused',
    required: ['outcome', 'fieldOrigins', 'parameterReferences', 'errors'],
    additions: 'pass',
    least: refused,
    inside: (results) => ({ status: 'ok', results }),
    rows: [
      ['errors', [[error, error]], [[], null, {}]],
      ['query', [], [query, null, {}]],
    ],
  },
  {
    name: 'MergeQueryError',
    required: ['kind', 'message', 'fieldIds', 'sourceId'],
    additions: 'pass',
    least: error,
    inside: (value) => ({ status: 'ok', results: { ...refused, errors: [value] } }),
    rows: [
      ['kind', ['missing_parameters', 'a kind of a later release'], [null, 1]],
      ['message', ...string],
      ['fieldIds', ...strings],
      ['sourceId', [null, 'a'], [1, {}]],
    ],
  },
  {
    name: 'metric query results',
    required: Object.keys(query),
    additions: 'pass',
    least: query,
    inside: (value) => ({ status: 'ok', results: { ...started, query: value } }),
    rows: [
      ['queryUuid', ...uuid],
      ['resolvedTimezone', [null, 'UTC'], [1, {}]],
      ['usedParametersValues', [{}, { a: [1] }], [{ a: null }, [], null]],
      ['parameterReferences', ...strings],
      [
        'warnings',
        [[], [{ message: 'x', tables: ['a'], fields: [], more: 1 }]],
        [[{}], [{ message: 'x', tables: 'a' }], null],
      ],
      ['fields', ...map],
      ['metricQuery', [{ ...metricQuery(), more: 1, timezone: null, filters: { more: 1 } }], [{}, null]],
    ],
  },
  {
    name: 'CacheMetadata',
    required: ['cacheHit'],
    additions: 'pass',
    least: { cacheHit: true },
    inside: (cacheMetadata) => inQuery({ cacheMetadata }),
    rows: [
      ['cacheHit', ...boolean],
      ['cacheKey', ...string],
      ['cacheExpiresAt', ...dateTime],
      ['cacheUpdatedTime', ...dateTime],
      [
        'preAggregate',
        [{ hit: true }, { hit: false, name: 'a', reason: { reason: 'any', fieldId: 'a' } }],
        [{}, { hit: 1 }, { hit: true, reason: 'any' }, null],
      ],
    ],
  },
];

const payloadShapes: readonly Shape[] = [
  {
    name: 'error payload',
    required: ['status', 'error'],
    additions: 'pass',
    least: { status: 'error', error: { name: 'x', statusCode: 500 } },
    inside: (value) => value,
    rows: [['status', ['error'], ['ok', null]]],
  },
  {
    name: 'error',
    required: ['name', 'statusCode'],
    additions: 'pass',
    least: { name: 'NotFoundError', statusCode: 404 },
    inside: (value) => ({ status: 'error', error: value }),
    rows: [
      ['name', ...string],
      ['statusCode', [404], ['404', 404.5, null]],
      ['message', ...string],
      ['data', [null, 1, {}, []], []],
    ],
  },
];

const documents = [
  { schema: 'merge-request.json', parse: parseMergeRequest, shapes: requestShapes },
  { schema: 'merge-response.json', parse: parseMergeResponse, shapes: responseShapes },
  { schema: 'error-payload.json', parse: parseErrorPayload, shapes: payloadShapes },
];

describe.each(documents)('$schema', ({ schema, parse, shapes }) => {
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

  describe.each(shapes)('$name', ({ required, additions, rows, inside, least }) => {
    it('passes with the required fields alone, unchanged', () => {
      const whole = inside(least);
      expect(problemsOf(parse(whole))).toEqual([]);
      expect(parse(whole)).toEqual({ ok: true, value: whole });
      expect(passes(whole)).toBe(true);
    });

    it.each(required.map((field) => [field]))('needs %s', (field) => {
      const { [field]: _, ...rest } = least;
      expect(passes(inside(rest))).toBe(false);
    });

    it('and an addition', () => {
      expect(passes(inside({ ...least, addition: 'x' }))).toBe(additions === 'pass');
    });

    it.each(rows)('%s', (field, good, bad) => {
      for (const value of good) {
        const whole = inside({ ...least, [field]: value });
        expect(passes(whole), `${JSON.stringify(value)} passes`).toBe(true);
        expect(parse(whole)).toEqual({ ok: true, value: whole });
      }
      for (const value of bad) {
        expect(
          passes(inside({ ...least, [field]: value })),
          `${String(value)} ${JSON.stringify(value)} does not pass`,
        ).toBe(false);
      }
    });
  });
});
