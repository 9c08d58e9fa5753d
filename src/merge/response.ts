import * as z from 'zod/mini';
import { type Parsed, parseWith } from '../core/json/parse-with.js';
import { fieldIdSchema, metricQuerySchema, notShownSchema, parametersSchema, uuidSchema } from './request.js';

/** MergeQueryErrorKind of the contract, all 17. */
export const mergeQueryErrorKinds = [
  'too_few_sources',
  'too_many_sources',
  'duplicate_source_id',
  'reserved_source_id',
  'empty_join_key',
  'join_key_coverage',
  'unknown_source_in_join_key',
  'fan_out',
  'join_key_not_selected',
  'join_key_type_mismatch',
  'join_key_granularity_mismatch',
  'unsupported_table_calculation',
  'duplicate_calculation_name',
  'unresolved_calculation_reference',
  'unresolved_column_type',
  'missing_parameters',
  'result_source_unavailable',
] as const;

/** A kind of error of a refused merge that the contract documents. */
export type MergeQueryErrorKind = (typeof mergeQueryErrorKinds)[number];

/** Kinds of servers newer than the contract. */
const laterErrorKinds = ['calculation_formula_too_long'] as const;

/** A kind of error that lightspan has words for. */
export type MergeErrorKind = MergeQueryErrorKind | (typeof laterErrorKinds)[number];

/**
 * MergeQueryError of the contract. An undocumented kind passes: the publisher counts a new value of a response enum as
 * a change that breaks nobody, and the message still says what is wrong.
 */
const mergeQueryErrorSchema = z.looseObject({
  kind: z
    .union([z.enum(mergeQueryErrorKinds), z.string()])
    .check(z.describe('a kind of error, documented or later')),
  message: z.string(),
  fieldIds: z.array(fieldIdSchema),
  /** Null for errors about the merge as a whole. */
  sourceId: z.nullable(z.string()),
});

/** One error of a refused merge: its kind, its message, and the fields and the source that it is about. */
export type MergeQueryError = z.infer<typeof mergeQueryErrorSchema>;

export function isMergeErrorKind(kind: string): kind is MergeErrorKind {
  return [...mergeQueryErrorKinds, ...laterErrorKinds].some((known) => known === kind);
}

const { exploreName, dimensions, metrics, tableCalculations } = metricQuerySchema.shape;

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
  limit: z.number().check(z.describe('Maximum rows.')),
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

const metricQueryResultsSchema = z.looseObject({
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

export type CacheMetadata = z.infer<typeof cacheMetadataSchema>;
/** A warning with which a query was started. */
export type QueryWarning = z.infer<typeof queryWarningSchema>;
/** A query that was started: its UUID, its fields, and what is known of its cache. */
export type MetricQueryResults = z.infer<typeof metricQueryResultsSchema>;

/**
 * The 200 response to a compose merge query ("Response: success envelope" in the contract). Unknown additions pass;
 * what the contract promises must be present.
 */

const documentedOriginSchema = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('source'), sourceId: z.string(), sourceFieldId: fieldIdSchema }),
  z.looseObject({
    kind: z.literal('joinKey'),
    fieldIdBySourceId: z.record(z.string(), fieldIdSchema),
  }),
  z.looseObject({ kind: z.literal('tableCalculation') }),
]);

/**
 * A kind that was added later, as with kinds of errors. An origin of a documented kind must have the documented shape.
 */
const laterOriginSchema = z.looseObject({
  kind: z.string().check(z.regex(/^(?!(?:source|joinKey|tableCalculation)$)/)),
});

const fieldOriginSchema = z.union([documentedOriginSchema, laterOriginSchema]);

const mergeMetadata = {
  fieldOrigins: z.record(z.string(), fieldOriginSchema),
  parameterReferences: z.array(z.string()),
};

/** Each outcome has its own field and not the other's: a response with both contradicts itself. */
const startedMergeSchema = z.looseObject({
  outcome: z.literal('started'),
  ...mergeMetadata,
  query: metricQueryResultsSchema,
  errors: z.optional(z.never()),
});

/** "A non-empty errors list (outcome refused carries `errors`, never `query`)": endpoint rule 3. */
const refusedMergeSchema = z.looseObject({
  outcome: z.literal('refused'),
  ...mergeMetadata,
  errors: z.array(mergeQueryErrorSchema).check(z.minLength(1)),
  query: z.optional(z.never()),
});

export const mergeResponseSchema = z.looseObject({
  status: z.literal('ok'),
  results: z.discriminatedUnion('outcome', [startedMergeSchema, refusedMergeSchema]),
});

/** Where a field of a merged result comes from. */
export type FieldOrigin = z.infer<typeof fieldOriginSchema>;
type DocumentedOrigin = z.infer<typeof documentedOriginSchema>;

export function isDocumentedOrigin(origin: FieldOrigin): origin is DocumentedOrigin {
  return documentedOriginSchema.safeParse(origin).success;
}

/** A merge that the server accepted and started. */
export type StartedMerge = z.infer<typeof startedMergeSchema>;
/** A merge that the server refused, with all its errors. */
export type RefusedMerge = z.infer<typeof refusedMergeSchema>;
/** The answer to a compose merge query: started or refused, both with HTTP 200. */
export type MergeResponse = z.infer<typeof mergeResponseSchema>;
export type MergeResults = MergeResponse['results'];

/** The payload of every response that is not a success ("Errors" in the contract). */
export const errorPayloadSchema = z.looseObject({
  status: z.literal('error'),
  error: z.looseObject({
    name: z.string(),
    statusCode: z.int(),
    message: z.optional(z.string()),
    data: z.optional(z.unknown()),
  }),
});

/** What a Lightdash server answers an error with. */
export type ErrorPayload = z.infer<typeof errorPayloadSchema>;

/** Reads the parsed JSON of a 200 response to a compose merge query. Unknown additions pass, contradictions do not. */
export function parseMergeResponse(json: unknown): Parsed<MergeResponse> {
  return parseWith(mergeResponseSchema, json);
}

/**
 * Reads the parsed JSON of an error. A value that is no error payload gives the problem as a value, and throws nothing.
 */
export function parseErrorPayload(json: unknown): Parsed<ErrorPayload> {
  return parseWith(errorPayloadSchema, json);
}
