import type { IndexEntry } from './index-schema.js';
import type { AppliedIssue, IssueEffect } from './results.js';
import type { Version } from './version.js';

export type { AppliedIssue, IssueEffect };

/** A known issue of the upgrades that land on one release. */
export interface IssueOfLanding {
  /** It holds, or may hold, of those that begin before this version, and of no others. */
  readonly startsBefore: Version;
  readonly effect: IssueEffect['kind'];
  /** The issue as it is for one of them. */
  readonly appliedFrom: (from: Version) => AppliedIssue;
}

/** What is known against the releases of an index. */
export interface KnownIssues {
  /** @param entries the releases of the index, oldest first */
  readonly ofLanding: (to: Version, entries: readonly IndexEntry[]) => readonly IssueOfLanding[];
}

/** What the publisher alone says. */
export const noKnownIssues: KnownIssues = { ofLanding: () => [] };
