import * as z from 'zod/mini';
import { fieldIdSchema, notShownSchema, stringOrNullSchema } from './identifiers.js';

/** SortField of the contract. */
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
 * AdditionalMetric of the contract, which allows additional properties. A property that is listed without a type has
 * the type that its name suggests. How a value is formatted and filtered is not shown, and passes through.
 */
const additionalMetricSchema = z
  .looseObject({
    type: z.string().check(z.describe('Metric aggregation type.')),
    sql: z.string(),
    table: z.string(),
    name: z.string(),
    label: z.optional(z.string()),
    description: z.optional(z.string()),
    hidden: z.optional(z.boolean()),
    round: z.optional(z.number()),
    compact: z.optional(z.unknown()),
    format: z.optional(z.unknown()),
    separator: z.optional(z.unknown()),
    index: z.optional(z.number()),
    filters: z.optional(z.unknown()),
    baseDimensionName: z.optional(z.string()),
    baseMetricName: z.optional(z.string()),
    // "string or null": the contract gives no format for this one.
    uuid: z.optional(stringOrNullSchema),
    percentile: z.optional(z.number()),
    distinctKeys: z.optional(z.array(z.string())),
    formatOptions: z.optional(z.unknown()),
    generationType: z.optional(z.literal('periodOverPeriod')),
    baseMetricId: z.optional(fieldIdSchema),
    timeDimensionId: z.optional(fieldIdSchema),
    granularity: z.optional(z.string()),
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

/** MetricQuery of the contract, as requests contain it. Responses echo it as `echoedMetricQuerySchema`. */
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
