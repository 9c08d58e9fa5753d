import * as z from 'zod/mini';
import { recordSchema } from '../../known-issues/records.js';
import { countSchema, dateTimeSchema } from '../../release-safety/field-schemas.js';

/** The output of `lightspan known-issues`; `result-schemas.ts` has that of other commands. */

const recordsSchema = z.array(recordSchema);

export const knownIssuesListResultSchema = z.strictObject({
  schemaVersion: z.literal('1'),
  builtInPublishedAt: z
    .nullable(dateTimeSchema)
    .check(z.describe('When a built-in record was last modified.')),
  records: recordsSchema,
});

export const knownIssuesShowResultSchema = z.strictObject({
  schemaVersion: z.literal('1'),
  records: recordsSchema.check(
    z.describe(
      'More than one if sources differ although they were modified at the same moment: each counts.',
    ),
  ),
});

export const knownIssuesVerifyResultSchema = z.strictObject({
  schemaVersion: z.literal('1'),
  valid: z.boolean().check(z.describe('No file has a fault.')),
  files: z.array(
    z.strictObject({
      file: z.string(),
      records: countSchema.check(z.describe('0 if the file has a fault: then none of it is read.')),
      faults: z.array(
        z.strictObject({ line: z.int(), column: z.int(), field: z.string(), fault: z.string() }),
      ),
    }),
  ),
});

export type KnownIssuesListResult = z.infer<typeof knownIssuesListResultSchema>;
export type KnownIssuesShowResult = z.infer<typeof knownIssuesShowResultSchema>;
export type KnownIssuesVerifyResult = z.infer<typeof knownIssuesVerifyResultSchema>;
