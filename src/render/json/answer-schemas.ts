import * as z from 'zod/mini';
import { findingStatuses } from '../../checks/finding.js';
import { pasteIns } from '../../checks/words.js';
import { dateTimeSchema, nullableVersionSchema, sha256Schema } from '../../release-safety/field-schemas.js';
import type { DeepReadonly } from '../../shared/deep-readonly.js';
import { acceptanceStates } from '../words/accepted.js';

/** What the outputs of several commands have in common. */

/** The index that an answer is based on. */
export const usedIndexSchema = z.strictObject({
  source: z.string(),
  generatedAt: dateTimeSchema,
  latestVersion: nullableVersionSchema,
  sha256: sha256Schema,
});

/** Which known issues were excluded, on request or by a source of records. */
export const leftOutSchema = z.strictObject({
  publisherOnly: z
    .boolean()
    .check(
      z.describe('Known issues were left out: problems found after a release was published are ignored.'),
    ),
  acceptedIssues: z
    .array(z.string())
    .check(z.describe('Known issues that are ignored because the user has dealt with them.')),
  replacedIssues: z
    .array(
      z.strictObject({
        id: z.string(),
        source: z.string(),
        withdrawn: z.boolean().check(z.describe('The source takes it back altogether.')),
      }),
    )
    .check(
      z.describe('Built-in known issues that do not count, because a source has a newer one of that id.'),
    ),
});

/** One finding of a check. */
export const findingSchema = z.strictObject({
  check: z.string(),
  status: z.enum(findingStatuses),
  accepted: z.optional(z.literal(true).check(z.describe('It is accepted, and blocks nothing.'))),
  subject: z
    .nullable(z.string())
    .check(z.describe('What it is about, by its name in your instance: a table, a migration, a setting.')),
  description: z.string(),
  evidence: z
    .looseObject({ kind: z.string().check(z.describe('The word for lightspan explain.')) })
    .check(z.describe('The kind of finding, and what it is based on.')),
  remedy: z.nullable(
    z.strictObject({
      text: z.string(),
      pasteIn: z.nullable(z.enum(pasteIns)).check(z.describe('Where to paste the commands.')),
      commands: z.array(z.string()),
    }),
  ),
});

export type FindingFields = DeepReadonly<z.infer<typeof findingSchema>>;

/** How much an answer rests on. */
export const judgedBySchema = z.strictObject({
  index: z.nullable(dateTimeSchema).check(z.describe('When it was generated; null if none was read.')),
  knownIssues: z
    .nullable(z.int().check(z.nonnegative()))
    .check(z.describe('How many records count; null with --publisher-only.')),
  artifacts: z
    .strictObject({
      read: z.int().check(z.nonnegative()),
      of: z.int().check(z.nonnegative()),
    })
    .check(z.describe('Of the releases that have one.')),
  facts: z.nullable(z.strictObject({ source: z.string(), collectedAt: dateTimeSchema })),
  accepted: z.optional(
    z.array(
      z.strictObject({
        name: z.string(),
        state: z.enum(acceptanceStates).check(z.describe('Only what counts changes the answer.')),
        reason: z.nullable(z.string()).check(z.describe('Null on the command line.')),
        by: z.nullable(z.string()),
        until: z.nullable(z.iso.date()).check(z.describe('The last day, in UTC.')),
      }),
    ),
  ),
  settings: z.optional(z.string().check(z.describe('The file of settings that changed the answer.'))),
});

/** What of an instance takes a yes away. */
export const stopsSchema = z
  .array(findingSchema)
  .check(z.describe('With --facts: what upgrade-preflight says of them and makes the answer a no.'));
