import * as z from 'zod/mini';
import type { DeepReadonly } from '../shared/deep-readonly.js';
import {
  booleanSchema,
  countSchema,
  dateTimeSchema,
  nullableVersionSchema,
  verdictSchema,
  versionSchema,
  versionsSchema,
} from './field-schemas.js';

export type { Verdict } from './field-schemas.js';

/**
 * The cumulative release-safety index as it is published ("Cumulative index" in the contract): one entry per release.
 * Types and JSON Schemas are derived from this declaration.
 *
 * `parse-index.ts` checks the same without zod, which would take five times as long for 3,598 entries as parsing their
 * JSON; a test compares the answers of the two.
 */

export const indexEntrySchema = z.object(
  {
    version: versionSchema,
    previousVersion: nullableVersionSchema,
    releaseDate: dateTimeSchema,
    rollingUpdateSafe: verdictSchema,
    requiredStops: versionsSchema,
    minPreviousVersion: nullableVersionSchema,
    backfilled: booleanSchema,
    syntheticRequiredStop: booleanSchema,
  },
  { error: 'expected a release' },
);

export const indexSchema = z.object(
  {
    schemaVersion: z.literal('1', { error: 'expected "1"' }),
    generatedAt: dateTimeSchema,
    backfillFloorVersion: nullableVersionSchema,
    entries: z.array(indexEntrySchema),
  },
  { error: 'expected a JSON object' },
);

/** One release: the step from `previousVersion` to `version`. Dates are ISO 8601. */
export type IndexEntry = DeepReadonly<z.infer<typeof indexEntrySchema>>;

/** A span that is proven from end to end, and how many releases it crosses. */
export type GreenSpan = DeepReadonly<z.infer<typeof greenSpanSchema>>;
const greenSpanSchema = z.strictObject({
  fromVersion: versionSchema,
  toVersion: versionSchema,
  releases: countSchema,
});

export type IndexSummary = DeepReadonly<z.infer<typeof indexSummarySchema>>;
export const indexSummarySchema = z.strictObject({
  generatedAt: dateTimeSchema,
  releases: countSchema,
  firstVersion: versionSchema,
  latestVersion: versionSchema,
  /** Null if the index has no floor. */
  floorVersion: nullableVersionSchema,
  verdicts: z.strictObject({ true: countSchema, false: countSchema, unknown: countSchema }),
  backfilled: countSchema,
  /** Null if no step in the whole index is proven. */
  newestGreenSpan: z.nullable(greenSpanSchema),
});

/** One fault of an index. Positions count its entries from 0, in the order of the file. */
export type IndexFault = DeepReadonly<z.infer<typeof indexFaultSchema>>;
export const indexFaultSchema = z.discriminatedUnion('kind', [
  /** A key that occurs twice in one object: JSON does not say which of its two values counts. */
  z.strictObject({ kind: z.literal('duplicate-key'), key: z.string() }),
  /** A field that is not as documented; `field` is its path in the document. */
  z.strictObject({ kind: z.literal('invalid-field'), field: z.string(), fault: z.string() }),
  z.strictObject({ kind: z.literal('duplicate'), version: versionSchema, positions: z.array(countSchema) }),
  /** An entry that comes after a newer one. */
  z.strictObject({
    kind: z.literal('disorder'),
    version: versionSchema,
    after: versionSchema,
    position: countSchema,
  }),
  /** A release whose `previousVersion` is not the release before it (span rule 7). */
  z.strictObject({
    kind: z.literal('gap'),
    version: versionSchema,
    previousVersion: nullableVersionSchema,
    before: versionSchema,
  }),
  /** A required stop that is not in the index, or is newer than the release that requires it. */
  z.strictObject({
    kind: z.enum(['unknown-stop', 'later-stop']),
    version: versionSchema,
    stop: versionSchema,
  }),
  /** A minimum that is not in the index, or is not older than the release that sets it. */
  z.strictObject({
    kind: z.enum(['unknown-minimum', 'later-minimum']),
    version: versionSchema,
    minimum: versionSchema,
  }),
  z.strictObject({ kind: z.literal('floor-missing'), floor: versionSchema }),
  z.strictObject({ kind: z.literal('floor-not-marked'), floor: versionSchema }),
  /** A release marked as the floor (`syntheticRequiredStop`) that is not the floor; null if the index has no floor. */
  z.strictObject({
    kind: z.literal('marked-beside-floor'),
    version: versionSchema,
    floor: nullableVersionSchema,
  }),
  z.strictObject({ kind: z.literal('below-floor'), version: versionSchema, floor: versionSchema }),
  /** A backfilled release whose verdict is true (span rule 6). */
  z.strictObject({ kind: z.literal('backfilled-true'), version: versionSchema }),
  /** A release dated before the one it follows, or after the index was generated. */
  z.strictObject({
    kind: z.literal('date-backwards'),
    version: versionSchema,
    releaseDate: dateTimeSchema,
    before: versionSchema,
    dateBefore: dateTimeSchema,
  }),
  z.strictObject({
    kind: z.literal('dated-after-index'),
    version: versionSchema,
    releaseDate: dateTimeSchema,
    generatedAt: dateTimeSchema,
  }),
]);
