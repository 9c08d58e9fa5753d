import * as z from 'zod/mini';
import { mergeRules } from '../../merge-query/rules.js';
import { verdictSchema, versionSchema } from '../../release-safety/field-schemas.js';

/**
 * What the renderers beside this write, declared for the JSON Schemas in `schemas/`. The program never runs it; tests
 * hold what it prints to them.
 */

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
  missingRanges: z.array(z.strictObject({ afterVersion: versionSchema, beforeVersion: versionSchema })),
});

/** Where there is no answer: every command that is given `--json` writes this. */
export const failureSchema = z.strictObject({
  safe: z.literal(false),
  error: z.strictObject({ code: z.string(), message: z.string(), response: z.optional(z.unknown()) }),
});

const placeFields = {
  path: z.string().check(z.describe('Leads to the value at fault; empty for the whole file.')),
  line: z.int().check(z.gte(1)),
  column: z.int().check(z.gte(1)),
};

export const mergeValidateResultSchema = z.strictObject({
  schemaVersion: z.literal('1'),
  valid: z.boolean(),
  status: z.enum(['valid', 'breaks-rules', 'no-merge-request']),
  faults: z.array(z.strictObject({ ...placeFields, message: z.string() })),
  errors: z.array(
    z.strictObject({
      kind: z.enum(mergeRules),
      message: z.string(),
      fieldIds: z.array(z.string()),
      sourceId: z.nullable(z.string()),
      ...placeFields,
    }),
  ),
});
