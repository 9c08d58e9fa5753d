import * as z from 'zod/mini';
import { dateTimeSchema, versionSchema } from '../../release-safety/field-schemas.js';
import { upgradeReportSchema } from '../../release-safety/report-results.js';
import { usedIndexSchema } from './upgrade-plan-schema.js';

/** What `upgrade-report --json` writes, as `result-schemas.ts` has it of the others. */
export const upgradeReportResultSchema = z.strictObject({
  schemaVersion: z.literal('2'),
  safe: upgradeReportSchema.shape.safe,
  index: z.extend(usedIndexSchema, { latestVersion: versionSchema }),
  madeAt: dateTimeSchema,
  madeBy: z.string(),
  ...z.omit(upgradeReportSchema, { safe: true }).shape,
});

export type UpgradeReportResult = z.infer<typeof upgradeReportResultSchema>;
