import * as z from 'zod/mini';
import { faultSchema, placedWarningSchema, ruleFaultSchema } from '../../merge/merge-check.js';
import { mergeResponseSchema } from '../../merge/response.js';

const file = z.string().check(z.describe('The file that it is in.'));

export const mergeValidateResultSchema = z.strictObject({
  schemaVersion: z.literal('1'),
  valid: z.boolean(),
  status: z.enum(['valid', 'breaks-rules', 'no-merge-request']),
  faults: z.array(z.extend(faultSchema, { file })),
  errors: z.array(z.extend(ruleFaultSchema, { file })),
  warnings: z.array(z.extend(placedWarningSchema, { file })).check(z.describe('A server may refuse these.')),
});

const queryUuid = z.string();

const rowsHere = z.strictObject({
  queryUuid,
  status: z.literal('ready'),
  rowCount: z.int().check(z.gte(0)),
  rows: z.array(z.record(z.string(), z.unknown())).check(z.describe('Raw values, by field id.')),
});
const rowsInFile = z.strictObject({
  queryUuid,
  status: z.literal('ready'),
  rowCount: z.int().check(z.gte(0)),
  out: z.string().check(z.describe('The file that the rows were written to.')),
});
const noRows = z.strictObject({
  queryUuid,
  status: z.enum(['error', 'cancelled', 'expired']),
  reason: z.optional(z.string()),
});
const queryEndSchema = z.union([rowsHere, rowsInFile, noRows]);

const version = { schemaVersion: z.literal('1') };

export const queryResultsResultSchema = z.union([
  z.extend(rowsHere, version),
  z.extend(rowsInFile, version),
  z.extend(noRows, version),
]);

/** The server's answer as it was parsed; if nothing was sent, why. */
export const mergeSubmitResultSchema = z.union([
  z.extend(mergeResponseSchema, { schemaVersion: z.literal('1'), wait: z.optional(queryEndSchema) }),
  mergeValidateResultSchema,
]);

export const mergeSubmitDryRunResultSchema = z.strictObject({
  schemaVersion: z.literal('1'),
  method: z.literal('POST'),
  url: z.string(),
  body: z.record(z.string(), z.unknown()),
});

export type MergeValidateResult = z.infer<typeof mergeValidateResultSchema>;
export type QueryResultsResult = z.infer<typeof queryResultsResultSchema>;
export type MergeSubmitDryRunResult = z.infer<typeof mergeSubmitDryRunResultSchema>;
