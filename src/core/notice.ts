import type { AppliedIssue } from './results.js';

/** A built-in record that is replaced: a source has a record of the same id with a later `modified`. */
export interface ReplacedIssue {
  readonly id: string;
  readonly source: string;
  readonly withdrawn: boolean;
}

/** What a person should know besides the answer: it goes to standard error, and changes nothing. */
export type Notice =
  /** The index was generated more than a week ago, and no maximum age was given. */
  | {
      readonly kind: 'old-index';
      readonly source: string;
      readonly generatedAt: string;
      readonly ageMs: number;
    }
  /** The oldest of the facts was seen more than a day ago, and no maximum age was given. */
  | { readonly kind: 'old-facts'; readonly source: string; readonly seenAt: string; readonly ageMs: number }
  | { readonly kind: 'offline'; readonly source: string; readonly ageMs: number }
  | { readonly kind: 'waiting'; readonly host: string }
  | { readonly kind: 'cache-unavailable'; readonly folder: string; readonly reason: string }
  /** A file or folder that a killed run had left, and that is removed. */
  | { readonly kind: 'leftover'; readonly path: string }
  /** Known issues take nothing back: the user requested the publisher's answer alone. */
  | { readonly kind: 'publisher-only' }
  /** A source of known issues replaces or withdraws one that is built in. */
  | ({ readonly kind: 'replaced-issue' } & ReplacedIssue)
  /** A record that a feed had before, and has in another version now. */
  | {
      readonly kind: 'changed-record';
      readonly source: string;
      readonly id: string;
      readonly modified: string;
      readonly withdrawn: boolean;
    }
  /** A record that a feed had before and no longer has, though nobody withdrew it: it still counts. */
  | { readonly kind: 'missing-record'; readonly source: string; readonly id: string; readonly file: string }
  /** A feed that ends before the records that are built in. */
  | { readonly kind: 'old-records'; readonly source: string; readonly end: string; readonly builtIn: string }
  /** A known issue that made the answer a no, and has no place in the answer's format. */
  | { readonly kind: 'known-issue'; readonly issue: AppliedIssue }
  | { readonly kind: 'strategy-contradiction'; readonly versions: readonly string[] };

export type Notify = (notice: Notice) => void;
