import * as z from 'zod/mini';
import { checkGroups, findingStatuses } from '../../checks/check.js';
import { decisions, failOnLevels } from '../../checks/decision.js';
import { dateTimeSchema, versionSchema } from '../../release-safety/field-schemas.js';
import { upgradeReportSchema } from '../../release-safety/report-results.js';
import { hopWithWayBackSchema, routeSchema, routeWithWaysBackSchema } from '../../release-safety/results.js';
import { routePreferences } from '../../release-safety/version.js';
import { stepSchema } from '../../steps/step-schema.js';
import {
  findingSchema,
  judgedBySchema,
  leftOutSchema,
  stopsSchema,
  usedIndexSchema,
} from './answer-schemas.js';

/** The output of `upgrade-plan --json`; `result-schemas.ts` has that of other commands. */

export const migrationTimeSchema = z.optional(
  z
    .strictObject({
      lowSeconds: z.number().check(z.nonnegative()),
      highSeconds: z.nullable(
        z.number().check(z.nonnegative(), z.describe('Null if it is not known how long they take at most.')),
      ),
      because: z.array(z.string()).check(z.describe('Why it is not known.')),
    })
    .check(z.describe('With --facts of a database: how long its migrations take, without waits for locks.')),
);

const recreateWorkSchema = z.strictObject({
  hops: z.int().check(z.nonnegative(), z.describe('How many Recreate hops there are.')),
  releases: z.int().check(z.nonnegative(), z.describe('How many releases they cross.')),
  releasesNotTold: z
    .int()
    .check(z.nonnegative(), z.describe('How many of these do not list their migrations.')),
  migrations: z.int().check(z.nonnegative(), z.describe('As far as the releases list them.')),
  migrationTime: migrationTimeSchema,
});

export const upgradePlanResultSchema = z.strictObject({
  schemaVersion: z.literal('1'),
  safe: z.boolean().check(z.describe('The route is rolling, and has no more hops than --max-hops allows.')),
  fromSource: z.string().check(z.describe('Where the running version was found.')),
  index: usedIndexSchema,
  ...leftOutSchema.shape,
  judgedBy: judgedBySchema,
  stops: stopsSchema,
  ...routeSchema.shape,
  prefer: z.enum(routePreferences).check(z.describe('Which route to prefer.')),
  underRecreate: z.optional(
    z
      .strictObject({
        countedBy: z
          .enum(['migration-time', 'migrations'])
          .check(z.describe('By what the work of the routes was compared.')),
        chosen: recreateWorkSchema,
        fewestHops: recreateWorkSchema.check(z.describe('Of the route with the fewest hops.')),
      })
      .check(z.describe('With --prefer least-downtime: the work that is left to Recreate hops.')),
  ),
  hops: z.array(
    z.extend(hopWithWayBackSchema, {
      migrationTime: migrationTimeSchema,
      steps: z.optional(z.array(stepSchema).check(z.describe('With --deploy.'))),
      block: z.optional(
        z.string().check(z.describe('With --deploy: the commands of all steps, to paste as one block.')),
      ),
      script: z.optional(z.string().check(z.describe('With --out: the file that contains them.'))),
    }),
  ),
});

export type UpgradePlanResult = z.infer<typeof upgradePlanResultSchema>;

/** The output of `upgrade-preflight --json`; `result-schemas.ts` has that of other commands. */

const countSchema = z.int().check(z.nonnegative());
const statusSchema = z.enum(findingStatuses);

export const upgradePreflightResultSchema = z.strictObject({
  schemaVersion: z.literal('1'),
  safe: z
    .boolean()
    .check(z.describe('No requested check stops, and everything that can was checked: the exit code is 0.')),
  decision: z.enum(decisions),
  failOn: z.enum(failOnLevels),
  fromVersion: versionSchema,
  fromSource: z.string().check(z.describe('Where the running version was found.')),
  toVersion: versionSchema,
  hops: countSchema.check(
    z.describe(
      'How many hops the index requires on the route, each with its own start check; 0 if there is no route.',
    ),
  ),
  index: usedIndexSchema,
  ...leftOutSchema.shape,
  judgedBy: judgedBySchema,
  facts: z.strictObject({ source: z.string(), collectedAt: dateTimeSchema }),
  counts: z
    .strictObject({ stop: countSchema, 'not-checked': countSchema, warn: countSchema, ok: countSchema })
    .check(z.describe('How many checks have each status.')),
  checks: z.array(
    z.strictObject({
      id: z.string(),
      group: z.enum(checkGroups),
      canStop: z.boolean(),
      status: statusSchema.check(z.describe('The gravest of its findings.')),
      whole: z.boolean().check(z.describe('Every part of it was checked.')),
    }),
  ),
  notAsked: z.array(z.string()).check(z.describe('The checks that --only left out.')),
  findings: z.array(findingSchema).check(z.describe('At least one per check.')),
});

export type UpgradePreflightResult = z.infer<typeof upgradePreflightResultSchema>;

/** The part of it that a report contains, too. */
export const preflightPartSchema = z.pick(upgradePreflightResultSchema, {
  decision: true,
  facts: true,
  counts: true,
  checks: true,
  notAsked: true,
  findings: true,
});

export type PreflightPart = z.infer<typeof preflightPartSchema>;

/** The output of `upgrade-report --json`; `result-schemas.ts` has that of other commands. */
export const upgradeReportResultSchema = z.strictObject({
  schemaVersion: z.literal('2'),
  safe: upgradeReportSchema.shape.safe.check(
    z.describe(
      'Index and artifacts prove the whole span safe to roll in one step; with --facts of an instance, nothing there stops it, and everything that can was checked.',
    ),
  ),
  index: z.extend(usedIndexSchema, { latestVersion: versionSchema }),
  madeAt: dateTimeSchema,
  madeBy: z.string(),
  acceptedIssues: leftOutSchema.shape.acceptedIssues,
  replacedIssues: leftOutSchema.shape.replacedIssues,
  judgedBy: judgedBySchema,
  ...z.omit(upgradeReportSchema, { safe: true, route: true }).shape,
  route: z
    .extend(routeWithWaysBackSchema, {
      hops: z.array(z.extend(hopWithWayBackSchema, { migrationTime: migrationTimeSchema })),
    })
    .check(z.describe('By what index and artifacts prove together.')),
  preflight: z.optional(
    preflightPartSchema.check(
      z.describe(
        'With --facts of an instance: what upgrade-preflight says of them. Then `span.safe` equals `safe`.',
      ),
    ),
  ),
});

export type UpgradeReportResult = z.infer<typeof upgradeReportResultSchema>;
