import * as z from 'zod/mini';
import type { DeepReadonly } from '../shared/deep-readonly.js';
import { declaredAdvisoriesSchema, declaredBreakSchema, migrationFileSchema } from './artifact.js';
import {
  countSchema,
  dateTimeSchema,
  verdictSchema,
  versionSchema,
  versionsSchema,
} from './field-schemas.js';
import { type ReleaseStatus, releaseStatuses } from './kinds.js';
import {
  artifactFaultKindSchema,
  disagreementSchema,
  plainLandingReasonSchema,
  reconciledSpanResultSchema,
  routeSchema,
  routeWithWaysBackSchema,
} from './results.js';

/** What a report collects over a span; `results.ts` has the same for spans and routes. */

export type SpanMigration = DeepReadonly<z.infer<typeof spanMigrationSchema>>;
const spanMigrationSchema = z.extend(migrationFileSchema, { version: versionSchema });

const notReportedSchema = versionsSchema.check(
  z.describe('Releases that no artifact reports on; they may contain more.'),
);

const knownCountSchema = z
  .nullable(countSchema)
  .check(z.describe('A minimum if any release is not reported; null if nothing is known.'));

export type SpanMigrations = DeepReadonly<z.infer<typeof spanMigrationsSchema>>;
const spanMigrationsSchema = z.strictObject({
  count: knownCountSchema,
  coreCount: knownCountSchema,
  eeCount: knownCountSchema,
  /** Within one weight, by release, oldest first. */
  files: z.array(spanMigrationSchema).check(z.describe('The heaviest first.')),
  notReported: notReportedSchema,
});

/** One change that releases describe in the same words, and those releases, oldest first. */
export type ListedChange = DeepReadonly<z.infer<typeof listedChangeSchema>>;
const listedChangeSchema = z.strictObject({ text: z.string(), versions: versionsSchema });

export type SpanApiChanges = DeepReadonly<z.infer<typeof spanApiChangesSchema>>;
const spanApiChangesSchema = z.strictObject({
  /** Over all releases, each counted separately: the publisher's totals, not the number of lines in its lists. */
  breakingCount: knownCountSchema,
  advisoryCount: knownCountSchema,
  breaking: z.array(listedChangeSchema),
  advisories: z.array(listedChangeSchema),
  unlisted: z
    .array(z.strictObject({ version: versionSchema, breaking: z.int(), advisories: z.int() }))
    .check(z.describe('Releases that count more changes than they list.')),
  notReported: notReportedSchema,
});

export type VariableDefault = z.infer<typeof variableDefaultSchema>;
const variableDefaultSchema = z.optional(
  z
    .union([z.string(), z.number(), z.boolean(), z.null()])
    .check(z.describe('Null means no default; a default that is not stated is left out.')),
);

/** What a whole span does to one environment variable, from the running version to the wanted version. */
export type NetConfigChange = DeepReadonly<z.infer<typeof netConfigChangeSchema>>;
const netConfigChangeSchema = z.strictObject({
  type: z.enum(['removed', 'renamed', 'defaultChanged']),
  /**
   * Every name it has before the end of the span, oldest first. None of these is read any more, unless it is `name`.
   */
  formerNames: z.array(z.string()),
  /** Its name at the end of the span; for a removed variable, its last name. */
  name: z.string(),
  previousDefault: variableDefaultSchema,
  defaultValue: variableDefaultSchema,
  /** The releases that changed it, oldest first. */
  versions: versionsSchema,
});

const netConfigChangesSchema = z.array(netConfigChangeSchema);

export type ReportedConfig = DeepReadonly<z.infer<typeof reportedConfigSchema>>;
const reportedConfigSchema = z.strictObject({
  changes: netConfigChangesSchema.check(z.describe('What remains at the end of the span.')),
  /** Changes of a kind that this version does not know, as they came. */
  unrecognised: z.array(
    z.strictObject({ version: versionSchema, change: z.record(z.string(), z.unknown()) }),
  ),
  variablesSet: z.nullable(countSchema).check(z.describe('Null without --variables.')),
  ofVariablesSet: netConfigChangesSchema.check(z.describe('Those that concern a variable that is set.')),
  notReported: notReportedSchema,
});

const releaseStatusSchema = z.enum(releaseStatuses);

/** What happened to the artifact of a release: it was read, or why not. A backfilled release has none. */
export type ArtifactStatus = z.infer<typeof artifactStatusSchema>;
const artifactStatusSchema = z.enum([
  'read',
  'backfilled',
  'other-release',
  ...artifactFaultKindSchema.options,
]);

/** One release of a span, with what its artifact says of it. */
export type ReportedRelease = DeepReadonly<z.infer<typeof reportedReleaseSchema>>;
const reportedReleaseSchema = z.strictObject({
  version: versionSchema,
  releaseDate: dateTimeSchema,
  standing: releaseStatusSchema,
  /** From 1; null if there is no route. */
  hop: z.nullable(z.int().check(z.gte(1))).check(z.describe('The hop of the route that crosses it.')),
  /** Why a hop lands on it; null if none does. */
  landing: z.nullable(plainLandingReasonSchema),
  requiredStop: z.boolean(),
  artifact: artifactStatusSchema,
  declaredBreaks: z.array(declaredBreakSchema),
  declaredAdvisories: declaredAdvisoriesSchema.check(
    z.describe('The publisher claims that these break nobody; they decide nothing.'),
  ),
  migrations: z.array(spanMigrationSchema),
  disagreements: z.array(disagreementSchema),
});

/** Everything an operator must know about a span. */
export type UpgradeReport = DeepReadonly<z.infer<typeof upgradeReportSchema>>;
export const upgradeReportSchema = z.strictObject({
  safe: z.boolean(),
  fromVersion: versionSchema,
  toVersion: versionSchema,
  requestedTarget: routeSchema.shape.requestedTarget,
  blockedBy: routeSchema.shape.blockedBy.check(
    z.describe('Why a named target goes no further than `toVersion`.'),
  ),
  publisherOnly: z
    .boolean()
    .check(
      z.describe('Known issues were left out: problems found after a release was published are ignored.'),
    ),
  span: reconciledSpanResultSchema.check(z.describe('What index and artifacts say together.')),
  /** The answers of the index alone to the same questions. */
  indexAlone: z.strictObject({ jump: verdictSchema, rolling: z.boolean() }),
  /** By what index and artifacts prove together. */
  route: routeWithWaysBackSchema,
  counts: z
    .strictObject(
      Object.fromEntries(releaseStatuses.map((status) => [status, countSchema])) as Record<
        ReleaseStatus,
        typeof countSchema
      >,
    )
    .check(z.describe('How many releases have each status.')),
  /** Every release of the span in the index, oldest first. */
  releases: z.array(reportedReleaseSchema),
  artifacts: z
    .strictObject({ read: countSchema, backfilled: countSchema, notRead: countSchema })
    .check(z.describe('How many were read, were never published, or were not read.')),
  migrations: spanMigrationsSchema,
  api: z.strictObject({ rest: spanApiChangesSchema, mcp: spanApiChangesSchema }),
  config: reportedConfigSchema,
});

export type FoldedConfigChanges = Pick<ReportedConfig, 'changes' | 'unrecognised'>;
