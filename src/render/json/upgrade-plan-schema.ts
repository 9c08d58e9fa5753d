import * as z from 'zod/mini';
import { hopWithWayBackSchema, routeSchema } from '../../release-safety/results.js';
import { routePreferences } from '../../release-safety/version.js';
import type { DeepReadonly } from '../../shared/deep-readonly.js';
import { judgedBySchema, leftOutSchema, stopsSchema, usedIndexSchema } from './answer-schemas.js';

/** The output of `upgrade-plan --json`; `result-schemas.ts` has that of other commands. */

/** A step for a person, and its commands for a shell. */
const stepSchema = z.strictObject({
  title: z.string(),
  values: z.optional(
    z.strictObject({
      file: z.string(),
      yaml: z.string().check(z.describe('What to put into that file.')),
    }),
  ),
  commands: z
    .array(z.string())
    .check(z.describe('One command each, for a POSIX shell that stops at the first failure.')),
  notes: z.array(z.string()),
});

/** For one hop. */
export const migrationTimeSchema = z.optional(
  z
    .strictObject({
      lowSeconds: z.number().check(z.nonnegative()),
      highSeconds: z.nullable(
        z.number().check(z.nonnegative(), z.describe('Null if it is not known how long they take at most.')),
      ),
      because: z.array(z.string()).check(z.describe('Why it is not known.')),
    })
    .check(z.describe('With --facts of a database: how long its migrations take, without waits for locks.')),
);

const recreateWorkSchema = z.strictObject({
  hops: z.int().check(z.nonnegative(), z.describe('How many Recreate hops there are.')),
  releases: z.int().check(z.nonnegative(), z.describe('How many releases they cross.')),
  releasesNotTold: z
    .int()
    .check(z.nonnegative(), z.describe('How many of these do not list their migrations.')),
  migrations: z.int().check(z.nonnegative(), z.describe('As far as the releases list them.')),
  migrationTime: migrationTimeSchema,
});

export const upgradePlanResultSchema = z.strictObject({
  schemaVersion: z.literal('1'),
  safe: z.boolean().check(z.describe('The route is rolling, and has no more hops than --max-hops allows.')),
  fromSource: z.string().check(z.describe('Where the running version was found.')),
  index: usedIndexSchema,
  ...leftOutSchema.shape,
  judgedBy: judgedBySchema,
  stops: stopsSchema,
  ...routeSchema.shape,
  prefer: z.enum(routePreferences).check(z.describe('Which route to prefer.')),
  underRecreate: z.optional(
    z
      .strictObject({
        countedBy: z
          .enum(['migration-time', 'migrations'])
          .check(z.describe('By what the work of the routes was compared.')),
        chosen: recreateWorkSchema,
        fewestHops: recreateWorkSchema.check(z.describe('Of the route with the fewest hops.')),
      })
      .check(z.describe('With --prefer least-downtime: the work that is left to Recreate hops.')),
  ),
  hops: z.array(
    z.extend(hopWithWayBackSchema, {
      migrationTime: migrationTimeSchema,
      steps: z.optional(z.array(stepSchema).check(z.describe('With --deploy.'))),
      block: z.optional(
        z.string().check(z.describe('With --deploy: the commands of all steps, to paste as one block.')),
      ),
      script: z.optional(z.string().check(z.describe('With --out: the file that contains them.'))),
    }),
  ),
});

export type RenderedStep = DeepReadonly<z.infer<typeof stepSchema>>;
export type UpgradePlanResult = z.infer<typeof upgradePlanResultSchema>;
