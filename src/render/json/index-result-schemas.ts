import * as z from 'zod/mini';
import { recordSchema } from '../../known-issues/record-schema.js';
import { artifactSchema } from '../../release-safety/artifact-schema.js';
import { dateTimeSchema, nullableVersionSchema, versionSchema } from '../../release-safety/field-schemas.js';

/** What the commands that look at an index or at an artifact write, as `result-schemas.ts` has it of the others. */

export const countSchema = z.int().check(z.gte(0));
export const sha256Schema = z.string().check(z.regex(/^[0-9a-f]{64}$/));

export const indexStatusResultSchema = z.strictObject({
  schemaVersion: z.literal('1'),
  source: z.string(),
  ageMs: z.number().check(z.describe('Since it was generated; below 0 within the skew of clocks.')),
  sha256: sha256Schema,
  generatedAt: dateTimeSchema,
  releases: countSchema,
  firstVersion: versionSchema,
  latestVersion: versionSchema,
  floorVersion: nullableVersionSchema,
  verdicts: z.strictObject({ true: countSchema, false: countSchema, unknown: countSchema }),
  backfilled: countSchema,
  newestGreenSpan: z.nullable(
    z.strictObject({ fromVersion: versionSchema, toVersion: versionSchema, releases: countSchema }),
  ),
});

const indexFaultSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('duplicate-key'), key: z.string() }),
  z.strictObject({ kind: z.literal('invalid-field'), field: z.string(), fault: z.string() }),
  z.strictObject({ kind: z.literal('duplicate'), version: versionSchema, positions: z.array(countSchema) }),
  z.strictObject({
    kind: z.literal('disorder'),
    version: versionSchema,
    after: versionSchema,
    position: countSchema,
  }),
  z.strictObject({
    kind: z.literal('gap'),
    version: versionSchema,
    previousVersion: nullableVersionSchema,
    before: versionSchema,
  }),
  z.strictObject({
    kind: z.enum(['unknown-stop', 'later-stop']),
    version: versionSchema,
    stop: versionSchema,
  }),
  z.strictObject({
    kind: z.enum(['unknown-minimum', 'later-minimum']),
    version: versionSchema,
    minimum: versionSchema,
  }),
  z.strictObject({ kind: z.literal('floor-missing'), floor: versionSchema }),
  z.strictObject({ kind: z.literal('floor-not-marked'), floor: versionSchema }),
  z.strictObject({
    kind: z.literal('marked-beside-floor'),
    version: versionSchema,
    floor: nullableVersionSchema,
  }),
  z.strictObject({ kind: z.literal('below-floor'), version: versionSchema, floor: versionSchema }),
  z.strictObject({ kind: z.literal('backfilled-true'), version: versionSchema }),
  z.strictObject({
    kind: z.literal('date-backwards'),
    version: versionSchema,
    releaseDate: dateTimeSchema,
    before: versionSchema,
    dateBefore: dateTimeSchema,
  }),
  z.strictObject({
    kind: z.literal('dated-after-index'),
    version: versionSchema,
    releaseDate: dateTimeSchema,
    generatedAt: dateTimeSchema,
  }),
]);

export const indexVerifyResultSchema = z.strictObject({
  schemaVersion: z.literal('1'),
  source: z.string(),
  generatedAt: z.optional(dateTimeSchema),
  releases: countSchema,
  valid: z.boolean(),
  faultCount: countSchema.check(z.describe('How many faults it has; the first 1,000 are listed.')),
  faults: z.array(indexFaultSchema),
});

export const indexMirrorResultSchema = z.strictObject({
  schemaVersion: z.literal('1'),
  folder: z.string(),
  generatedAt: dateTimeSchema,
  releases: countSchema.check(z.describe('How many the index has.')),
  knownIssues: countSchema.check(z.describe('How many records of known issues it holds.')),
  artifacts: countSchema.check(z.describe('How many the mirror holds.')),
  fetched: countSchema.check(z.describe('How many of them are new.')),
  complete: z.boolean().check(z.describe('Whether it holds all that was asked for.')),
  missing: z.array(
    z.strictObject({
      version: versionSchema,
      kind: z.enum(['missing-artifact', 'unavailable-artifact', 'invalid-artifact']),
      message: z.string(),
    }),
  ),
});

export const releaseShowResultSchema = z.strictObject({
  schemaVersion: z.literal('1'),
  source: z.string(),
  recommendationContradictsVerdict: z.boolean(),
  knownIssues: z
    .array(recordSchema)
    .check(z.describe('What came to light of the release; conditions are not looked at.')),
  artifact: artifactSchema,
});

export type IndexStatusResult = z.infer<typeof indexStatusResultSchema>;
export type IndexVerifyResult = z.infer<typeof indexVerifyResultSchema>;
export type IndexMirrorResult = z.infer<typeof indexMirrorResultSchema>;
export type ReleaseShowResult = z.infer<typeof releaseShowResultSchema>;
