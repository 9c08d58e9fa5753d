/** The fields in which index and artifact must agree. */
export const reconciledFields = [
  'previousVersion',
  'rollingUpdateSafe',
  'requiredStops',
  'minPreviousVersion',
] as const;

/** A field in which index and artifact must agree. */
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

/** The status of one release; only `proven` is safe to roll. */
export type ReleaseStatus = (typeof releaseStatuses)[number];

/** `X.Y.Z`: no sign, no leading zero, no suffix; at most fifteen digits per number, so that each number is exact. */
export const releaseVersion = /^(0|[1-9]\d{0,14})\.(0|[1-9]\d{0,14})\.(0|[1-9]\d{0,14})$/;

/** An ISO 8601 date-time with its offset, such as `2026-09-06T18:08:42.053Z`. */
export const dateTime =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
