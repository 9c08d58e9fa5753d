import * as z from 'zod/mini';
import { fieldIdSchema } from './identifiers.js';
import { mergeQueryErrorSchema } from './merge-error.js';
import { metricQueryResultsSchema } from './query-results.js';

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

/** Where a merged field comes from. */
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

/** Where a merged field comes from. */
export type FieldOrigin = z.infer<typeof fieldOriginSchema>;
type DocumentedOrigin = z.infer<typeof documentedOriginSchema>;

/** Whether the contract documents an origin of this kind. */
export function isDocumentedOrigin(origin: FieldOrigin): origin is DocumentedOrigin {
  return documentedOriginSchema.safeParse(origin).success;
}

/** The merge was accepted, and its query is running. */
export type StartedMerge = z.infer<typeof startedMergeSchema>;
/** The merge was refused; `errors` has at least one error. */
export type RefusedMerge = z.infer<typeof refusedMergeSchema>;
/** The 200 response to a compose merge query. */
export type MergeResponse = z.infer<typeof mergeResponseSchema>;
export type MergeResults = MergeResponse['results'];

/** The payload of every response that is not a success ("Errors" in the contract). */
export const errorPayloadSchema = z.looseObject({
  status: z.literal('error'),
  error: z.looseObject({
    /** Unique name of the error type. */
    name: z.string(),
    /** HTTP status code. */
    statusCode: z.int(),
    message: z.optional(z.string()),
    data: z.optional(z.unknown()),
  }),
});

/** The payload of every response that is not a success. */
export type ErrorPayload = z.infer<typeof errorPayloadSchema>;
