import type { AppliedIssue } from './release-safety/known-issues.js';

/**
 * What a person should know beside the answer, and no program: it is said on standard error, and changes nothing.
 * Ages are in milliseconds.
 */
export type Notice =
  /** The index was generated more than a week ago, and nothing said how old it may be. */
  | {
      readonly kind: 'old-index';
      readonly source: string;
      readonly generatedAt: string;
      readonly ageMs: number;
    }
  /** The oldest of the facts was seen more than a day ago, and nothing said how old they may be. */
  | { readonly kind: 'old-facts'; readonly source: string; readonly seenAt: string; readonly ageMs: number }
  /** With `--offline`: the answer is what a server said so long ago. */
  | { readonly kind: 'offline'; readonly source: string; readonly ageMs: number }
  /** A cached answer was not used, and is fetched again. */
  | { readonly kind: 'cache-entry-refused'; readonly source: string; readonly reason: string }
  /** The answer could not be kept for the next time. */
  | { readonly kind: 'cache-unavailable'; readonly folder: string; readonly reason: string }
  /** Known issues take nothing back: the answer was asked of the publisher alone. */
  | { readonly kind: 'publisher-only' }
  /** A known issue takes nothing back, for the user has dealt with it. */
  | { readonly kind: 'accepted-issue'; readonly id: string }
  /** What made an answer a no that its own form has no place for. */
  | { readonly kind: 'known-issue'; readonly issue: AppliedIssue }
  /** What the command line says counts, and the facts of the deployment say otherwise. */
  | { readonly kind: 'option-over-fact'; readonly option: string; readonly fact: string }
  /** Artifacts whose `recommendedStrategy` is not what their verdict means. */
  | { readonly kind: 'strategy-contradiction'; readonly versions: readonly string[] };

export type Notify = (notice: Notice) => void;
