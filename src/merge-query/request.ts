import * as z from 'zod/mini';
import { type Parsed, parseWith } from '../shared/parse-with.js';

/** The name of a field in a query: a string of any characters (the contract sets no limit). */
export const fieldIdSchema = z.string();

/** "A UUID is a string in UUID version 4 format (RFC 4122)": no other version passes. */
export const uuidSchema = z.uuidv4();

/** A record that the contract leaves "not shown": it passes through untouched. */
export const notShownSchema = z.looseObject({});

/** A union and not `z.nullable`, whose error message does not say that null is allowed. */
const rowsOrNullSchema = z
  .union([z.number(), z.null()])
  .check(z.describe('a finite number of rows, or null'));
const stringOrNullSchema = z.union([z.string(), z.null()]).check(z.describe('a string or null'));

const parameterValueSchema = z
  .union([z.string(), z.number(), z.array(z.string()), z.array(z.number())])
  .check(z.meta({ id: 'ParameterValue', description: 'a string, a number, or a list of either' }));

/** Parameter values by the parameter's name. */
export const parametersSchema = z.record(z.string(), parameterValueSchema);

/** ParameterValue of the contract: one of string, number, array of string, array of number. */
export type ParameterValue = z.infer<typeof parameterValueSchema>;

const sortFieldSchema = z
  .strictObject({
    fieldId: fieldIdSchema,
    descending: z.boolean(),
    nullsFirst: z.optional(z.boolean()),
    pivotValues: z.optional(
      z
        .array(z.unknown())
        .check(z.describe('Pins the sort to a pivot column; ignored for results that are not pivoted.')),
    ),
  })
  .check(z.meta({ id: 'SortField' }));

/**
 * AdditionalMetric of the contract, which allows additional properties. Those that it lists without a type pass through
 * too.
 */
const additionalMetricSchema = z
  .looseObject({
    type: z.string().check(z.describe('Metric aggregation type.')),
    sql: z.string(),
    table: z.string(),
    name: z.string(),
    // "string or null": the contract gives no format for this one.
    uuid: z.optional(stringOrNullSchema),
    generationType: z.optional(z.literal('periodOverPeriod')),
    periodOffset: z.optional(z.number().check(z.gte(1))),
  })
  .check(z.meta({ id: 'AdditionalMetric', description: 'An inline ad-hoc metric.' }));

/** Filters of the contract; the groups themselves are not shown there, and pass through. */
const filtersSchema = z
  .strictObject({
    dimensions: z.optional(notShownSchema),
    metrics: z.optional(notShownSchema),
    tableCalculations: z.optional(notShownSchema),
  })
  .check(z.meta({ id: 'Filters', description: 'Filter groups; {} filters nothing.' }));

/** As requests contain it; responses echo it as `echoedMetricQuerySchema`. */
export const metricQuerySchema = z
  .strictObject({
    exploreName: z.string().check(z.describe('Explore to query.')),
    dimensions: z.array(fieldIdSchema).check(z.describe('Field ids of the dimensions to include.')),
    metrics: z.array(fieldIdSchema).check(z.describe('Field ids of the metrics to include.')),
    filters: filtersSchema,
    sorts: z.array(sortFieldSchema),
    // A double without a documented bound: the server decides what is too large or makes no sense.
    limit: z.number().check(z.describe('Maximum rows.')),
    tableCalculations: z
      .array(notShownSchema)
      .check(z.describe("Calculations over this query's results (sql, template or formula).")),
    additionalMetrics: z.optional(z.array(additionalMetricSchema)),
    customDimensions: z.optional(
      z.array(notShownSchema).check(z.describe('Inline dimensions (bin or custom SQL).')),
    ),
    metricOverrides: z.optional(
      z.record(z.string(), z.unknown()).check(z.describe('Format options by metric id.')),
    ),
    dimensionOverrides: z.optional(
      z.record(z.string(), z.unknown()).check(z.describe('Format options by dimension id.')),
    ),
    timezone: z.optional(z.string().check(z.describe('Time zone for date and time values, a zone name.'))),
    pivotDimensions: z.optional(
      z.array(fieldIdSchema).check(z.describe('Field ids of the dimensions used as pivot columns.')),
    ),
    metadata: z.optional(
      z.strictObject({
        hasADateDimension: z.strictObject({ name: z.string(), label: z.string(), table: z.string() }),
      }),
    ),
  })
  .check(
    z.meta({ id: 'MetricQuery', description: 'Dimensions, metrics, filters and sorts of one explore.' }),
  );

/** MetricQuery of the contract, as requests contain it. */
export type MetricQuery = z.infer<typeof metricQuerySchema>;
/** SortField of the contract. */
export type SortField = z.infer<typeof sortFieldSchema>;
/** AdditionalMetric of the contract: a metric that the query defines inline. */
export type AdditionalMetric = z.infer<typeof additionalMetricSchema>;

/** The table of the merged result. No source may have this id. */
export const mergedTableId = 'merge';

const sourceIdSchema = z
  .string()
  .check(z.describe('Stable id of the source; it names the table that its merged fields belong to.'));

const metricSourceSchema = z
  .strictObject({ id: sourceIdSchema, metricQuery: metricQuerySchema })
  .check(
    z.meta({ id: 'MetricSource', description: 'A metric query, compiled and run as part of the merge.' }),
  );

const resultSourceSchema = z
  .strictObject({
    id: sourceIdSchema,
    queryUuid: uuidSchema.check(z.describe('queryUuid of an existing query result of yours.')),
  })
  .check(
    z.meta({ id: 'ResultSource', description: 'An existing query result, joined as the rows it contains.' }),
  );

const mergeQuerySourceSchema = z
  .union([metricSourceSchema, resultSourceSchema])
  .check(z.describe('an object with an id and either a metricQuery or a queryUuid'));

const mergeJoinKeyPartSchema = z
  .strictObject({
    name: z.string().check(z.describe('Column name that the key part takes in the merged result.')),
    fieldIdBySourceId: z
      .record(z.string(), fieldIdSchema)
      .check(z.describe('The field that each source joins on, by source id; every source needs an entry.')),
  })
  .check(z.meta({ id: 'MergeJoinKeyPart', description: 'One column of the join key.' }));

const mergeTableCalculationSchema = z
  .strictObject({
    name: z.string(),
    displayName: z.string(),
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the form in which references are written.
    sql: z.string().check(z.describe('SQL over the merged result; references are ${sourceId.fieldId}.')),
  })
  .check(
    z.meta({
      id: 'MergeTableCalculation',
      description: 'A calculation over the merged result, applied last.',
    }),
  );

const mergeQuerySchema = z
  .strictObject({
    // A double, and no bound is documented.
    limit: z.number().check(z.describe('Row limit of the merged result.')),
    tableCalculations: z
      .array(mergeTableCalculationSchema)
      .check(z.describe('Calculations over the merged result, applied last, after any pivot.')),
    joinType: z
      .enum(['full', 'left', 'inner'])
      .check(z.describe('How rows without a match survive, as in the SQL join of that name.')),
    joinKey: z.array(mergeJoinKeyPartSchema).check(z.describe('The columns that the sources are joined on.')),
    sources: z.array(mergeQuerySourceSchema).check(z.describe('The sides of the merge, at least two.')),
  })
  .check(z.meta({ id: 'MergeQuery', description: 'What is merged, and how.' }));

const mergeQueryExecutionModeSchema = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('interactive') }),
    z.strictObject({
      type: z.literal('export'),
      limit: rowsOrNullSchema,
    }),
  ])
  .check(z.meta({ id: 'MergeQueryExecutionMode' }));

/** ChartConfig of the contract. What a chart of its type needs is for the server to say: it passes through. */
const chartConfigSchema = z
  .looseObject({ type: z.string() })
  .check(z.meta({ id: 'ChartConfig', description: 'The visualization of the merged result.' }));

const mergeQueryChartSchema = z
  .strictObject({
    chartConfig: chartConfigSchema,
    pivotConfig: z.optional(
      z.strictObject({
        columns: z.array(z.string()).check(z.describe('Fields used as pivot columns.')),
        rows: z.optional(z.array(z.string()).check(z.describe('Fields on the pivot row axis, in order.'))),
      }),
    ),
  })
  .check(z.meta({ id: 'MergeQueryChart' }));

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

/** Where a query was issued from. */
export type QueryExecutionContext = z.infer<typeof queryExecutionContextSchema>;

/**
 * The request body of a compose merge query. Strict: a key that the contract does not know is refused, because it is
 * probably misspelt. No value is changed and no default is added.
 */
export const mergeRequestSchema = z.strictObject({
  mergeQuery: mergeQuerySchema,
  chart: z.optional(mergeQueryChartSchema),
  mode: z.optional(mergeQueryExecutionModeSchema),
  parameters: z.optional(parametersSchema.check(z.describe('Parameter values by parameter name.'))),
  invalidateCache: z.optional(z.boolean().check(z.describe('Ask for cached results to be bypassed.'))),
  context: z.optional(queryExecutionContextSchema.check(z.describe('Where the query was issued from.'))),
});

/** The request body of a compose merge query. */
export type MergeRequest = z.infer<typeof mergeRequestSchema>;
/** A merge: its sources, the columns that join them, and calculations over the result. */
export type MergeQuery = z.infer<typeof mergeQuerySchema>;
/** One side of a merge: a metric query, or an existing result. */
export type MergeQuerySource = z.infer<typeof mergeQuerySourceSchema>;
/** A metric query, compiled and run as part of the merge. */
export type MetricSource = z.infer<typeof metricSourceSchema>;
/** An existing query result, joined by its rows. */
export type ResultSource = z.infer<typeof resultSourceSchema>;
/** One column of the join key. */
export type MergeJoinKeyPart = z.infer<typeof mergeJoinKeyPartSchema>;
/** A calculation over the merged result, applied last. */
export type MergeTableCalculation = z.infer<typeof mergeTableCalculationSchema>;
/** How a merge is run: `interactive`, or `export` with its own row limit. */
export type MergeQueryExecutionMode = z.infer<typeof mergeQueryExecutionModeSchema>;
/** ChartConfig of the contract: its type, and whatever a chart of that type takes. */
export type ChartConfig = z.infer<typeof chartConfigSchema>;
/** The chart that the merged result is for. */
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
