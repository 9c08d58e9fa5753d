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

const probeSchema = z
  .enum(['readyz', 'health'])
  .check(z.describe('What was asked: `health` where the release has no `/api/v1/readyz` yet.'));

/** What an instance was seen to be, as the last poll of upgrade-verify saw it. */
const instanceStateSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('ready'), version: versionSchema, probe: probeSchema }),
  z.strictObject({
    kind: z.literal('not-ready'),
    status: z.int(),
    reason: z.optional(z.string()),
    probe: probeSchema,
  }),
  z.strictObject({ kind: z.literal('parked'), status: z.int() }),
  z.strictObject({ kind: z.literal('unknown-version'), message: z.string() }),
  z.strictObject({ kind: z.literal('unreachable'), message: z.string() }),
]);

export const upgradeVerifyResultSchema = z.strictObject({
  schemaVersion: z.literal('1'),
  safe: z
    .boolean()
    .check(z.describe('`verified`, or `superseded` where --allow-newer lets it be: the exit code is 0.')),
  instance: z.string(),
  version: versionSchema,
  verified: z.boolean(),
  outcome: z
    .enum(['verified', 'superseded', 'not-verified'])
    .check(z.describe('`superseded`: a newer release was ready, so many times in a row.')),
  polls: z.int(),
  pollsInRow: z.int(),
  elapsedMs: z.number(),
  lastState: instanceStateSchema,
});

export const explainResultSchema = z.strictObject({
  schemaVersion: z.literal('1'),
  words: z.array(
    z.strictObject({
      word: z.string(),
      group: z.string(),
      meaning: z.string(),
      rule: z.nullable(z.int()),
      toDo: z.nullable(z.string()),
      exitCode: z.nullable(z.int()),
    }),
  ),
});

/** Where there is no answer: every command that is given `--json` writes this. */
export const failureSchema = z.strictObject({
  safe: z.literal(false),
  error: z.strictObject({ code: z.string(), message: z.string(), response: z.optional(z.unknown()) }),
});

export type UpgradeCheckResult = z.infer<typeof upgradeCheckResultSchema>;
export type UpgradeVerifyResult = z.infer<typeof upgradeVerifyResultSchema>;
export type ExplainResult = z.infer<typeof explainResultSchema>;
