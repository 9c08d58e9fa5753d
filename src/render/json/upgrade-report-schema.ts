import * as z from 'zod/mini';
import { dateTimeSchema, versionSchema } from '../../release-safety/field-schemas.js';
import { upgradeReportSchema } from '../../release-safety/report-results.js';
import { hopWithWayBackSchema, routeWithWaysBackSchema } from '../../release-safety/results.js';
import { judgedBySchema, leftOutSchema, usedIndexSchema } from './answer-schemas.js';
import { migrationTimeSchema } from './upgrade-plan-schema.js';
import { preflightPartSchema } from './upgrade-preflight-schema.js';

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
