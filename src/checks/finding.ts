import type { unseenStatuses } from '../facts/facts-schema.js';
import type { Need } from '../facts/needs.js';
import type { Acceptance } from '../release-safety/accepted.js';
import type { MissingRange } from '../release-safety/span.js';

export const findingStatuses = ['stop', 'not-checked', 'warn', 'ok'] as const;

/** The gravest first. `not-checked`: it was not checked, for whatever reason; that is never ok. */
export type FindingStatus = (typeof findingStatuses)[number];

/** One line of the answer: what a check found, or why it was not done. */
export interface Finding<Check extends string, Evidence> {
  readonly check: Check;
  readonly status: FindingStatus;
  /** What it is about, by the user's own name for it: a table, a migration, a setting. Null: the whole. */
  readonly subject: string | null;
  readonly evidence: Evidence;
  /** By which the operator accepts it: it blocks nothing. */
  readonly accepted?: Acceptance;
}

/** Why a check, or a part of it, was not done. */
export type NotChecked =
  | { readonly kind: 'facts-not-seen'; readonly missing: readonly MissingNeed[] }
  | {
      readonly kind: 'artifacts-not-seen';
      /** Releases of the span for which no artifact can be used. */
      readonly versions: readonly string[];
      /** How many of them never had one, because they were generated after their release. */
      readonly backfilled: number;
      /** How many releases the span has. */
      readonly of: number;
    }
  | { readonly kind: 'releases-not-indexed'; readonly ranges: readonly MissingRange[] }
  | { readonly kind: 'check-failed'; readonly message: string }
  | { readonly kind: 'check-silent' };

export interface MissingNeed {
  readonly need: Need;
  readonly why: (typeof unseenStatuses)[number];
  /** What the source said. */
  readonly detail: string | undefined;
  readonly names?: readonly string[];
}
