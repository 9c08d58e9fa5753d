import * as z from 'zod/mini';
import { verdictSchema, versionSchema } from '../../release-safety/field-schemas.js';

/**
 * What the renderers beside this write, declared for the JSON Schemas in `schemas/`. The program takes the types of
 * them and never runs them; tests hold what it prints to them.
 */

export const missingRangeSchema = z.strictObject({
  afterVersion: versionSchema,
  beforeVersion: versionSchema,
});

/** "Upgrade-check result" of the contract: these nine fields and no other. */
export const upgradeCheckResultSchema = z.strictObject({
  fromVersion: versionSchema,
  toVersion: versionSchema,
  direction: z.enum(['upgrade', 'same-version']),
  safe: z
    .boolean()
    .check(z.describe('The whole span is proven: one step, and old and new pods may overlap.')),
  verdict: verdictSchema,
  requiredStops: z.array(versionSchema),
  minPreviousVersion: z.nullable(versionSchema),
  coveredVersions: z.array(versionSchema),
  missingRanges: z.array(missingRangeSchema),
});

/** Where there is no answer: every command that is given `--json` writes this. */
export const failureSchema = z.strictObject({
  safe: z.literal(false),
  error: z.strictObject({ code: z.string(), message: z.string(), response: z.optional(z.unknown()) }),
});

export type UpgradeCheckResult = z.infer<typeof upgradeCheckResultSchema>;
