/** The lists that the program goes through and that `results.ts`, which loads zod, makes its enumerations of. */

/** The fields in which index and artifact must agree. */
export const reconciledFields = [
  'previousVersion',
  'rollingUpdateSafe',
  'requiredStops',
  'minPreviousVersion',
] as const;

export type ReconciledField = (typeof reconciledFields)[number];

/**
 * How a release stands, by index and artifact together. Only `proven` is safe to roll. `unknown-recent` was published
 * with an unknown verdict, which may be known soon; `unknown-backfilled` was generated retroactively, and its verdict
 * will stay unknown (span rule 6); `not-borne-out` is true in the index, which its artifact does not confirm.
 */
export const releaseStatuses = [
  'proven',
  'unsafe',
  'unknown-recent',
  'unknown-backfilled',
  'not-borne-out',
] as const;

export type ReleaseStatus = (typeof releaseStatuses)[number];
