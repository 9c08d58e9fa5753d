import * as z from 'zod/mini';

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

export type ErrorPayload = z.infer<typeof errorPayloadSchema>;
