import type { IndexEntry } from './index-schema.js';
import type { Version } from './version.js';

/**
 * What came to light of a release after its verdict was published. The index has no word for it: verdicts are never taken
 * back. A known issue can only take away, never give: with more of them no answer gets better.
 */
export interface AppliedIssue {
  readonly id: string;
  /** In a line: what goes wrong. */
  readonly summary: string;
  /** The release that it is about: the newest affected one of the step. */
  readonly version: Version;
  readonly effect: IssueEffect;
  /** In the imperative: what the operator does. */
  readonly remedy: string;
  /** The facts under which it holds and that are not known, by name. None: it holds. Otherwise it may. */
  readonly notKnown: readonly string[];
}

/** What an issue takes away, beside the yes of the span. */
export type IssueEffect =
  /** A route lands elsewhere where it can. */
  | { readonly kind: 'avoid-landing' }
  /** Each of them is installed on its own, in this order; those alone that lie inside the step. */
  | { readonly kind: 'required-stops'; readonly stops: readonly Version[] }
  /** No old pod beside a new one. */
  | { readonly kind: 'recreate' }
  /** The remedy comes before the step. */
  | { readonly kind: 'action-first' }
  /** A downtime of another order; `seen` says what was seen. */
  | { readonly kind: 'long'; readonly seen: string };

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
