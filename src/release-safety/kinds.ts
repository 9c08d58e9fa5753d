/** The lists that the program iterates over. `results.ts`, which loads zod, makes its enumerations from them. */

/** The fields in which index and artifact must agree. */
export const reconciledFields = [
  'previousVersion',
  'rollingUpdateSafe',
  'requiredStops',
  'minPreviousVersion',
] as const;

export type ReconciledField = (typeof reconciledFields)[number];

/**
 * The status of a release, by index and artifact together. Only `proven` is safe to roll. `unknown-recent` was
 * published with an unknown verdict, which may be known soon. `unknown-backfilled` was generated retroactively, and its
 * verdict stays unknown (span rule 6). `not-borne-out` is true in the index, but its artifact does not confirm it.
 */
export const releaseStatuses = [
  'proven',
  'unsafe',
  'unknown-recent',
  'unknown-backfilled',
  'not-borne-out',
] as const;

/** The status of a release in a report; `releaseStatuses` describes each. */
export type ReleaseStatus = (typeof releaseStatuses)[number];
