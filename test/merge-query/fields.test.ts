import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { renderMergeOutcome, renderRequestText } from '../../src/answer/outputs/merge.js';
import { plainPalette } from '../../src/answer/palette.js';
import { errorOfStatus } from '../../src/lightdash-api/api-error.js';
import { parseMergeRequest } from '../../src/merge-query/request.js';
import { parseErrorPayload, parseMergeResponse } from '../../src/merge-query/response.js';
import { validatorOf } from '../support/json-schema.js';
import { mergeQuery, metricQuery, metricSource, problemsOf, resultSource } from '../support/merge.js';

/**
 * Every table of the contract, field by field: values that pass, values that do not, and, where the field is shown to
 * people, what they see of a value. Of a request `--dry-run` shows all, so there it is no column.
 */
type Row = readonly [
  field: string,
  good: readonly unknown[],
  bad: readonly unknown[],
  shown?: readonly (readonly [value: unknown, text: string])[],
];

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
const parameterValue = [
  ['x', 1, -1.5, [], ['a'], [1, 2]],
  [null, true, {}, [1, 'a'], [null], [[1]], Number.NaN],
] as const;

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
      ['context', contexts, ['', 'CLI', 'web', null]],
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
    rows: [
      ['type', ['interactive'], ['Interactive', 'export', null]],
      ['limit', [], [1, null]],
    ],
  },
  {
    name: 'MergeQueryExecutionMode export',
    required: ['type', 'limit'],
    additions: 'refused',
    least: { type: 'export', limit: 10 },
    inside: (mode) => request({ mode }),
    rows: [
      ['type', ['export'], ['all', null]],
      ['limit', [null, ...number[0]], ['all', Number.NaN, Infinity]],
    ],
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
      ['chartConfig', [{ type: 'custom' }, { type: 'later' }], [{}, null, 'pie']],
      [
        'pivotConfig',
        [{ columns: [] }, { columns: ['a'], rows: ['b'] }],
        [{}, { columns: 'a' }, { rows: [] }, null],
      ],
    ],
  },
  {
    name: 'MergeQueryChart.pivotConfig',
    required: ['columns'],
    additions: 'refused',
    least: { columns: [] },
    inside: (pivotConfig) => request({ chart: { chartConfig: { type: 'pie' }, pivotConfig } }),
    rows: [
      ['columns', ...strings],
      ['rows', ...strings],
    ],
  },
  {
    name: 'ChartConfig',
    required: ['type'],
    additions: 'pass',
    least: { type: 'pie' },
    inside: (chartConfig) => request({ chart: { chartConfig } }),
    rows: [
      ['type', ...string],
      ['config', [{}, { anything: [null] }, null], []],
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
        [{ hasADateDimension }],
        [{}, { hasADateDimension: null }, { hasADateDimension, more: 1 }, null],
      ],
    ],
  },
  {
    name: 'MetricQuery.filters',
    required: [],
    additions: 'refused',
    least: {},
    inside: (filters) => inMetricQuery({ ...metricQuery(), filters }),
    rows: [
      ['dimensions', ...map],
      ['metrics', ...map],
      ['tableCalculations', ...map],
    ],
  },
  {
    name: 'MetricQuery.metadata',
    required: ['hasADateDimension'],
    additions: 'refused',
    least: { hasADateDimension },
    inside: (metadata) => inMetricQuery({ ...metricQuery(), metadata }),
    rows: [['hasADateDimension', [hasADateDimension], [{}, null, 'x']]],
  },
  {
    name: 'MetricQuery.metadata.hasADateDimension',
    required: ['name', 'label', 'table'],
    additions: 'refused',
    least: hasADateDimension,
    inside: (value) => inMetricQuery({ ...metricQuery(), metadata: { hasADateDimension: value } }),
    rows: [
      ['name', ...string],
      ['label', ...string],
      ['table', ...string],
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
      ['uuid', [null, 'any', ...uuid[0]], [1, {}]],
      ['generationType', ['periodOverPeriod'], ['', 'other', null]],
      ['periodOffset', [1, 1.5, 12], [0, 0.9, -1, '1', null]],
    ],
  },
];

/** MergeQueryErrorKind, as the contract lists it. */
const errorKinds = [
  ...['too_few_sources', 'too_many_sources', 'duplicate_source_id', 'reserved_source_id', 'empty_join_key'],
  ...['join_key_coverage', 'unknown_source_in_join_key', 'fan_out', 'join_key_not_selected'],
  ...['join_key_type_mismatch', 'join_key_granularity_mismatch', 'unsupported_table_calculation'],
  ...['duplicate_calculation_name', 'unresolved_calculation_reference', 'unresolved_column_type'],
  ...['missing_parameters', 'result_source_unavailable'],
];
/** Those that the contract names; it shows no values, and calls them possibly not all. */
const missReasons = [
  ...['NO_PRE_AGGREGATES_DEFINED', 'DIMENSION_NOT_IN_PRE_AGGREGATE', 'METRIC_NOT_IN_PRE_AGGREGATE'],
  ...['NON_ADDITIVE_METRIC', 'NON_ADDITIVE_METRIC_REQUIRES_EXACT_MATCH'],
  ...['DEDUPLICATED_METRIC_REQUIRES_EXACT_MATCH', 'CUSTOM_SQL_METRIC'],
  ...['FILTER_DIMENSION_NOT_IN_PRE_AGGREGATE', 'SQL_FILTER_FIELD_NOT_IN_PRE_AGGREGATE'],
  ...['PRE_AGGREGATE_FILTER_NOT_SATISFIED', 'GRANULARITY_TOO_FINE', 'TIME_FRAME_NOT_DERIVABLE'],
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

const inFieldOrigins = (origin: unknown) => ({
  status: 'ok',
  results: { ...started, fieldOrigins: { a: origin } },
});
const inPreAggregate = (preAggregate: unknown) =>
  inQuery({ cacheMetadata: { cacheHit: false, preAggregate } });

const fieldOrigins: Row = [
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
];

const responseShapes: readonly Shape[] = [
  {
    name: 'success envelope',
    required: ['status', 'results'],
    additions: 'pass',
    least: { status: 'ok', results: started },
    inside: (value) => value,
    rows: [
      ['status', ['ok'], ['error', 'OK', null]],
      [
        'results',
        [started, refused],
        [{}, null, [], { ...started, outcome: 'paused' }],
        [
          [started, 'Merge started: query'],
          [refused, 'Merge refused: 1 error'],
        ],
      ],
    ],
  },
  {
    name: 'started',
    required: ['outcome', 'fieldOrigins', 'parameterReferences', 'query'],
    additions: 'pass',
    least: started,
    inside: (results) => ({ status: 'ok', results }),
    rows: [
      ['outcome', ['started'], ['refused', 'paused', null], [['started', 'Merge started']]],
      ['query', [query], [{}, null]],
      ['errors', [], [[], [error], null]],
      ['parameterReferences', ...strings, [[['year', 'x'], 'Parameters without a value: year, x']]],
      fieldOrigins,
    ],
  },
  {
    name: 'refused',
    required: ['outcome', 'fieldOrigins', 'parameterReferences', 'errors'],
    additions: 'pass',
    least: refused,
    inside: (results) => ({ status: 'ok', results }),
    rows: [
      ['outcome', ['refused'], ['started', 'paused', null], [['refused', 'Merge refused']]],
      ['errors', [[error, error]], [[], null, {}], [[[error, error], '2 errors']]],
      ['query', [], [query, null, {}]],
      ['parameterReferences', ...strings],
      fieldOrigins,
    ],
  },
  {
    name: 'field origin of kind source',
    required: ['kind', 'sourceId', 'sourceFieldId'],
    additions: 'pass',
    least: { kind: 'source', sourceId: 's', sourceFieldId: 'f' },
    inside: inFieldOrigins,
    rows: [
      ['kind', ['source'], [null, 1, 'joinKey'], [['source', 'a      s.f']]],
      ['sourceId', ...string, [['orders', 'a      orders.f']]],
      ['sourceFieldId', ...string, [['count', 'a      s.count']]],
    ],
  },
  {
    name: 'field origin of kind joinKey',
    required: ['kind', 'fieldIdBySourceId'],
    additions: 'pass',
    least: { kind: 'joinKey', fieldIdBySourceId: {} },
    inside: inFieldOrigins,
    rows: [
      ['kind', ['joinKey'], [null, 1, 'source'], [['joinKey', 'a      join key']]],
      ['fieldIdBySourceId', ...stringMap, [[{ s: 'f', t: 'g' }, 'a      join key (s.f = t.g)']]],
    ],
  },
  {
    name: 'field origin of kind tableCalculation',
    required: ['kind'],
    additions: 'pass',
    least: { kind: 'tableCalculation' },
    inside: inFieldOrigins,
    rows: [['kind', ['tableCalculation'], [null, 1, 'source'], [['tableCalculation', 'a      calculation']]]],
  },
  {
    name: 'MergeQueryError',
    required: ['kind', 'message', 'fieldIds', 'sourceId'],
    additions: 'pass',
    least: error,
    inside: (value) => ({ status: 'ok', results: { ...refused, errors: [value] } }),
    rows: [
      [
        'kind',
        [...errorKinds, 'a kind of a later release'],
        [null, 1],
        [...errorKinds, 'later'].map((kind) => [kind, `\n${kind}: x\n`]),
      ],
      ['message', ...string, [['It is wrong.', ': It is wrong.\n']]],
      ['fieldIds', ...strings, [[['a', 'b'], '\n  - Fields: a, b\n']]],
      [
        'sourceId',
        [null, 'a'],
        [1, {}],
        [
          ['a', '\n  - Source: a\n'],
          [null, '\n  - Source: the merge as a whole\n'],
        ],
      ],
    ],
  },
  {
    name: 'metric query results',
    required: Object.keys(query),
    additions: 'pass',
    least: query,
    inside: (value) => ({ status: 'ok', results: { ...started, query: value } }),
    rows: [
      ['queryUuid', ...uuid, [[uuid[0][0], `Merge started: query ${uuid[0][0]}\n`]]],
      [
        'resolvedTimezone',
        [null, 'UTC'],
        [1, {}],
        [
          ['UTC', '\nTime zone: UTC\n'],
          [null, '\nTime zone: none\n'],
        ],
      ],
      [
        'usedParametersValues',
        [{}, { a: [1] }],
        [{ a: null }, [], null],
        [
          [{}, '\nParameters: none\n'],
          [{ a: [1], b: 'x' }, '\nParameters: a = [1], b = "x"\n'],
        ],
      ],
      ['parameterReferences', ...strings],
      ['cacheMetadata', [{ cacheHit: true, more: 1 }], [{}, [], null]],
      [
        'warnings',
        [[], [{ message: 'x', tables: ['a'], fields: [], more: 1 }]],
        [[{}], [{ message: 'x', tables: 'a' }], null],
        [
          [[], '\nWarnings: none\n'],
          [[{ message: 'x' }, { message: 'y' }], '\nWarnings:\n  - x\n  - y\n'],
        ],
      ],
      ['fields', ...map],
      ['metricQuery', [{ ...metricQuery(), more: 1, timezone: null, filters: { more: 1 } }], [{}, null]],
    ],
  },
  {
    name: 'echoed MetricQuery',
    required: ['exploreName', 'dimensions', 'metrics', 'filters', 'sorts', 'limit', 'tableCalculations'],
    additions: 'pass',
    least: { ...metricQuery() },
    inside: (value) => inQuery({ metricQuery: value }),
    rows: [
      ['exploreName', ...string],
      ['dimensions', ...strings],
      ['metrics', ...strings],
      ['filters', ...map],
      ['sorts', [[{ fieldId: 'a', descending: true, more: 1 }]], [[{}], null]],
      ['limit', ...number],
      ['tableCalculations', ...records],
    ],
  },
  {
    name: 'echoed SortField',
    required: ['fieldId', 'descending'],
    additions: 'pass',
    least: { fieldId: 'a', descending: true },
    inside: (value) => inQuery({ metricQuery: { ...metricQuery(), sorts: [value] } }),
    rows: [
      ['fieldId', ...string],
      ['descending', ...boolean],
    ],
  },
  {
    name: 'QueryWarning',
    required: ['message'],
    additions: 'pass',
    least: { message: 'x' },
    inside: (value) => inQuery({ warnings: [value] }),
    rows: [
      ['message', ...string, [['It is slow.', '\n  - It is slow.\n']]],
      ['tables', ...strings, [[['orders', 'visits'], '\n  - x (tables: orders, visits)\n']]],
      ['fields', ...strings, [[['orders_id'], '\n  - x (fields: orders_id)\n']]],
    ],
  },
  {
    name: 'CacheMetadata',
    required: ['cacheHit'],
    additions: 'pass',
    least: { cacheHit: true },
    inside: (cacheMetadata) => inQuery({ cacheMetadata }),
    rows: [
      [
        'cacheHit',
        ...boolean,
        [
          [true, '\nCache: hit\n'],
          [false, '\nCache: miss\n'],
        ],
      ],
      ['cacheKey', ...string],
      ['cacheExpiresAt', ...dateTime, [[dateTime[0][0], `\nCache: hit, expires ${dateTime[0][0]}\n`]]],
      ['cacheUpdatedTime', ...dateTime, [[dateTime[0][1], `\nCache: hit, updated ${dateTime[0][1]}\n`]]],
      [
        'preAggregate',
        [{ hit: true }, { hit: false, name: 'a', reason: { reason: 'any', fieldId: 'a' } }],
        [{}, { hit: 1 }, { hit: true, reason: 'any' }, null],
      ],
    ],
  },
  {
    name: 'CacheMetadata.preAggregate',
    required: ['hit'],
    additions: 'pass',
    least: { hit: false },
    inside: inPreAggregate,
    rows: [
      [
        'hit',
        ...boolean,
        [
          [true, '\nCache: miss, pre-aggregate hit\n'],
          [false, '\nCache: miss, pre-aggregate miss\n'],
        ],
      ],
      ['name', ...string, [['daily', ', pre-aggregate daily miss\n']]],
      [
        'reason',
        [{ reason: 'x' }],
        [{}, 'x', null],
        [
          [{ reason: 'x' }, ', pre-aggregate miss, reason x\n'],
          [
            {
              reason: 'x',
              fieldId: 'orders_day',
              preAggregateTimeDimension: 'orders_created',
              preAggregateGranularity: 'day',
              queryGranularity: '\u001bhour',
            },
            ', fieldId orders_day, preAggregateTimeDimension orders_created, preAggregateGranularity day, queryGranularity \\u001bhour\n',
          ],
        ],
      ],
    ],
  },
  {
    name: 'CacheMetadata.preAggregate.reason',
    required: ['reason'],
    additions: 'pass',
    least: { reason: 'x' },
    inside: (reason) => inPreAggregate({ hit: false, reason }),
    rows: [
      [
        'reason',
        [...missReasons, 'later'],
        [null, 1, {}],
        missReasons.map((reason) => [reason, `, reason ${reason}\n`]),
      ],
      ['fieldId', ...string, [['orders_day', ', reason x, fieldId orders_day\n']]],
      ['preAggregateTimeDimension', ...string, [['day', ', preAggregateTimeDimension day\n']]],
      ['preAggregateGranularity', ...string, [['day', ', reason x, preAggregateGranularity day\n']]],
      ['queryGranularity', ...string, [['hour', ', reason x, queryGranularity hour\n']]],
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
    rows: [
      ['status', ['error'], ['ok', null]],
      ['error', [{ name: 'x', statusCode: 500, more: 1 }], [{}, 'x', null]],
    ],
  },
  {
    name: 'error',
    required: ['name', 'statusCode'],
    additions: 'pass',
    least: { name: 'NotFoundError', statusCode: 404 },
    inside: (value) => ({ status: 'error', error: value }),
    rows: [
      ['name', ...string, [['ForbiddenError', 'HTTP 404 ForbiddenError']]],
      // The status of the answer itself is shown.
      ['statusCode', [404], ['404', 404.5, null]],
      ['message', ...string, [['There is none.', 'NotFoundError: There is none.']]],
      ['data', [null, 1, {}, []], [], [[{ id: 7 }, 'NotFoundError ({"id":7})']]],
    ],
  },
];

/** What `merge submit` writes for people of an answer. */
function showResponse(json: unknown): string {
  const parsed = parseMergeResponse(json);
  return parsed.ok ? renderMergeOutcome(parsed.value.results, plainPalette) : '';
}

function showError(payload: unknown): string {
  return errorOfStatus('GET /', { status: 404, headers: new Headers() }, payload, '').message;
}

/** What `merge submit --dry-run` shows of a request, as it reads back. */
function readDryRun(body: unknown): unknown {
  const [, shown = ''] = renderRequestText({
    method: 'POST',
    url: '/',
    body: body as Record<string, unknown>,
  }).split('\n\n');
  return JSON.parse(shown);
}

const documents = [
  {
    schema: 'merge-request.json',
    parse: parseMergeRequest,
    shapes: requestShapes,
    show: () => '',
    takesAnything: ['config'],
    takesNothing: ['metric source queryUuid', 'MergeQueryExecutionMode interactive limit'],
  },
  {
    schema: 'merge-response.json',
    parse: parseMergeResponse,
    shapes: responseShapes,
    show: showResponse,
    takesAnything: [],
    takesNothing: ['started errors', 'refused query'],
  },
  {
    schema: 'error-payload.json',
    parse: parseErrorPayload,
    shapes: payloadShapes,
    show: showError,
    takesAnything: ['data'],
    takesNothing: [],
  },
];

/** The names of all properties that a JSON Schema describes. */
function propertiesOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties } = schema as { readonly properties?: object };
  return [
    ...(properties === undefined ? [] : Object.keys(properties)),
    ...Object.values(schema).flatMap(propertiesOf),
  ];
}

describe.each(documents)('$schema', ({ schema, parse, shapes, show, takesAnything, takesNothing }) => {
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
    const rows = shapes.flatMap(({ name, rows }) => rows.map((row) => ({ name, row })));
    const told = new Set(rows.map(({ row: [field] }) => field));
    const described = new Set(propertiesOf(JSON.parse(readFileSync(`schemas/${schema}`, 'utf8'))));
    expect([...described].filter((field) => !told.has(field) && field !== '$schema')).toEqual([]);
    const without = (values: 1 | 2) => rows.filter(({ row }) => row[values].length === 0);
    expect(without(2).map(({ row: [field] }) => field)).toEqual(takesAnything);
    expect(without(1).map(({ name, row: [field] }) => `${name} ${field}`)).toEqual(takesNothing);
  });

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

    const named = rows.map(([field, good, bad, shown = []]) => ({ field, good, bad, shown }));
    it.each(named)('$field', ({ field, good, bad, shown }) => {
      for (const value of good) {
        const whole = inside({ ...least, [field]: value });
        expect(passes(whole), `${JSON.stringify(value)} passes`).toBe(true);
        expect(parse(whole)).toEqual({ ok: true, value: whole });
        if (parse === parseMergeRequest) expect(readDryRun(whole)).toEqual(whole);
      }
      for (const [value, text] of shown) {
        expect(show(inside({ ...least, [field]: value }))).toContain(text);
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
