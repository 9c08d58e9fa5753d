import * as z from 'zod/mini';
import {
  declaredAdvisoriesSchema,
  declaredBreakSchema,
  migrationFileSchema,
} from '../../release-safety/artifact-schema.js';
import {
  dateTimeSchema,
  nullableVersionSchema,
  verdictSchema,
  versionSchema,
  versionsSchema,
} from '../../release-safety/field-schemas.js';
import { countSchema } from './index-result-schemas.js';
import { missingRangeSchema, upgradeCheckResultSchema } from './result-schemas.js';
import {
  appliedIssueSchema,
  landingReasonSchema,
  routeSchema,
  usedIndexSchema,
} from './upgrade-plan-schema.js';

/** What `upgrade-report --json` writes, as `result-schemas.ts` has it of the others. */

const reasonSchema = z.union([
  z.strictObject({ kind: z.literal('below-index-floor'), rule: z.literal(5), floor: versionSchema }),
  z.strictObject({ kind: z.literal('missing-coverage'), rule: z.literal(7), range: missingRangeSchema }),
  z.strictObject({
    kind: z.literal('required-stop'),
    rule: z.literal(3),
    stop: versionSchema,
    demandedBy: versionsSchema,
  }),
  z.strictObject({
    kind: z.literal('below-minimum-version'),
    rule: z.literal(4),
    minimum: versionSchema,
    demandedBy: versionsSchema,
  }),
  z.strictObject({ kind: z.literal('unsafe-release'), rule: z.literal(2), version: versionSchema }),
  z.strictObject({
    kind: z.literal('unknown-release'),
    rule: z.literal(1),
    version: versionSchema,
    backfilled: z.boolean(),
  }),
  z.strictObject({
    kind: z.literal('unknown-release'),
    rule: z.literal(6),
    version: versionSchema,
    backfilled: z.literal(true),
  }),
  z.extend(appliedIssueSchema, { kind: z.literal('known-issue') }),
]);

const artifactFaultKinds = ['missing-artifact', 'unavailable-artifact', 'invalid-artifact'] as const;
const fieldValueSchema = z.union([verdictSchema, nullableVersionSchema, versionsSchema]);

const disagreementSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('field-differs'),
    version: versionSchema,
    field: z.enum(['previousVersion', 'rollingUpdateSafe', 'requiredStops', 'minPreviousVersion']),
    index: fieldValueSchema,
    artifact: fieldValueSchema,
  }),
  z.strictObject({
    kind: z.literal('other-release'),
    version: versionSchema,
    artifactVersion: z.string(),
  }),
  z.strictObject({ kind: z.literal('backfilled-true'), version: versionSchema }),
  z.strictObject({ kind: z.enum(artifactFaultKinds), version: versionSchema, message: z.string() }),
]);

const spanSchema = z.extend(upgradeCheckResultSchema, {
  jump: verdictSchema,
  rolling: z.boolean(),
  reasons: z.array(reasonSchema),
  disagreements: z.array(disagreementSchema),
  strategyContradictions: versionsSchema.check(
    z.describe('Releases whose artifact recommends another strategy than its verdict means.'),
  ),
});

const migrationSchema = z.extend(migrationFileSchema, { version: versionSchema });

const releaseSchema = z.strictObject({
  version: versionSchema,
  releaseDate: dateTimeSchema,
  standing: z.enum(['proven', 'unsafe', 'unknown-recent', 'unknown-backfilled', 'not-borne-out']),
  hop: z.nullable(z.int().check(z.gte(1))).check(z.describe('The hop of the route that crosses it.')),
  landing: z.nullable(landingReasonSchema),
  requiredStop: z.boolean(),
  artifact: z.enum(['read', 'backfilled', 'other-release', ...artifactFaultKinds]),
  declaredBreaks: z.array(declaredBreakSchema),
  declaredAdvisories: declaredAdvisoriesSchema.check(
    z.describe('The publisher claims that these break nobody; they decide nothing.'),
  ),
  migrations: z.array(migrationSchema),
  disagreements: z.array(disagreementSchema),
});

const notReportedSchema = versionsSchema.check(
  z.describe('Releases of which no artifact tells; they may hold more.'),
);

const changesSchema = z.array(z.strictObject({ text: z.string(), versions: versionsSchema }));

const knownCountSchema = z
  .nullable(countSchema)
  .check(z.describe('At least so many where any release is not reported; null where nothing is known.'));

const apiSchema = z.strictObject({
  breakingCount: knownCountSchema,
  advisoryCount: knownCountSchema,
  breaking: changesSchema,
  advisories: changesSchema,
  unlisted: z
    .array(z.strictObject({ version: versionSchema, breaking: z.int(), advisories: z.int() }))
    .check(z.describe('Releases that count more changes than they list.')),
  notReported: notReportedSchema,
});

const defaultSchema = z.optional(
  z
    .union([z.string(), z.number(), z.boolean(), z.null()])
    .check(z.describe('Null is no default; one that is not told is left out.')),
);

const configChangesSchema = z.array(
  z.strictObject({
    type: z.enum(['removed', 'renamed', 'defaultChanged']),
    formerNames: z.array(z.string()),
    name: z.string(),
    previousDefault: defaultSchema,
    defaultValue: defaultSchema,
    versions: versionsSchema,
  }),
);

export const upgradeReportResultSchema = z.strictObject({
  schemaVersion: z.literal('2'),
  safe: z.boolean().check(z.describe('Index and artifacts prove the whole span safe to roll in one step.')),
  index: z.extend(usedIndexSchema, { latestVersion: versionSchema }),
  madeAt: dateTimeSchema,
  madeBy: z.string(),
  fromVersion: versionSchema,
  toVersion: versionSchema,
  requestedTarget: routeSchema.shape.requestedTarget,
  blockedBy: routeSchema.shape.blockedBy.check(
    z.describe('Why a named target goes no further than `toVersion`.'),
  ),
  publisherOnly: z
    .boolean()
    .check(z.describe('Known issues were left out: what came to light since counts for nothing.')),
  span: spanSchema.check(z.describe('What index and artifacts say together.')),
  indexAlone: z.strictObject({ jump: verdictSchema, rolling: z.boolean() }),
  route: routeSchema,
  counts: z
    .strictObject({
      proven: countSchema,
      unsafe: countSchema,
      'unknown-recent': countSchema,
      'unknown-backfilled': countSchema,
      'not-borne-out': countSchema,
    })
    .check(z.describe('How many releases stand how.')),
  releases: z.array(releaseSchema),
  artifacts: z
    .strictObject({ read: countSchema, backfilled: countSchema, notRead: countSchema })
    .check(z.describe('How many were read, were never published, or were not read.')),
  migrations: z.strictObject({
    count: knownCountSchema,
    coreCount: knownCountSchema,
    eeCount: knownCountSchema,
    files: z.array(migrationSchema).check(z.describe('The heaviest first.')),
    notReported: notReportedSchema,
  }),
  api: z.strictObject({ rest: apiSchema, mcp: apiSchema }),
  config: z.strictObject({
    changes: configChangesSchema.check(z.describe('What is left at the end of the span.')),
    unrecognised: z.array(
      z.strictObject({ version: versionSchema, change: z.record(z.string(), z.unknown()) }),
    ),
    variablesSet: z.nullable(countSchema).check(z.describe('Null without --variables.')),
    ofVariablesSet: configChangesSchema.check(z.describe('Those that concern a variable that is set.')),
    notReported: notReportedSchema,
  }),
});

export type UpgradeReportResult = z.infer<typeof upgradeReportResultSchema>;
