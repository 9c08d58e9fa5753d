import * as z from 'zod/mini';
import { effectSchema } from '../../known-issues/record-schema.js';
import {
  dateTimeSchema,
  nullableVersionSchema,
  verdictSchema,
  versionSchema,
  versionsSchema,
} from '../../release-safety/field-schemas.js';
import { routeTargetNames } from '../../release-safety/route-target.js';
import { sha256Schema } from './index-result-schemas.js';
import { missingRangeSchema } from './result-schemas.js';

/** What `upgrade-plan --json` writes, as `result-schemas.ts` has it of the others; `upgrade-report` has a route too. */

const stepSchema = z.strictObject({
  title: z.string(),
  values: z.optional(
    z.strictObject({
      file: z.string(),
      yaml: z.string().check(z.describe('To be put into that file.')),
    }),
  ),
  commands: z
    .array(z.string())
    .check(z.describe('Each one command of a POSIX shell that stops at the first that fails.')),
  notes: z.array(z.string()),
});

export const landingReasonSchema = z.enum([
  'index-floor',
  'required-stop',
  'minimum-previous-version',
  'known-issue',
  'target',
]);

/** What a known issue takes away from a step. */
export const appliedIssueSchema = z.strictObject({
  id: z.string(),
  summary: z.string(),
  version: versionSchema,
  effect: effectSchema,
  remedy: z.string(),
  notKnown: z
    .array(z.string())
    .check(z.describe('Facts that are not known, under which it holds; none: it holds, else it may.')),
});

const hopSchema = z.strictObject({
  fromVersion: versionSchema,
  toVersion: versionSchema,
  reason: landingReasonSchema,
  demandedBy: versionsSchema,
  landingIssues: z
    .array(appliedIssueSchema)
    .check(z.describe('The known issues that made the hop land there.')),
  knownIssues: z.array(appliedIssueSchema).check(z.describe('Those that hold, or may hold, of the hop.')),
  verdict: verdictSchema,
  strategy: z.enum(['RollingUpdate', 'Recreate']),
  certified: z
    .boolean()
    .check(
      z.describe(
        'The index covers every release of the hop, and no known issue holds of it but one that Recreate settles.',
      ),
    ),
  releases: versionsSchema,
  unsafeVersions: versionsSchema,
  unknownVersions: versionsSchema,
  missingRanges: z.array(missingRangeSchema),
});

const blocked = { version: versionSchema, verdict: verdictSchema, reachableVersion: versionSchema };

const blockSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('missing-coverage'),
    rule: z.literal(7),
    ...blocked,
    range: missingRangeSchema,
  }),
  z.strictObject({
    kind: z.literal('required-stop'),
    rule: z.literal(3),
    ...blocked,
    stop: versionSchema,
    demandedBy: versionsSchema,
  }),
  z.strictObject({
    kind: z.literal('below-index-floor'),
    rule: z.literal(5),
    ...blocked,
    floor: versionSchema,
  }),
  z.strictObject({
    kind: z.literal('below-minimum-version'),
    rule: z.literal(4),
    ...blocked,
    minimum: versionSchema,
  }),
  z.strictObject({ kind: z.literal('unsafe-release'), rule: z.literal(2), ...blocked }),
  z.strictObject({
    kind: z.literal('unknown-release'),
    rule: z.literal(1),
    ...blocked,
    backfilled: z.boolean(),
  }),
  z.strictObject({
    kind: z.literal('unknown-release'),
    rule: z.literal(6),
    ...blocked,
    backfilled: z.literal(true),
  }),
  z.strictObject({ kind: z.literal('known-issue'), ...blocked, issues: z.array(appliedIssueSchema) }),
]);

/** The index that an answer was made of. */
export const usedIndexSchema = z.strictObject({
  source: z.string(),
  generatedAt: dateTimeSchema,
  latestVersion: nullableVersionSchema,
  sha256: sha256Schema,
});

export const routeSchema = z.strictObject({
  fromVersion: versionSchema,
  toVersion: versionSchema,
  requestedTarget: z.union([z.enum(routeTargetNames), versionSchema]),
  certified: z.boolean(),
  hops: z.array(hopSchema),
  rolling: z.boolean().check(z.describe('It is certified, and every hop is a rolling update.')),
  recreateHops: z.int().check(z.gte(0)),
  blockedBy: z.nullable(blockSchema),
});

export const upgradePlanResultSchema = z.strictObject({
  schemaVersion: z.literal('1'),
  safe: z.boolean().check(z.describe('It is rolling, and has no more hops than --max-hops allows.')),
  fromSource: z.string().check(z.describe('Where the version that runs was found.')),
  index: usedIndexSchema,
  ...routeSchema.shape,
  hops: z.array(
    z.extend(hopSchema, {
      steps: z.optional(z.array(stepSchema).check(z.describe('With --deploy.'))),
      block: z.optional(
        z.string().check(z.describe('With --deploy: the commands of all steps, to be pasted as one.')),
      ),
      script: z.optional(z.string().check(z.describe('With --out: the file that holds them.'))),
    }),
  ),
});

export type UpgradePlanResult = z.infer<typeof upgradePlanResultSchema>;
