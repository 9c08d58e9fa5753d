import * as z from 'zod/mini';
import { countSchema, dateTimeSchema, versionSchema } from '../core/field-schemas.js';
import { horizonSchema } from './records.js';

const knownIssueOfRunningSchema = z.strictObject({
  id: z.string(),
  summary: z.string(),
  remedy: z.string(),
  notKnown: z.array(z.string()).check(z.describe('Facts that would settle whether it applies.')),
});

/** What an operator watches of one instance. */
export const instanceStatusSchema = z.strictObject({
  runningVersion: versionSchema,
  inIndex: z.boolean().check(z.describe('Whether the index has the running release.')),
  releasesBehind: countSchema.check(z.describe('How many releases are newer than it.')),
  recommended: z
    .nullable(z.strictObject({ version: versionSchema, rolling: z.boolean(), hops: countSchema }))
    .check(z.describe('The release that recommended stands for; null if none qualifies.')),
  recommendedFrom: z
    .nullable(dateTimeSchema)
    .check(z.describe('If none qualifies: when the first will, as far as is known.')),
  nextHop: z
    .nullable(z.strictObject({ version: versionSchema, rolling: z.boolean() }))
    .check(z.describe('The first hop to the recommended release, or else to the newest.')),
  knownIssues: z
    .array(knownIssueOfRunningSchema)
    .check(z.describe('Those that apply, or may apply, to the running release.')),
  knownThrough: z
    .nullable(horizonSchema)
    .check(z.describe('How far known issues reach; null if they do not count.')),
  recordsAreOld: z
    .boolean()
    .check(z.describe('Whether they are older than a recommended release has to be.')),
  indexIsOld: z.boolean().check(z.describe('Whether the index is older than a week.')),
  acceptances: z
    .array(
      z.strictObject({
        name: z.string(),
        until: z.string().check(z.describe('The last day, in UTC.')),
        endsSoon: z.boolean().check(z.describe('Within a week.')),
      }),
    )
    .check(z.describe('What is accepted up to a last day, the soonest first.')),
});

/** What `--since` keeps from one run to the next. */
export const statusStateSchema = z.strictObject({
  schemaVersion: z.literal('1'),
  instance: instanceStatusSchema,
});

export type InstanceStatus = z.infer<typeof instanceStatusSchema>;
export type StatusState = z.infer<typeof statusStateSchema>;
