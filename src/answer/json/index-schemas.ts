import * as z from 'zod/mini';
import { countSchema, dateTimeSchema, sha256Schema, versionSchema } from '../../core/field-schemas.js';
import { indexSummarySchema } from '../../core/results.js';
import { instanceStatusSchema } from '../../known-issues/instance-status.js';

export const indexStatusResultSchema = z.strictObject({
  schemaVersion: z.literal('1'),
  source: z.string(),
  ageMs: z.number().check(z.describe('Since it was generated; may be below 0.')),
  sha256: sha256Schema,
  ...indexSummarySchema.shape,
  instance: z.optional(instanceStatusSchema).check(z.describe('Where the running release is given.')),
});

const statusChangeKinds = [
  'running',
  'recommended',
  'not-recommended',
  'known-issue',
  'known-issue-over',
  'acceptance-ends',
  'acceptance-over',
  'records-old',
  'records-current',
  'index-old',
  'index-current',
] as const;

export const statusChangesResultSchema = z.strictObject({
  schemaVersion: z.literal('1'),
  changes: z
    .array(
      z.strictObject({
        kind: z.enum(statusChangeKinds),
        about: z.string().check(z.describe('A release, the id of a known issue, or what is accepted.')),
        message: z.string().check(z.describe('One line, for people.')),
      }),
    )
    .check(z.describe('Since the last run; none is nothing to say.')),
});

export const indexDatasourceResultSchema = z.strictObject({
  schemaVersion: z.literal('1').check(z.describe('Renovate ignores this key and the next two.')),
  generatedAt: dateTimeSchema.check(z.describe('When the index was generated.')),
  fromVersion: versionSchema,
  releases: z.array(
    z.strictObject({
      version: versionSchema,
      releaseTimestamp: z.optional(dateTimeSchema).check(z.describe('Missing if the index lacks it.')),
      changelogUrl: z.string(),
    }),
  ),
  sourceDirectory: z
    .optional(z.literal('upgrade-hold'))
    .check(z.describe('With --allow-recreate: the release beside the running one is not proven to roll.')),
});

export type IndexStatusResult = z.infer<typeof indexStatusResultSchema>;
export type StatusChangesResult = z.infer<typeof statusChangesResultSchema>;
export type IndexDatasourceResult = z.infer<typeof indexDatasourceResultSchema>;

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

export type KnownIssuesVerifyResult = z.infer<typeof knownIssuesVerifyResultSchema>;
