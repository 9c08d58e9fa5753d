import * as z from 'zod/mini';
import { fieldIdSchema } from './identifiers.js';

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

/** MergeQueryErrorKind of the contract. */
export type MergeQueryErrorKind = (typeof mergeQueryErrorKinds)[number];

/**
 * MergeQueryError of the contract. An undocumented kind passes: the publisher counts a new value of a response enum as
 * a change that breaks nobody, and the message still says what is wrong.
 */
export const mergeQueryErrorSchema = z.looseObject({
  kind: z
    .union([z.enum(mergeQueryErrorKinds), z.string()])
    .check(z.describe('a kind of error, documented or later')),
  message: z.string(),
  fieldIds: z.array(fieldIdSchema),
  /** Null for errors about the merge as a whole. */
  sourceId: z.nullable(z.string()),
});

/** MergeQueryError of the contract: why a server refuses a merge. */
export type MergeQueryError = z.infer<typeof mergeQueryErrorSchema>;

/** Whether the contract documents this kind of error. */
export function isMergeQueryErrorKind(kind: string): kind is MergeQueryErrorKind {
  return mergeQueryErrorKinds.some((documented) => documented === kind);
}
