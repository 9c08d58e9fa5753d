import * as z from 'zod/mini';
import { checkGroups, findingStatuses } from '../../checks/check.js';
import { decisions, failOnLevels } from '../../checks/decision.js';
import { countSchema, dateTimeSchema, versionSchema } from '../../core/field-schemas.js';
import {
  hopWithWayBackSchema,
  routeSchema,
  routeWithWaysBackSchema,
  upgradeReportSchema,
} from '../../core/results.js';
import { routePreferences } from '../../core/version.js';
import { stepSchema } from '../../steps/step-schema.js';
import {
  demandsSchema,
  findingSchema,
  judgedBySchema,
  leftOutSchema,
  stopsSchema,
  usedFactsSchema,
  usedIndexSchema,
} from './answer-schemas.js';

const secondsSchema = z.number().check(z.nonnegative());

const migrationTimeSchema = z.optional(
  z
    .strictObject({
      lowSeconds: secondsSchema,
      highSeconds: z.nullable(secondsSchema).check(z.describe('Null if it is not known.')),
      because: z.array(z.string()).check(z.describe('Why it is not known.')),
    })
    .check(z.describe('With --facts of a database; without waits for locks.')),
);

const rehearsedHopSchema = z.strictObject({
  seconds: z.number(),
  restoreSeconds: z.nullable(z.number()),
  backup: z.string().check(z.describe('The day of the backup.')),
  day: z.string(),
  machine: z.string(),
});

const timedHopSchema = z.extend(hopWithWayBackSchema, {
  migrationTime: migrationTimeSchema,
  rehearsed: z.optional(
    rehearsedHopSchema.check(z.describe('As a rehearsal with rows has measured it; scaled to nothing else.')),
  ),
});

const recreateWorkSchema = z.strictObject({
  hops: countSchema,
  releases: countSchema.check(z.describe('How many releases they cross.')),
  releasesNotTold: countSchema.check(z.describe('How many of these do not list their migrations.')),
  migrations: countSchema.check(z.describe('As far as the releases list them.')),
  migrationTime: migrationTimeSchema,
});

const commandsSchema = z.strictObject({
  preamble: z.optional(
    z.array(z.string()).check(z.describe('With --deploy: what the commands need before them.')),
  ),
  block: z.optional(z.string().check(z.describe('With --deploy: all commands, to paste.'))),
  script: z.optional(z.string().check(z.describe('With --out: the file that contains them.'))),
});

export const upgradePlanResultSchema = z.strictObject({
  schemaVersion: z.literal('1'),
  safe: z
    .boolean()
    .check(
      z.describe(
        'The route is rolling, with no more hops than --max-hops allows; false for compose with --require-rolling.',
      ),
    ),
  fromSource: z.string().check(z.describe('Where the running version was found.')),
  index: usedIndexSchema,
  ...leftOutSchema.shape,
  judgedBy: judgedBySchema,
  ...demandsSchema.shape,
  stops: stopsSchema,
  ...routeSchema.shape,
  prefer: z.enum(routePreferences).check(z.describe('Which route to prefer.')),
  underRecreate: z.optional(
    z
      .strictObject({
        countedBy: z.enum(['migration-time', 'migrations']),
        chosen: recreateWorkSchema,
        fewestHops: recreateWorkSchema.check(z.describe('Of the route with the fewest hops.')),
      })
      .check(z.describe('With --prefer least-downtime: the work that is left to Recreate hops.')),
  ),
  hops: z.array(
    z.extend(timedHopSchema, {
      steps: z.optional(z.array(stepSchema).check(z.describe('With --deploy.'))),
      ...commandsSchema.shape,
      back: z.optional(
        z
          .strictObject({ steps: z.array(stepSchema), ...commandsSchema.shape })
          .check(z.describe('With --deploy: the way back from this hop.')),
      ),
    }),
  ),
});

export type UpgradePlanResult = z.infer<typeof upgradePlanResultSchema>;

export const upgradePreflightResultSchema = z.strictObject({
  schemaVersion: z.literal('1'),
  safe: z.boolean().check(z.describe('The exit code is 0.')),
  decision: z.enum(decisions),
  failOn: z.enum(failOnLevels),
  fromVersion: versionSchema,
  fromSource: z.string().check(z.describe('Where the running version was found.')),
  toVersion: versionSchema,
  hops: countSchema.check(z.describe('Each with its own start check; 0 if there is no route.')),
  index: usedIndexSchema,
  ...leftOutSchema.shape,
  judgedBy: judgedBySchema,
  ...demandsSchema.shape,
  facts: usedFactsSchema,
  counts: z
    .strictObject({ stop: countSchema, 'not-checked': countSchema, warn: countSchema, ok: countSchema })
    .check(z.describe('How many checks have each status.')),
  checks: z.array(
    z.strictObject({
      id: z.string(),
      group: z.enum(checkGroups),
      canStop: z.boolean(),
      status: z.enum(findingStatuses).check(z.describe('The gravest of its findings.')),
      whole: z.boolean().check(z.describe('Every part of it was checked.')),
    }),
  ),
  notAsked: z.array(z.string()).check(z.describe('The checks that --only left out.')),
  findings: z.array(findingSchema).check(z.describe('At least one per check.')),
});

export type UpgradePreflightResult = z.infer<typeof upgradePreflightResultSchema>;

/** The part of it that a report contains, too. */
const preflightPartSchema = z.pick(upgradePreflightResultSchema, {
  decision: true,
  facts: true,
  counts: true,
  checks: true,
  notAsked: true,
  findings: true,
});

export type PreflightPart = z.infer<typeof preflightPartSchema>;

export const upgradeReportResultSchema = z.strictObject({
  schemaVersion: z.literal('2'),
  safe: upgradeReportSchema.shape.safe,
  index: z.extend(usedIndexSchema, { latestVersion: versionSchema }),
  madeAt: dateTimeSchema,
  madeBy: z.string(),
  ...z.omit(leftOutSchema, { publisherOnly: true }).shape,
  judgedBy: judgedBySchema,
  ...demandsSchema.shape,
  ...z.omit(upgradeReportSchema, { safe: true, route: true }).shape,
  route: z
    .extend(routeWithWaysBackSchema, {
      hops: z.array(timedHopSchema),
    })
    .check(z.describe('By what index and artifacts prove together.')),
  preflight: z.optional(preflightPartSchema).check(z.describe('With --facts of an instance.')),
});

export type UpgradeReportResult = z.infer<typeof upgradeReportResultSchema>;
