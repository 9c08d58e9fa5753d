import * as z from 'zod/mini';
import { checkGroups } from '../../checks/check.js';
import { decisions, failOnLevels } from '../../checks/decision.js';
import { findingStatuses } from '../../checks/finding.js';
import { dateTimeSchema, versionSchema } from '../../release-safety/field-schemas.js';
import { findingSchema, judgedBySchema, leftOutSchema, usedIndexSchema } from './answer-schemas.js';

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
