import * as z from 'zod/mini';
import { artifactSchema } from '../../core/artifact/artifact.js';
import { countSchema, dateTimeSchema, sha256Schema, versionSchema } from '../../core/field-schemas.js';
import { artifactFaultKindSchema, indexFaultSchema, indexSummarySchema } from '../../core/results.js';
import { instanceStatusSchema } from '../../known-issues/instance-status.js';
import { horizonSchema, noteSchema, recordSchema } from '../../known-issues/records.js';

export const indexStatusResultSchema = z.strictObject({
  schemaVersion: z.literal('1'),
  source: z.string(),
  ageMs: z.number().check(z.describe('Since it was generated; may be below 0.')),
  sha256: sha256Schema,
  ...indexSummarySchema.shape,
  instance: z.optional(instanceStatusSchema).check(z.describe('Where the running release is given.')),
});

export const statusChangeKinds = [
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

export const indexVerifyResultSchema = z.strictObject({
  schemaVersion: z.literal('1'),
  source: z.string(),
  generatedAt: z.optional(dateTimeSchema),
  releases: countSchema,
  valid: z.boolean(),
  faultCount: countSchema.check(z.describe('How many faults there are; the first 1,000 are listed.')),
  faults: z.array(indexFaultSchema),
});

export const indexMirrorResultSchema = z.strictObject({
  schemaVersion: z.literal('1'),
  folder: z.string(),
  generatedAt: dateTimeSchema,
  releases: countSchema.check(z.describe('How many releases the index contains.')),
  knownIssues: countSchema.check(z.describe('How many records of known issues the mirror contains.')),
  artifacts: countSchema.check(z.describe('How many artifacts the mirror contains.')),
  fetched: countSchema.check(z.describe('How many of these artifacts are new.')),
  complete: z.boolean().check(z.describe('Whether the mirror contains everything that was requested.')),
  missing: z.array(
    z.strictObject({ version: versionSchema, kind: artifactFaultKindSchema, message: z.string() }),
  ),
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

export const releaseShowResultSchema = z.strictObject({
  schemaVersion: z.literal('1'),
  source: z.string(),
  recommendationContradictsVerdict: z.boolean(),
  knownIssues: z.array(recordSchema).check(z.describe('Those about the release, whatever their conditions.')),
  artifact: artifactSchema,
});

export type IndexStatusResult = z.infer<typeof indexStatusResultSchema>;
export type StatusChangesResult = z.infer<typeof statusChangesResultSchema>;
export type IndexVerifyResult = z.infer<typeof indexVerifyResultSchema>;
export type IndexMirrorResult = z.infer<typeof indexMirrorResultSchema>;
export type IndexDatasourceResult = z.infer<typeof indexDatasourceResultSchema>;
export type ReleaseShowResult = z.infer<typeof releaseShowResultSchema>;

const recordsSchema = z.array(recordSchema);

const notesSchema = z
  .array(noteSchema)
  .check(z.describe('What releases change for some; no verdict changes.'));

export const knownIssuesListResultSchema = z.strictObject({
  schemaVersion: z.literal('1'),
  builtInPublishedAt: z.nullable(dateTimeSchema).check(z.describe('The last change of a built-in one.')),
  knownThrough: horizonSchema.check(z.describe('Of later releases, no problem is known here.')),
  records: recordsSchema,
  notes: notesSchema,
});

export const knownIssuesShowResultSchema = z.strictObject({
  schemaVersion: z.literal('1'),
  records: recordsSchema.check(z.describe('More than one if sources differ: each counts.')),
  notes: notesSchema,
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
