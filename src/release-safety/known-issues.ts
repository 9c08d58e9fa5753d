import type { IndexEntry } from './index-schema.js';
import type { AppliedIssue, IssueEffect } from './results.js';
import type { Version } from './version.js';

export type { AppliedIssue, IssueEffect };

/** A known issue of the upgrades that land on one release. */
export interface IssueOfLanding {
  readonly id: string;
  /** It applies, or may apply, to upgrades that begin before this version, and to no others. */
  readonly startsBefore: Version;
  readonly effect: IssueEffect['kind'];
  /** The issue as it applies to an upgrade from this version. */
  readonly appliedFrom: (from: Version) => AppliedIssue;
}

/** What is known against the releases of one index. */
export interface KnownIssues {
  readonly ofLanding: (to: Version) => readonly IssueOfLanding[];
}

/**
 * Computes the known issues for any index.
 *
 * @param entries the releases of the index, oldest first
 */
export type HoldKnownIssues = (entries: readonly Pick<IndexEntry, 'version'>[]) => KnownIssues;

/** No known issues: the answer is the publisher's alone. */
export const noKnownIssues: KnownIssues = { ofLanding: () => [] };
