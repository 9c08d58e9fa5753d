import * as z from 'zod/mini';
import { versionSchema } from '../../release-safety/field-schemas.js';
import { acceptableFindings } from '../../release-safety/pins.js';
import { judgedBySchema, leftOutSchema, stopsSchema, usedIndexSchema } from './answer-schemas.js';
import { upgradeCheckResultSchema } from './result-schemas.js';

/** The output of `pin-check --json`; `result-schemas.ts` has that of other commands. */

const sideSchema = z.strictObject({
  name: z.string(),
  commit: z
    .nullable(z.string().check(z.regex(/^[0-9a-f]{40,64}$/)))
    .check(z.describe('Null for a file, for staged changes, and for a repository without a commit.')),
});

const judgedPinSchema = z.strictObject({
  file: z.string(),
  path: z.string(),
  line: z.nullable(z.int().check(z.gte(1))),
  previousFile: z.nullable(z.string()).check(z.describe('The former name of the file, if it was renamed.')),
  fromVersion: z.nullable(versionSchema).check(z.describe('Null if that side states none.')),
  toVersion: z.nullable(versionSchema),
  finding: z.enum([
    'unchanged',
    'untouched',
    'proven',
    'recreate',
    'not-proven',
    'downgrade',
    'added',
    'removed',
    'renamed',
    'renamed-away',
    'unreadable',
    'image-changed',
    'digest-changed',
    'digest-kept',
  ]),
  passes: z.boolean().check(z.describe('No change, proven, or accepted by name.')),
  message: z.string(),
  check: z
    .nullable(upgradeCheckResultSchema)
    .check(z.describe('What the index says, if it was consulted: the nine keys of upgrade-check.')),
  stops: stopsSchema,
});

export const pinCheckResultSchema = z.strictObject({
  schemaVersion: z.literal('1'),
  passes: z.boolean().check(z.describe('Every pin passes: the exit code is 0.')),
  safe: z
    .boolean()
    .check(z.describe('Nothing changes, or everything that does is proven safe to roll in one step.')),
  before: sideSchema,
  after: sideSchema,
  accepted: z.array(z.enum(acceptableFindings)),
  index: z.nullable(usedIndexSchema).check(z.describe('Null if no pin moved: then no index was read.')),
  ...leftOutSchema.shape,
  judgedBy: judgedBySchema,
  searched: z
    .nullable(
      z.strictObject({
        files: z.array(z.string()).check(z.describe('Files of the change that can pin an image.')),
        notRead: z.array(z.string()).check(z.describe('Files of the change that are no plain YAML.')),
      }),
    )
    .check(z.describe('Where pins of Lightdash were looked for. Null if the pins were named.')),
  pins: z.array(judgedPinSchema),
});

export type PinCheckResult = z.infer<typeof pinCheckResultSchema>;
