import { isRecord } from '../json/is-record.js';
import { LightspanError } from '../lightspan-error.js';
import type { AppliedIssue, IssueEffect } from '../results.js';
import { compareVersions, type Version } from '../version.js';
import type { IndexEntry } from './index-schema.js';

/** Thirty times the releases of 2026. An index with more entries was made to take long. */
export const mostEntries = 110_000;

export interface IndexHead {
  /** When the publisher made it, ISO 8601. */
  readonly generatedAt: string;
  /** The oldest release the index covers (span rule 5); null if it has no such floor. */
  readonly backfillFloorVersion: Version | null;
}

type NonEmpty<T> = readonly [T, ...T[]];

/** Versions from old to new: an array, or an object that parses each version at its first use. */
export type Versions = Pick<readonly Version[], 'length' | 'at'>;

/** The releases of an index that has been checked, oldest first. */
export interface Releases {
  /** At least one. */
  readonly versions: Versions;
  /**
   * The entries from one position up to, not including, another. An answer needs a few of thousands, so they are parsed
   * at their first use.
   */
  readonly between: (start: number, end: number) => readonly IndexEntry[];
}

/** An index that has been checked: every entry valid, none twice, oldest first. No other code checks it again. */
class ParsedIndex implements IndexHead {
  readonly schemaVersion = '1';
  readonly generatedAt: string;
  readonly backfillFloorVersion: Version | null;
  /** Every entry. Code that needs only some calls `entriesBetween`. */
  declare readonly entries: NonEmpty<IndexEntry>;
  /** What became known since publication; the published index has none. */
  readonly knownIssues: KnownIssues;
  /** Private, so that neither an object of the same shape nor a copy passes for a parsed index. */
  readonly #releases: Releases;

  constructor(
    { generatedAt, backfillFloorVersion }: IndexHead,
    releases: Releases,
    knownIssues: KnownIssues = noKnownIssues,
  ) {
    this.generatedAt = generatedAt;
    this.backfillFloorVersion = backfillFloorVersion;
    const { between, versions } = releases;
    Object.defineProperty(this, 'entries', { enumerable: true, get: () => between(0, versions.length) });
    this.knownIssues = knownIssues;
    this.#releases = releases;
  }

  get versions(): Versions {
    return this.#releases.versions;
  }

  entriesBetween(start: number, end: number): readonly IndexEntry[] {
    return this.#releases.between(start, end);
  }

  holding(hold: KnownIssuesOf): ParsedIndex {
    return new ParsedIndex(this, this.#releases, hold(this.versions));
  }

  static is(value: object): value is ParsedIndex {
    return #releases in value;
  }
}

/** A checked index, as `parseReleaseSafetyIndex` makes it. */
export type ReleaseSafetyIndex = ParsedIndex;

/** Whether a value was made by this module, and is not merely an object of the same shape. */
export function isParsedIndex(value: unknown): value is ReleaseSafetyIndex {
  return isRecord(value) && ParsedIndex.is(value);
}

/**
 * @throws {LightspanError} `invalid-index` for two entries of one version: it would be open which verdict counts
 */
export function indexOfEntries(head: IndexHead, entries: readonly IndexEntry[]): ReleaseSafetyIndex {
  const sorted = entries.toSorted((a, b) => compareVersions(a.version, b.version));
  const again = sorted.find(({ version }, i) => version === sorted[i - 1]?.version);
  if (again !== undefined) {
    const [first, second] = [
      entries.findIndex(({ version }) => version === again.version),
      entries.indexOf(again),
    ];
    throw new LightspanError(
      'invalid-index',
      `entries[${second}].version: ${again.version} stands in the index twice, first as entries[${first}]`,
    );
  }
  return new ParsedIndex(head, releasesOf(sorted));
}

/** @param entries oldest first */
function releasesOf(entries: readonly IndexEntry[]): Releases {
  const between: Releases['between'] = (start, end) =>
    end - start === entries.length ? entries : entries.slice(start, end);
  const versions = entries.map(({ version }) => version);
  if (versions.length === 0) throw new LightspanError('invalid-index', 'the index has no releases');
  return { versions, between };
}

export function indexOfReleases(head: IndexHead, releases: Releases): ReleaseSafetyIndex {
  return new ParsedIndex(head, releases);
}

export type Claims = Partial<Omit<IndexEntry, 'version'>>;

/**
 * A copy of the index in which some releases make other claims, such as another verdict. The releases and their order
 * stay.
 */
export function withClaims(
  index: ReleaseSafetyIndex,
  claimsOf: (entry: IndexEntry) => Claims | undefined,
): ReleaseSafetyIndex {
  const change = (entry: IndexEntry) => {
    const claims = claimsOf(entry);
    return claims === undefined ? entry : { ...entry, ...claims, version: entry.version };
  };
  return new ParsedIndex(index, releasesOf(index.entries.map(change)), index.knownIssues);
}

export function withKnownIssues(index: ReleaseSafetyIndex, hold: KnownIssuesOf): ReleaseSafetyIndex {
  return index.holding(hold);
}

/** A known issue of the upgrades that land on one release. */
export interface IssueOfLanding {
  readonly id: string;
  /** It applies, or may apply, to upgrades that begin before this version, and to no others. */
  readonly startsBefore: Version;
  readonly effect: IssueEffect['kind'];
  /** For an upgrade that ends there. */
  readonly appliedTo: (span: Readonly<Record<'from' | 'to', Version>>) => AppliedIssue;
}

export interface KnownIssues {
  readonly ofLanding: (to: Version) => readonly IssueOfLanding[];
}

/** The known issues of an index with these releases, oldest first. */
export type KnownIssuesOf = (versions: Versions) => KnownIssues;

export const noKnownIssues: KnownIssues = { ofLanding: () => [] };
