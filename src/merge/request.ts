import * as z from 'zod/mini';
import { type Parsed, parseWith } from '../core/json/parse-with.js';
import { chartConfigSchema } from './chart-config.js';

/** The schema with what editors and messages say of it. */
function about<T extends z.ZodMiniType>(description: string, schema: T): T {
  return schema.check(z.describe(description));
}

/** An object of the contract, under its name there. A key that the contract does not have is refused. */
function record<T extends z.core.$ZodLooseShape>(id: string, description: string, shape: T) {
  return z.strictObject(shape).check(z.meta({ id, description }));
}

/** The version of the interface that the contract describes. */
export const contractVersion = '2.202.0';

/** What newer servers take, and the contract does not have: it passes through untouched. */
const laterField = z.optional(about('Newer than the contract: the server judges it.', z.unknown()));

/** A row limit: a double, of which the server decides what is too large. */
const rowLimitSchema = z.number().check(z.gte(0));

/** The name of a field in a query: a string of any characters (the contract sets no limit). */
export const fieldIdSchema = z.string();
const fieldIds = z.array(fieldIdSchema);

/** "A UUID is a string in UUID version 4 format (RFC 4122)": no other version passes. */
export const uuidSchema = z.uuidv4();

/** A record that the contract leaves "not shown": it passes through untouched. */
export const notShownSchema = z.looseObject({});
const notShownMap = z.record(z.string(), z.unknown());

const parameterValueSchema = z
  .union([z.string(), z.number(), z.array(z.string()), z.array(z.number())])
  .check(z.meta({ id: 'ParameterValue', description: 'a string, a number, or a list of either' }));

export const parametersSchema = z.record(z.string(), parameterValueSchema);

/** The value of a parameter of a query: a text, a number, or a list of either. */
export type ParameterValue = z.infer<typeof parameterValueSchema>;

const sortFieldSchema = record('SortField', 'A field to sort by.', {
  fieldId: fieldIdSchema,
  descending: z.boolean(),
  nullsFirst: z.optional(z.boolean()),
  pivotValues: z.optional(about('Pins the sort to a pivot column.', z.array(z.unknown()))),
});

/** It allows additional properties. Those that the contract lists without a type pass through too. */
const additionalMetricSchema = z
  .looseObject({
    type: about('Metric aggregation type.', z.string()),
    sql: z.string(),
    table: z.string(),
    name: z.string(),
    // A union and not `z.nullable`, whose error message does not say that null is allowed.
    uuid: z.optional(about('a string or null', z.union([z.string(), z.null()]))),
    generationType: z.optional(z.literal('periodOverPeriod')),
    periodOffset: z.optional(z.number().check(z.gte(1))),
  })
  .check(z.meta({ id: 'AdditionalMetric', description: 'An inline ad-hoc metric.' }));

/** The groups themselves are not shown, and pass through. */
const filtersSchema = record('Filters', 'Filter groups; {} filters nothing.', {
  dimensions: z.optional(notShownSchema),
  metrics: z.optional(notShownSchema),
  tableCalculations: z.optional(notShownSchema),
});

/** As requests contain it; responses echo it as `echoedMetricQuerySchema`. */
export const metricQuerySchema = record('MetricQuery', 'A query of one explore.', {
  exploreName: about('Explore to query.', z.string()),
  dimensions: about('Field ids of the dimensions to include.', fieldIds),
  metrics: about('Field ids of the metrics to include.', fieldIds),
  filters: filtersSchema,
  sorts: z.array(sortFieldSchema),
  limit: about('Maximum rows.', rowLimitSchema),
  tableCalculations: about('sql, template or formula.', z.array(notShownSchema)),
  additionalMetrics: z.optional(z.array(additionalMetricSchema)),
  customDimensions: z.optional(about('Inline dimensions (bin or custom SQL).', z.array(notShownSchema))),
  metricOverrides: z.optional(about('Format options by metric id.', notShownMap)),
  dimensionOverrides: z.optional(about('Format options by dimension id.', notShownMap)),
  timezone: z.optional(about('Time zone for date and time values, a zone name.', z.string())),
  pivotDimensions: z.optional(about('Field ids of the dimensions used as pivot columns.', fieldIds)),
  metadata: z.optional(
    z.strictObject({
      hasADateDimension: z.strictObject({ name: z.string(), label: z.string(), table: z.string() }),
    }),
  ),
});

/** A query of one explore, as a source of a merge has it (contract, MetricQuery). */
export type MetricQuery = z.infer<typeof metricQuerySchema>;
/** A field by which a query is sorted. */
export type SortField = z.infer<typeof sortFieldSchema>;
/** A metric that a query defines itself; keys that the contract does not list pass through. */
export type AdditionalMetric = z.infer<typeof additionalMetricSchema>;

/** The table of the merged result. No source may have this id. */
export const mergedTableId = 'merge';

const sourceIdSchema = about('Stable id; names the table that its merged fields belong to.', z.string());

const metricSourceSchema = record('MetricSource', 'A metric query, compiled and run as part of the merge.', {
  id: sourceIdSchema,
  metricQuery: metricQuerySchema,
  repeatValues: laterField,
});

const resultSourceSchema = record('ResultSource', 'An existing query result of yours.', {
  id: sourceIdSchema,
  queryUuid: uuidSchema,
  repeatValues: laterField,
});

const mergeQuerySourceSchema = about(
  'an object with an id and either a metricQuery or a queryUuid',
  z.union([metricSourceSchema, resultSourceSchema]),
);

const mergeJoinKeyPartSchema = record('MergeJoinKeyPart', 'One column of the join key.', {
  name: about('Column name that the key part takes in the merged result.', z.string()),
  fieldIdBySourceId: about(
    'The field that each source joins on, by source id; every source needs an entry.',
    z.record(z.string(), fieldIdSchema),
  ),
});

const mergeTableCalculationSchema = record('MergeTableCalculation', 'A calculation over the result.', {
  name: z.string(),
  displayName: z.string(),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the form in which references are written.
  sql: about('SQL over the merged result; references are ${sourceId.fieldId}.', z.string()),
  formula: z.optional(about('Newer than the contract: a formula, and then sql is empty.', z.string())),
});

const mergeQuerySchema = record('MergeQuery', 'What is merged, and how.', {
  limit: about('Row limit of the merged result.', rowLimitSchema),
  tableCalculations: about('Applied last, after any pivot.', z.array(mergeTableCalculationSchema)),
  joinType: about('Which rows without a match survive.', z.enum(['full', 'left', 'inner'])),
  joinKey: about('The columns that the sources are joined on.', z.array(mergeJoinKeyPartSchema)),
  sources: about('The sides of the merge, two.', z.array(mergeQuerySourceSchema)),
  sorts: laterField,
});

const mergeQueryExecutionModeSchema = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('interactive') }),
    z.strictObject({
      type: z.literal('export'),
      limit: about('a finite number of rows, or null', z.union([rowLimitSchema, z.null()])),
    }),
  ])
  .check(z.meta({ id: 'MergeQueryExecutionMode' }));

const mergeQueryChartSchema = record('MergeQueryChart', 'The chart that the merged result is for.', {
  chartConfig: chartConfigSchema,
  pivotConfig: z.optional(
    z.strictObject({
      columns: about('Fields used as pivot columns.', z.array(z.string())),
      rows: z.optional(about('Fields on the pivot row axis, in order.', z.array(z.string()))),
    }),
  ),
});

const queryExecutionContextSchema = z.enum([
  'dashboardView',
  'autorefreshedDashboard',
  'exploreView',
  'filterAutocomplete',
  'chartView',
  'chartHistory',
  'sqlChartView',
  'sqlRunner',
  'viewUnderlyingData',
  'alert',
  'scheduledDelivery',
  'csvDownload',
  'gsheets',
  'scheduledGsheetsChart',
  'scheduledGsheetsDashboard',
  'scheduledGsheetsSqlChart',
  'scheduledChart',
  'scheduledDashboard',
  'calculateTotal',
  'calculateSubtotal',
  'embed',
  'ai',
  'mcp.run_metric_query',
  'mcp.run_sql',
  'mcp.search_field_values',
  'api',
  'cli',
  'metricsExplorer',
  'preAggregateMaterialization',
  'composeSqlRunner',
  'multiSourceQuery',
  'dataAppSample',
]);

/** For what a query is run, by the words of the contract. */
export type QueryExecutionContext = z.infer<typeof queryExecutionContextSchema>;

/**
 * The request body of a compose merge query. Strict: a key that the contract does not know is refused, because it is
 * probably misspelt. No value is changed and no default is added.
 */
export const mergeRequestSchema = z.strictObject({
  mergeQuery: mergeQuerySchema,
  chart: z.optional(mergeQueryChartSchema),
  mode: z.optional(mergeQueryExecutionModeSchema),
  parameters: z.optional(about('Parameter values by parameter name.', parametersSchema)),
  invalidateCache: z.optional(about('Ask for cached results to be bypassed.', z.boolean())),
  context: z.optional(about('Where the query was issued from.', queryExecutionContextSchema)),
});

/** The body of a compose merge query: what is merged, and how it is run. */
export type MergeRequest = z.infer<typeof mergeRequestSchema>;
/** Sources, join key, calculations and limit of a merge. */
export type MergeQuery = z.infer<typeof mergeQuerySchema>;
/** A source of a merge: a metric query, or the result of one that has run. */
export type MergeQuerySource = z.infer<typeof mergeQuerySourceSchema>;
/** A source that is compiled and run with the merge. */
export type MetricSource = z.infer<typeof metricSourceSchema>;
/** A source that is an existing result, by the UUID of its query. */
export type ResultSource = z.infer<typeof resultSourceSchema>;
/** One column of the join key: its field in each source, by the id of the source. */
export type MergeJoinKeyPart = z.infer<typeof mergeJoinKeyPartSchema>;
/** A calculation over the merged result. */
export type MergeTableCalculation = z.infer<typeof mergeTableCalculationSchema>;
/** How a merge is run: for a screen, or for an export of so many rows. */
export type MergeQueryExecutionMode = z.infer<typeof mergeQueryExecutionModeSchema>;
/** How a merged result is drawn; its limits are those of the table in the contract. */
export type ChartConfig = z.infer<typeof chartConfigSchema>;
/** The chart that a merged result is for. */
export type MergeQueryChart = z.infer<typeof mergeQueryChartSchema>;

export function isMetricSource(source: MergeQuerySource): source is MetricSource {
  return 'metricQuery' in source;
}

/**
 * Reads the parsed JSON of a compose merge request, strictly: a key that the contract does not know is a problem.
 * `checkMergeRules` checks the merge itself.
 */
export function parseMergeRequest(json: unknown): Parsed<MergeRequest> {
  return parseWith(mergeRequestSchema, json);
}
