import * as z from 'zod/mini';
import { declaredAdvisoriesSchema, declaredBreakSchema, migrationFileSchema } from './artifact/artifact.js';
import type { DeepReadonly } from './common/deep-readonly.js';
import {
  countSchema,
  dateTimeSchema,
  described,
  issueEffectSchema,
  nullableVersionSchema,
  variant,
  verdictSchema,
  versionSchema,
  versionsSchema,
} from './field-schemas.js';
import { type ReleaseStatus, reconciledFields, releaseStatuses } from './kinds.js';
import { routeTargetNames } from './version.js';

/**
 * The results for spans, routes, reports and the index itself. The program imports only the types: none of this code
 * runs for an answer.
 */

/**
 * Releases the index does not cover, in the form of the publisher's own command: those between the two versions,
 * exclusive of both, or, if both are equal, that version.
 */
export type MissingRange = DeepReadonly<z.infer<typeof missingRangeSchema>>;
const missingRangeSchema = z.strictObject({ afterVersion: versionSchema, beforeVersion: versionSchema });

export type IssueEffect = DeepReadonly<z.infer<typeof issueEffectSchema>>;

/** What became known of a release after its verdict was published. It can only take away, never give. */
export type AppliedIssue = DeepReadonly<z.infer<typeof appliedIssueSchema>>;
const appliedIssueSchema = z.strictObject({
  id: z.string(),
  summary: z.string(),
  /** The release that it is about: the newest affected one of the step. */
  version: versionSchema,
  effect: issueEffectSchema,
  remedy: z.string(),
  notKnown: described(
    z.array(z.string()),
    'Unknown facts that it depends on; if there are none, it applies, else it may apply.',
  ),
});

/** What a release changes for those whom it concerns; it takes no yes away. */
export type AppliedNote = DeepReadonly<z.infer<typeof appliedNoteSchema>>;
export const appliedNoteSchema = z.strictObject({
  id: z.string(),
  /** The first release of which it is so. */
  version: versionSchema,
  summary: z.string(),
  concerns: z.string(),
  before: described(z.nullable(z.string()), 'What to do before the upgrade.'),
  after: described(z.nullable(z.string()), 'What to do after it.'),
  references: z.array(z.string()),
  notKnown: described(
    z.array(z.string()),
    'Unknown facts that it depends on; if there are none, it concerns the instance, else it may.',
  ),
});

/** What each span rule can find, in a span and in a route. */
const found = {
  belowFloor: { kind: z.literal('below-index-floor'), rule: z.literal(5), floor: versionSchema },
  missing: { kind: z.literal('missing-coverage'), rule: z.literal(7), range: missingRangeSchema },
  stop: {
    kind: z.literal('required-stop'),
    rule: z.literal(3),
    stop: versionSchema,
    demandedBy: versionsSchema,
  },
  belowMinimum: { kind: z.literal('below-minimum-version'), rule: z.literal(4), minimum: versionSchema },
  unsafe: { kind: z.literal('unsafe-release'), rule: z.literal(2), version: versionSchema },
  unknown: {
    kind: z.literal('unknown-release'),
    rule: z.literal(1),
    version: versionSchema,
    backfilled: z.boolean(),
  },
  /** A backfilled release whose verdict is true, which proves nothing. */
  backfilled: {
    kind: z.literal('unknown-release'),
    rule: z.literal(6),
    version: versionSchema,
    backfilled: z.literal(true),
  },
};

/** Why a span is not safe, with the number of the span rule. The renderers make words for it. */
export type Reason = DeepReadonly<z.infer<typeof reasonSchema>>;
const reasonSchema = z.union([
  z.strictObject(found.belowFloor),
  z.strictObject(found.missing),
  z.strictObject(found.stop),
  z.strictObject({ ...found.belowMinimum, demandedBy: versionsSchema }),
  z.strictObject(found.unsafe),
  z.strictObject(found.unknown),
  z.strictObject(found.backfilled),
  z.extend(appliedIssueSchema, { kind: z.literal('known-issue') }),
]);

/** What the index says of a span. The first nine fields are the public form of the contract. */
export type SpanResult = DeepReadonly<z.infer<typeof spanResultSchema>>;
export const spanResultSchema = z.strictObject({
  fromVersion: versionSchema,
  toVersion: versionSchema,
  direction: z.enum(['upgrade', 'same-version']),
  safe: described(z.boolean(), 'The whole span is proven: one step, and old and new pods may overlap.'),
  /** The verdicts of the releases, joined by AND (span rule 2); `"unknown"` if the index does not cover them all. */
  verdict: verdictSchema,
  /** The stops that releases of the span require, the floor first, then the stops that known issues require. */
  requiredStops: versionsSchema,
  /** The highest of the minimums that releases of the span set (span rule 4); null if none sets one. */
  minPreviousVersion: nullableVersionSchema,
  /** The releases of the span in the index, oldest first. */
  coveredVersions: versionsSchema,
  missingRanges: z.array(missingRangeSchema),
  /** May this be one direct upgrade: no stop in it, not below the minimum, not below the floor? */
  jump: verdictSchema,
  rolling: z.boolean(),
  reasons: z.array(reasonSchema),
});

/** Why no artifact can be used. One that is invalid was read, and cannot be trusted. */
export type ArtifactFaultKind = z.infer<typeof artifactFaultKindSchema>;
export const artifactFaultKindSchema = z.enum([
  'missing-artifact',
  'unavailable-artifact',
  'invalid-artifact',
]);

const fieldValueSchema = z.union([verdictSchema, nullableVersionSchema, versionsSchema]);

/** How the artifacts do not confirm what the index says of the release `version`. */
export type ArtifactDisagreement = DeepReadonly<z.infer<typeof disagreementSchema>>;
const disagreementSchema = z.discriminatedUnion('kind', [
  variant('field-differs', {
    version: versionSchema,
    field: z.enum(reconciledFields),
    index: fieldValueSchema,
    artifact: fieldValueSchema,
  }),
  /** The artifact found for `version` describes another release. */
  variant('other-release', { version: versionSchema, artifactVersion: z.string() }),
  /** The index says true of a backfilled release, which has no artifact to confirm it (span rule 6). */
  variant('backfilled-true', { version: versionSchema }),
  z.strictObject({ kind: artifactFaultKindSchema, version: versionSchema, message: z.string() }),
]);

/** The answer for a span by index and artifacts together: what they disagree about takes the yes away. */
export type ReconciledSpanResult = DeepReadonly<z.infer<typeof reconciledSpanResultSchema>>;
const reconciledSpanResultSchema = z.extend(spanResultSchema, {
  /** Oldest release first. If there is any, `safe` is false. */
  disagreements: z.array(disagreementSchema),
  strategyContradictions: described(
    versionsSchema,
    'Releases whose artifact recommends another strategy than its verdict means.',
  ),
});

/** Why a hop lands where it does, on the route with the fewest hops. */
const plainLandingReasonSchema = z.enum([
  'index-floor',
  'required-stop',
  'minimum-previous-version',
  'known-issue',
  'target',
]);

/** Why a hop lands where it does; `least-downtime` where the route is not the one with the fewest hops. */
export type LandingReason = z.infer<typeof landingReasonSchema>;
const landingReasonSchema = z.enum([...plainLandingReasonSchema.options, 'least-downtime']);

/** How the workloads are replaced: the value of the chart's `upgrade.mode` (contract, "Deployment mapping"). */
export type Strategy = z.infer<typeof strategySchema>;
const strategySchema = z.enum(['RollingUpdate', 'Recreate']);

/** One hop of a route: from where to where, how, and what speaks against it. */
export type RouteHop = DeepReadonly<z.infer<typeof routeHopSchema>>;
const routeHopSchema = z.strictObject({
  fromVersion: versionSchema,
  toVersion: versionSchema,
  reason: landingReasonSchema,
  /**
   * The releases that require this landing, oldest first: those that require the stop, or those whose minimum the
   * landing meets and the start of the hop does not. Empty for the target, and if known issues require the landing.
   */
  demandedBy: versionsSchema,
  landingIssues: described(z.array(appliedIssueSchema), 'The known issues that made the hop end there.'),
  knownIssues: described(z.array(appliedIssueSchema), 'Those that apply, or may apply, to the hop.'),
  verdict: verdictSchema,
  /** `RollingUpdate` only if every verdict is true, the index covers the hop, and no known issue applies to it. */
  strategy: strategySchema,
  /** No index covers it, because it begins below the floor (span rule 5). */
  belowIndexFloor: z.boolean(),
  certified: described(
    z.boolean(),
    'The index covers every release of the hop, and no known issue applies to it except those that Recreate settles.',
  ),
  /** Those it crosses, exclusive of its start, inclusive of its landing, oldest first. */
  releases: versionsSchema,
  unsafeVersions: versionsSchema,
  unknownVersions: versionsSchema,
  missingRanges: z.array(missingRangeSchema),
  accepted: z.optional(
    described(
      versionsSchema,
      'A Recreate that is accepted to roll, although that is not proven: the releases whose verdict was accepted.',
    ),
  ),
});

const blocked = {
  /** The first release that cannot be reached, or the version that the index does not cover. */
  version: versionSchema,
  verdict: verdictSchema,
  /** The newest release on the route that can be reached; the start itself if none can. */
  reachableVersion: versionSchema,
};

/** What blocks the route to the target, with the number of the span rule. */
export type RouteBlock = DeepReadonly<z.infer<typeof routeBlockSchema>>;
const routeBlockSchema = z.discriminatedUnion('kind', [
  z.strictObject({ ...found.missing, ...blocked }),
  z.strictObject({ ...found.stop, ...blocked }),
  z.strictObject({ ...found.belowFloor, ...blocked }),
  z.strictObject({ ...found.belowMinimum, ...blocked }),
  z.strictObject({ ...found.unsafe, ...blocked }),
  z.strictObject({ ...found.unknown, ...blocked }),
  z.strictObject({ ...found.backfilled, ...blocked }),
  /** The issues that forbid the first step; never empty. */
  variant('known-issue', { ...blocked, issues: z.array(appliedIssueSchema) }),
]);

export type WayBackReason = DeepReadonly<z.infer<typeof wayBackReasonSchema>>;
const wayBackReasonSchema = z.discriminatedUnion('kind', [
  variant('no-migrations', {}),
  variant('starts-on-newer-database', { migrations: countSchema }),
  variant('starts-with-flag', {
    migrations: countSchema,
    flag: z.string(),
    knownFrom: described(versionSchema, 'The oldest release that is certain to know it.'),
    neededBelow: described(versionSchema, 'From this release on it is not needed.'),
  }),
  variant('hop-not-covered', {}),
  variant('migrations-not-told', {
    versions: described(versionsSchema, 'Releases whose migrations no artifact lists.'),
  }),
  variant('old-code-not-proven', {
    versions: described(versionsSchema, 'Releases that are not proven safe to roll.'),
  }),
  variant('issues-hold', { ids: z.array(z.string()) }),
  variant('refuses-newer-database', { version: versionSchema, flag: z.string(), knownFrom: versionSchema }),
  variant('sorts-before', {
    migrations: described(z.array(z.string()), 'The old image treats them as a divergence.'),
  }),
  variant('order-not-known', {}),
]);

export type WayBack = DeepReadonly<z.infer<typeof wayBackSchema>>;
const wayBackSchema = z.strictObject({
  needs: described(
    z.enum(['code', 'flag', 'backup']),
    'code: the old image starts on the database as it is; flag: it starts with an environment variable ' +
      'set; backup: anything not proven to need less.',
  ),
  because: z.array(wayBackReasonSchema),
});

export type HopWithWayBack = DeepReadonly<z.infer<typeof hopWithWayBackSchema>>;
export const hopWithWayBackSchema = z.extend(routeHopSchema, {
  wayBack: described(
    wayBackSchema,
    'What going back from this hop to its start costs, once its migrations have begun.',
  ),
});

/** The hops from the running version to the target, and where no hop leads further, what blocks the rest. */
export type Route = DeepReadonly<z.infer<typeof routeSchema>>;
export const routeSchema = z.strictObject({
  fromVersion: versionSchema,
  /** For `latest-rolling`, the newest that rolling hops reach, or `fromVersion` if none. */
  toVersion: versionSchema,
  requestedTarget: z.union([z.enum(routeTargetNames), versionSchema]),
  /** There is a route (or nothing to do), and the index covers every hop of it. */
  certified: z.boolean(),
  /** Either the whole route to `toVersion`, or none. */
  hops: z.array(routeHopSchema),
  rolling: described(z.boolean(), 'It is complete and proven, and every hop is a rolling update.'),
  recreateHops: countSchema,
  /** Why there is no route; for `latest-rolling`, why it goes no further. Null if nothing blocks it. */
  blockedBy: z.nullable(routeBlockSchema),
});

export type RouteWithWaysBack = DeepReadonly<z.infer<typeof routeWithWaysBackSchema>>;
export const routeWithWaysBackSchema = z.extend(routeSchema, { hops: z.array(hopWithWayBackSchema) });

/** A span that is proven from end to end, and how many releases it crosses. */
export type GreenSpan = DeepReadonly<z.infer<typeof greenSpanSchema>>;
const greenSpanSchema = z.strictObject({
  fromVersion: versionSchema,
  toVersion: versionSchema,
  releases: countSchema,
});

/** What an index has: releases, their range, and how many have each verdict. */
export type IndexSummary = DeepReadonly<z.infer<typeof indexSummarySchema>>;
export const indexSummarySchema = z.strictObject({
  generatedAt: dateTimeSchema,
  releases: countSchema,
  firstVersion: versionSchema,
  latestVersion: versionSchema,
  floorVersion: nullableVersionSchema,
  verdicts: z.strictObject({ true: countSchema, false: countSchema, unknown: countSchema }),
  backfilled: countSchema,
  /** Null if no step in the whole index is proven. */
  newestGreenSpan: z.nullable(greenSpanSchema),
});

/** One fault of an index. Positions count its entries from 0, in the order of the file. */
export type IndexFault = DeepReadonly<z.infer<typeof indexFaultSchema>>;
export const indexFaultSchema = z.discriminatedUnion('kind', [
  /** A key that occurs twice in one object: JSON does not say which of its two values counts. */
  variant('duplicate-key', { key: z.string() }),
  variant('invalid-field', { field: z.string(), fault: z.string() }),
  variant('duplicate', { version: versionSchema, positions: z.array(countSchema) }),
  variant('disorder', { version: versionSchema, after: versionSchema, position: countSchema }),
  /** A release whose `previousVersion` is not the release before it (span rule 7). */
  variant('gap', { version: versionSchema, previousVersion: nullableVersionSchema, before: versionSchema }),
  /** A required stop that is not in the index, or is newer than the release that requires it. */
  z.strictObject({
    kind: z.enum(['unknown-stop', 'later-stop']),
    version: versionSchema,
    stop: versionSchema,
  }),
  /** A minimum that is not in the index, or is not older than the release that sets it. */
  z.strictObject({
    kind: z.enum(['unknown-minimum', 'later-minimum']),
    version: versionSchema,
    minimum: versionSchema,
  }),
  variant('floor-missing', { floor: versionSchema }),
  variant('floor-not-marked', { floor: versionSchema }),
  /**
   * A release is marked as the floor (`syntheticRequiredStop`), and the index names another floor; null if it names
   * none.
   */
  variant('marked-beside-floor', { version: versionSchema, floor: nullableVersionSchema }),
  variant('below-floor', { version: versionSchema, floor: versionSchema }),
  /** A backfilled release whose verdict is true (span rule 6). */
  variant('backfilled-true', { version: versionSchema }),
  /** A release dated before the one it follows, or after the index was generated. */
  variant('date-backwards', {
    version: versionSchema,
    releaseDate: dateTimeSchema,
    before: versionSchema,
    dateBefore: dateTimeSchema,
  }),
  variant('dated-after-index', {
    version: versionSchema,
    releaseDate: dateTimeSchema,
    generatedAt: dateTimeSchema,
  }),
]);

/** A migration, and the release that brings it. */
export type SpanMigration = DeepReadonly<z.infer<typeof spanMigrationSchema>>;
const spanMigrationSchema = z.extend(migrationFileSchema, { version: versionSchema });

const notReportedSchema = described(
  versionsSchema,
  'Releases that no artifact reports on; they may contain more.',
);

const knownCountSchema = described(
  z.nullable(countSchema),
  'A minimum if any release is not reported; null if nothing is known.',
);

/** The migrations of a span, as far as artifacts report them. */
export type SpanMigrations = DeepReadonly<z.infer<typeof spanMigrationsSchema>>;
const spanMigrationsSchema = z.strictObject({
  count: knownCountSchema,
  coreCount: knownCountSchema,
  eeCount: knownCountSchema,
  /** Within one weight, by release, oldest first. */
  files: described(z.array(spanMigrationSchema), 'The heaviest first.'),
  notReported: notReportedSchema,
});

/** One change that releases describe in the same words, and those releases, oldest first. */
export type ListedChange = DeepReadonly<z.infer<typeof listedChangeSchema>>;
const listedChangeSchema = z.strictObject({ text: z.string(), versions: versionsSchema });

/** The changes of an API over a span, as far as artifacts report them. */
export type SpanApiChanges = DeepReadonly<z.infer<typeof spanApiChangesSchema>>;
const spanApiChangesSchema = z.strictObject({
  /** Over all releases, each counted separately: the publisher's totals, not the number of lines in its lists. */
  breakingCount: knownCountSchema,
  advisoryCount: knownCountSchema,
  breaking: z.array(listedChangeSchema),
  advisories: z.array(listedChangeSchema),
  unlisted: described(
    z.array(z.strictObject({ version: versionSchema, breaking: z.int(), advisories: z.int() })),
    'Releases that count more changes than they list.',
  ),
  notReported: notReportedSchema,
});

/** The default of an environment variable: a text, null for none, absent where it is not reported. */
export type VariableDefault = z.infer<typeof variableDefaultSchema>;
const variableDefaultSchema = z.optional(
  described(
    z.union([z.string(), z.number(), z.boolean(), z.null()]),
    'Null means no default; a default that is not stated is left out.',
  ),
);

/** What a whole span does to one environment variable, from the running version to the wanted version. */
export type NetConfigChange = DeepReadonly<z.infer<typeof netConfigChangeSchema>>;
const netConfigChangeSchema = z.strictObject({
  type: z.enum(['removed', 'renamed', 'defaultChanged']),
  /** Every name before the end of the span, oldest first; none is read any more, unless it is `name`. */
  formerNames: z.array(z.string()),
  /** Its name at the end of the span; for a removed variable, its last name. */
  name: z.string(),
  previousDefault: variableDefaultSchema,
  defaultValue: variableDefaultSchema,
  versions: versionsSchema,
});

const netConfigChangesSchema = z.array(netConfigChangeSchema);

/** What a span changes in environment variables, net, as far as artifacts report it. */
export type ReportedConfig = DeepReadonly<z.infer<typeof reportedConfigSchema>>;
const reportedConfigSchema = z.strictObject({
  changes: described(netConfigChangesSchema, 'What remains at the end of the span.'),
  /** Changes of a kind that this version does not know, as they came. */
  unrecognised: z.array(
    z.strictObject({ version: versionSchema, change: z.record(z.string(), z.unknown()) }),
  ),
  variablesSet: described(z.nullable(countSchema), 'Null without --variables.'),
  ofVariablesSet: described(netConfigChangesSchema, 'Those that concern a variable that is set.'),
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

/** One release of a report: when it was released, its status, and its place on the route. */
export type ReportedRelease = DeepReadonly<z.infer<typeof reportedReleaseSchema>>;
const reportedReleaseSchema = z.strictObject({
  version: versionSchema,
  releaseDate: dateTimeSchema,
  standing: releaseStatusSchema,
  /** From 1; null if there is no route. */
  hop: described(z.nullable(z.int().check(z.gte(1))), 'The hop of the route that crosses it.'),
  /** Why a hop lands on it; null if none does. */
  landing: z.nullable(plainLandingReasonSchema),
  requiredStop: z.boolean(),
  artifact: artifactStatusSchema,
  declaredBreaks: z.array(declaredBreakSchema),
  declaredAdvisories: described(
    declaredAdvisoriesSchema,
    'The publisher claims that these break nobody; they decide nothing.',
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
  blockedBy: described(routeSchema.shape.blockedBy, 'Why a named target goes no further than `toVersion`.'),
  publisherOnly: described(
    z.boolean(),
    'Known issues were left out: problems found after a release was published are ignored.',
  ),
  span: described(reconciledSpanResultSchema, 'What index and artifacts say together.'),
  /** What the index alone answers to `jump` and `rolling`, without artifacts. */
  indexAlone: z.strictObject({ jump: verdictSchema, rolling: z.boolean() }),
  /** By what index and artifacts prove together. */
  route: routeWithWaysBackSchema,
  counts: described(
    z.strictObject(
      Object.fromEntries(releaseStatuses.map((status) => [status, countSchema])) as Record<
        ReleaseStatus,
        typeof countSchema
      >,
    ),
    'How many releases have each status.',
  ),
  /** Every release of the span in the index, oldest first. */
  releases: z.array(reportedReleaseSchema),
  artifacts: described(
    z.strictObject({ read: countSchema, backfilled: countSchema, notRead: countSchema }),
    'How many were read, were never published, or were not read.',
  ),
  migrations: spanMigrationsSchema,
  api: z.strictObject({ rest: spanApiChangesSchema, mcp: spanApiChangesSchema }),
  config: reportedConfigSchema,
});

/** The net changes of environment variables, and those of a kind that is not known here. */
export type FoldedConfigChanges = Pick<ReportedConfig, 'changes' | 'unrecognised'>;
