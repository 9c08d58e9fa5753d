import type { IndexEntry } from './index-schema.js';
import type { AppliedIssue, IssueEffect } from './results.js';
import type { Version } from './version.js';

export type { AppliedIssue, IssueEffect };

/** A known issue of the upgrades that land on one release. */
export interface IssueOfLanding {
  readonly id: string;
  /** It holds, or may hold, of those that begin before this version, and of no others. */
  readonly startsBefore: Version;
  readonly effect: IssueEffect['kind'];
  /** The issue as it is for one of them. */
  readonly appliedFrom: (from: Version) => AppliedIssue;
}

/** What is known against the releases of one index. */
export interface KnownIssues {
  readonly ofLanding: (to: Version) => readonly IssueOfLanding[];
}

/**
 * The same, for whichever index it is held against.
 *
 * @param entries the releases of the index, oldest first
 */
export type HoldKnownIssues = (entries: readonly Pick<IndexEntry, 'version'>[]) => KnownIssues;

/** What the publisher alone says. */
export const noKnownIssues: KnownIssues = { ofLanding: () => [] };
