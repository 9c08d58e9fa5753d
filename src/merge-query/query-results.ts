import * as z from 'zod/mini';
import { fieldIdSchema, notShownSchema, parametersSchema, uuidSchema } from './identifiers.js';
import { metricQuerySchema } from './metric-query.js';

const { exploreName, dimensions, metrics, limit, tableCalculations } = metricQuerySchema.shape;

/**
 * MetricQuery as a server echoes it. What the contract requires must be present; everything else passes through
 * unchanged, whether the contract knows it or not.
 */
export const echoedMetricQuerySchema = z.looseObject({
  exploreName,
  dimensions,
  metrics,
  filters: notShownSchema,
  sorts: z.array(z.looseObject({ fieldId: fieldIdSchema, descending: z.boolean() })),
  limit,
  tableCalculations,
});

/** Why no pre-aggregate served the query. The contract does not show the values of `reason`. */
const preAggregateMissReasonSchema = z.looseObject({
  reason: z.string(),
  fieldId: z.optional(fieldIdSchema),
  preAggregateTimeDimension: z.optional(z.string()),
  preAggregateGranularity: z.optional(z.string()),
  queryGranularity: z.optional(z.string()),
});

const dateTimeSchema = z.iso.datetime({ offset: true });

const cacheMetadataSchema = z.looseObject({
  cacheHit: z.boolean(),
  cacheKey: z.optional(z.string()),
  cacheExpiresAt: z.optional(dateTimeSchema),
  cacheUpdatedTime: z.optional(dateTimeSchema),
  preAggregate: z.optional(
    z.looseObject({
      hit: z.boolean(),
      name: z.optional(z.string()),
      reason: z.optional(preAggregateMissReasonSchema),
    }),
  ),
});

const queryWarningSchema = z.looseObject({
  message: z.string(),
  tables: z.optional(z.array(z.string())),
  fields: z.optional(z.array(z.string())),
});

/** Metric query results of the contract: field `query` of a started merge. */
export const metricQueryResultsSchema = z.looseObject({
  /** The id of the running query; it can be used as a result source later. The contract does not promise it. */
  queryUuid: z.optional(uuidSchema),
  resolvedTimezone: z.nullable(z.string()),
  usedParametersValues: parametersSchema,
  parameterReferences: z.array(z.string()),
  cacheMetadata: cacheMetadataSchema,
  warnings: z.array(queryWarningSchema),
  fields: z.record(z.string(), notShownSchema),
  metricQuery: echoedMetricQuerySchema,
});

export type EchoedMetricQuery = z.infer<typeof echoedMetricQuerySchema>;
export type PreAggregateMiss = z.infer<typeof preAggregateMissReasonSchema>;
export type CacheMetadata = z.infer<typeof cacheMetadataSchema>;
/** A warning of the server about a running query. */
export type QueryWarning = z.infer<typeof queryWarningSchema>;
/** Metric query results of the contract: field `query` of a started merge. */
export type MetricQueryResults = z.infer<typeof metricQueryResultsSchema>;
