import * as z from 'zod/mini';
import type { DeepReadonly } from '../common/deep-readonly.js';
import {
  booleanSchema,
  dateTimeSchema,
  nullableVersionSchema,
  verdictSchema,
  versionSchema,
  versionsSchema,
} from '../field-schemas.js';

export type { Verdict } from '../field-schemas.js';

/**
 * The cumulative release-safety index as it is published ("Cumulative index" in the contract): one entry per release.
 * Types and JSON Schemas are derived from this declaration.
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
