import * as z from 'zod/mini';
import { findingStatuses, pasteIns } from '../../checks/check.js';
import {
  countSchema,
  dateTimeSchema,
  nullableVersionSchema,
  sha256Schema,
  versionSchema,
} from '../../core/field-schemas.js';
import { acceptableFindings } from '../../core/pins.js';
import { appliedNoteSchema, spanResultSchema } from '../../core/results.js';
import { instanceStateSchema, verifyOutcomeSchema } from '../../instance/instance-state.js';
import { horizonSchema } from '../../known-issues/records.js';
import { acceptanceStates } from '../../words/evidence/accepted.js';
import { pinFindingWords } from '../../words/pin-changes.js';

/** What the outputs of several commands have in common. */

export const usedIndexSchema = z.strictObject({
  source: z.string(),
  generatedAt: dateTimeSchema,
  latestVersion: nullableVersionSchema,
  sha256: sha256Schema,
});

const replacedIssueSchema = z.strictObject({
  id: z.string(),
  source: z.string(),
  withdrawn: z.boolean().check(z.describe('The source takes it back altogether.')),
});

/** Which known issues were excluded, on request or by a source of records. */
export const leftOutSchema = z.strictObject({
  publisherOnly: z.boolean().check(z.describe('Known issues were left out.')),
  acceptedIssues: z.array(z.string()).check(z.describe('Known issues that the user has dealt with.')),
  replacedIssues: z.array(replacedIssueSchema).check(z.describe('Built-in ones that a source replaced.')),
});

export const findingSchema = z.strictObject({
  check: z.string(),
  status: z.enum(findingStatuses),
  accepted: z.optional(z.literal(true).check(z.describe('It is accepted, and blocks nothing.'))),
  rehearsed: z.optional(z.literal(true).check(z.describe('It went through on a copy, which settles it.'))),
  subject: z.nullable(z.string()).check(z.describe('What it is about, by its name in your instance.')),
  description: z.string(),
  evidence: z.looseObject({ kind: z.string().check(z.describe('The word for lightspan explain.')) }),
  remedy: z.nullable(
    z.strictObject({
      text: z.string(),
      pasteIn: z.nullable(z.enum(pasteIns)).check(z.describe('Where to paste the commands.')),
      commands: z.array(z.string()),
    }),
  ),
});

export const usedFactsSchema = z.strictObject({ source: z.string(), collectedAt: dateTimeSchema });

export const acceptedSchema = z.strictObject({
  name: z.string(),
  state: z.enum(acceptanceStates).check(z.describe('Only what counts changes the answer.')),
  reason: z.nullable(z.string()).check(z.describe('Null on the command line.')),
  by: z.nullable(z.string()),
  until: z.nullable(z.iso.date()).check(z.describe('The last day, in UTC.')),
});

export const judgedBySchema = z.strictObject({
  index: z.nullable(dateTimeSchema).check(z.describe('When it was generated; null if none was read.')),
  knownIssues: z.nullable(countSchema).check(z.describe('How many count; null with --publisher-only.')),
  knownThrough: z.optional(horizonSchema.check(z.describe('Of later releases, no problem is known here.'))),
  artifacts: z.strictObject({ read: countSchema, of: countSchema }),
  facts: z.nullable(usedFactsSchema),
  accepted: z.optional(z.array(acceptedSchema)),
  settings: z.optional(z.string().check(z.describe('The file of settings that changed the answer.'))),
});

/** Left out where there are none. */
export const demandsSchema = z.strictObject({
  majors: z.optional(z.array(versionSchema).check(z.describe('Those that it crosses; none if absent.'))),
  upgradeNotes: z.optional(z.string().check(z.describe('Where the publisher says what a major asks for.'))),
  notes: z.optional(
    z.array(appliedNoteSchema).check(z.describe('What changes for the instance; nothing if absent.')),
  ),
});

export const stopsSchema = z.array(findingSchema).check(z.describe('What in --facts stops the upgrade.'));

/** "Upgrade-check result" of the contract: these nine fields and no other. */
export const upgradeCheckResultSchema = z.omit(spanResultSchema, {
  jump: true,
  rolling: true,
  reasons: true,
});

export const upgradeVerifyResultSchema = z.strictObject({
  schemaVersion: z.literal('1'),
  safe: z.boolean().check(z.describe('The exit code is 0.')),
  instance: z.string(),
  version: versionSchema,
  verified: z.boolean(),
  outcome: verifyOutcomeSchema,
  polls: z.int(),
  pollsInRow: z.int(),
  elapsedMs: z.number(),
  lastState: instanceStateSchema,
  facts: z.nullable(usedFactsSchema).check(z.describe('Null if only the instance was checked.')),
  findings: z.array(findingSchema).check(z.describe('Of the other checks, besides readiness.')),
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

const sideSchema = z.strictObject({
  name: z.string(),
  commit: z.nullable(z.string().check(z.regex(/^[0-9a-f]{40,64}$/))).check(z.describe('Null if none.')),
});

const judgedPinSchema = z.strictObject({
  file: z.string(),
  path: z.string(),
  line: z.nullable(z.int().check(z.gte(1))),
  previousFile: z.nullable(z.string()).check(z.describe('The former name of the file, if it was renamed.')),
  fromVersion: z.nullable(versionSchema).check(z.describe('Null if that side states none.')),
  toVersion: z.nullable(versionSchema),
  finding: z.enum(Object.keys(pinFindingWords)),
  passes: z.boolean().check(z.describe('No change, proven, or accepted by name.')),
  message: z.string(),
  ...z.omit(demandsSchema, { notes: true }).shape,
  check: z.nullable(upgradeCheckResultSchema).check(z.describe('What the index says, if consulted.')),
  stops: stopsSchema,
});

const lookedAtSchema = z.strictObject({
  files: z.array(z.string()).check(z.describe('The files that the change touches.')),
  ignored: z
    .array(z.strictObject({ file: z.string(), reason: z.string() }))
    .check(z.describe('Files that the settings of the base leave out, and why.')),
});

const searchedSchema = z.strictObject({
  files: z.array(z.string()).check(z.describe('Files of the change that were looked at.')),
  notRead: z.array(z.string()).check(z.describe('Always empty: what cannot be read is not judged.')),
});

export const pinCheckResultSchema = z.strictObject({
  schemaVersion: z.literal('1'),
  passes: z.boolean().check(z.describe('Every pin passes: the exit code is 0.')),
  safe: z.boolean().check(z.describe('Whatever changes is proven safe to roll in one step.')),
  before: sideSchema,
  after: sideSchema,
  accepted: z.array(z.enum(acceptableFindings)),
  index: z.nullable(usedIndexSchema).check(z.describe('Null if no pin moved: then no index was read.')),
  ...leftOutSchema.shape,
  judgedBy: judgedBySchema,
  searched: z.nullable(searchedSchema).check(z.describe('Null if the pins were named.')),
  lookedAt: lookedAtSchema,
  pins: z.array(judgedPinSchema),
});

export type PinCheckResult = z.infer<typeof pinCheckResultSchema>;
