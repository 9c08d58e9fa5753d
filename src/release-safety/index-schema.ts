import * as z from 'zod/mini';
import * as patterns from './patterns.js';

/**
 * The cumulative release-safety index as it is published ("Cumulative index" in the contract): one entry a
 * release. Types and JSON Schemas come out of this declaration.
 *
 * `parse-index.ts` reads the index. It checks what is declared here without zod, which would take five times as
 * long for 3,598 entries as parsing their JSON; a test holds the two to the same answers.
 */

const version = z.string().check(z.regex(patterns.releaseVersion));
const dateTime = z.string().check(z.regex(patterns.dateTime));

const verdictSchema = z.union([z.boolean(), z.literal('unknown')]);

const indexEntrySchema = z.object({
  version,
  previousVersion: z.nullable(version),
  releaseDate: dateTime,
  rollingUpdateSafe: verdictSchema,
  requiredStops: z.array(version),
  minPreviousVersion: z.nullable(version),
  backfilled: z.boolean(),
  syntheticRequiredStop: z.boolean(),
});

export const indexSchema = z.object({
  schemaVersion: z.literal('1'),
  generatedAt: dateTime,
  backfillFloorVersion: version,
  entries: z.array(indexEntrySchema),
});

/** What is known of a release, or of a span. Only `true` is a yes: `"unknown"` counts as `false` (span rule 1). */
export type Verdict = z.infer<typeof verdictSchema>;

/** One release: the step from `previousVersion` to `version`. Dates are ISO 8601. */
export type IndexEntry = Readonly<z.infer<typeof indexEntrySchema>>;

/**
 * An index that has been read and found whole: every entry valid, none twice, oldest first.
 * Made by `parseReleaseSafetyIndex` alone.
 */
export interface ReleaseSafetyIndex {
  readonly schemaVersion: '1';
  /** When the publisher made it, ISO 8601. */
  readonly generatedAt: string;
  /** The oldest release the index covers (span rule 5). */
  readonly backfillFloorVersion: string;
  readonly entries: readonly IndexEntry[];
}
