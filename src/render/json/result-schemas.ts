import * as z from 'zod/mini';
import { instanceStateSchema, verifyOutcomeSchema } from '../../instance-state-schema.js';
import { dateTimeSchema, versionSchema } from '../../release-safety/field-schemas.js';
import { spanResultSchema } from '../../release-safety/results.js';
import { findingSchema } from './answer-schemas.js';

/**
 * The output of the renderers in this folder, declared for the JSON Schemas in `schemas/`. The program uses only the
 * types and never runs the schemas; tests compare its output with them.
 */

/** "Upgrade-check result" of the contract: these nine fields and no other. */
export const upgradeCheckResultSchema = z.pick(spanResultSchema, {
  fromVersion: true,
  toVersion: true,
  direction: true,
  safe: true,
  verdict: true,
  requiredStops: true,
  minPreviousVersion: true,
  coveredVersions: true,
  missingRanges: true,
});

const usedFactsSchema = z.nullable(z.strictObject({ source: z.string(), collectedAt: dateTimeSchema }));

export const upgradeVerifyResultSchema = z.strictObject({
  schemaVersion: z.literal('1'),
  safe: z
    .boolean()
    .check(z.describe('`verified`, or `superseded` if --allow-newer allows it: the exit code is 0.')),
  instance: z.string(),
  version: versionSchema,
  verified: z.boolean(),
  outcome: verifyOutcomeSchema,
  polls: z.int(),
  pollsInRow: z.int(),
  elapsedMs: z.number(),
  lastState: instanceStateSchema,
  facts: usedFactsSchema.check(
    z.describe('The facts that were judged; null if nothing besides the instance was checked.'),
  ),
  findings: z
    .array(findingSchema)
    .check(
      z.describe(
        'The other checks, besides readiness: with a stop, or anything not checked, it is not verified.',
      ),
    ),
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

/** The output if there is no answer: the same for every command with `--json`. */
export const failureSchema = z.strictObject({
  safe: z.literal(false),
  error: z.strictObject({ code: z.string(), message: z.string(), response: z.optional(z.unknown()) }),
});

export type UpgradeCheckResult = z.infer<typeof upgradeCheckResultSchema>;
export type UpgradeVerifyResult = z.infer<typeof upgradeVerifyResultSchema>;
export type ExplainResult = z.infer<typeof explainResultSchema>;
