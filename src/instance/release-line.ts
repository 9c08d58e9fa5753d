import { withoutExtension } from '../facts/known-facts.js';
import type { MigrationFile, ReleaseArtifact } from '../release-safety/artifact.js';
import type { IndexEntry } from '../release-safety/index-schema.js';
import type { ReleaseSafetyIndex } from '../release-safety/parse-index.js';
import {
  type ArtifactOutcome,
  artifactOf,
  evaluateJoined,
  joinArtifacts,
} from '../release-safety/reconcile.js';
import { type MissingRange, releasesOfSpan, type Span } from '../release-safety/span.js';
import { compareVersions, type Version } from '../release-safety/version.js';

/** One release on the line, with its artifact; undefined if none can be used. */
export interface LineRelease {
  readonly version: Version;
  /** ISO 8601. */
  readonly releaseDate: string;
  readonly backfilled: boolean;
  readonly artifact: ReleaseArtifact | undefined;
}

/** The releases that matter for an upgrade, oldest first. */
export interface ReleaseLine {
  /** Those before `before`, back to the first with an artifact; empty if they were not requested. */
  readonly earlier: readonly LineRelease[];
  /** Up to the running release: as many as were read to find what it has already migrated. */
  readonly before: readonly LineRelease[];
  /** Newer than the running release, up to and including the wanted one. */
  readonly span: readonly LineRelease[];
  /** The part of the span that is not in the index. */
  readonly missingRanges: readonly MissingRange[];
  /** Whether the span is proven to roll: by the index, by what is known against its releases, and by every artifact read. */
  readonly rolling: boolean;
  /** How many artifacts of the span were not read. */
  readonly unread: number;
}

/**
 * @param begin the oldest release to include
 * @param outcomes by version
 */
export function layLine(
  index: ReleaseSafetyIndex,
  span: Span,
  begin: Version,
  outcomes: ReadonlyMap<string, ArtifactOutcome>,
): ReleaseLine {
  const toRelease = (entry: IndexEntry): LineRelease => ({
    version: entry.version,
    releaseDate: entry.releaseDate,
    backfilled: entry.backfilled,
    artifact: artifactOf(entry, outcomes.get(entry.version)),
  });
  const releases = index.entries
    .filter(({ version }) => compareVersions(version, begin) >= 0 && compareVersions(version, span.to) <= 0)
    .map(toRelease);
  const requested = index.entries.findIndex(({ version }) => outcomes.has(version));
  const earlier = index.entries
    .slice(Math.max(requested, 0))
    .filter(({ version }) => requested >= 0 && compareVersions(version, begin) < 0);
  const joined = joinArtifacts(index, span, outcomes);
  const { missingRanges, rolling } = evaluateJoined(joined, span);
  const ofSpan = new Set(releasesOfSpan(index, span).map(({ version }) => version));
  return {
    earlier: earlier.map(toRelease),
    before: releases.filter(({ version }) => !ofSpan.has(version)),
    span: releases.filter(({ version }) => ofSpan.has(version)),
    missingRanges,
    rolling,
    unread: joined.unread.length,
  };
}

/** Whether the artifact lists the migrations of a release. */
export function listsMigrations({ artifact }: LineRelease): boolean {
  return artifact?.migrations !== undefined && artifact.migrations.present !== 'unknown';
}

/** A migration of a release, by its name in comparisons of ledgers: without extension. */
export interface ReleaseMigration extends MigrationFile {
  readonly version: Version;
}

/** The migrations of one release, in the order in which they run: by name. */
export function migrationsOf({ version, artifact }: LineRelease): ReleaseMigration[] {
  return (artifact?.migrations?.files ?? [])
    .map((file) => ({ ...file, version, name: withoutExtension(file.name) }))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** Whether the instance runs enterprise migrations; undefined if not known. */
export type Edition = 'enterprise' | 'community' | undefined;

/**
 * How much of what a release brings is in a ledger; `none`: it brings nothing, `notReported`: its artifact does not
 * say.
 */
export type Applied = 'all' | 'some' | 'nothing' | 'none' | 'notReported';

export interface PlacedRelease extends LineRelease {
  readonly applied: Applied;
  /** Its migrations that are not in the ledger, by name. */
  readonly lacking: readonly string[];
}

/** Where on the line of releases a database is, by the migrations that it has run. */
export interface Place {
  readonly releases: readonly PlacedRelease[];
  /** The newest release of which anything has run: the database is no older. Undefined if no release shows it. */
  readonly oldest: Version | undefined;
  /** The newest release of which nothing is missing, nor of any before it: the database is no newer. */
  readonly newest: Version | undefined;
}

/**
 * Places a ledger. Between the two ends, releases bring no migration or do not say whether they do, so the ledger is
 * the same at each of them. If `newest` is older than `oldest`, releases in between have been skipped.
 *
 * @param releases oldest first
 * @param edition if not known, enterprise migrations show nothing: they run only with a licence key
 */
export function placeLedger(
  releases: readonly LineRelease[],
  applied: ReadonlySet<string>,
  edition: Edition,
): Place {
  const brought = new Set<string>();
  const placed = releases.map((release): PlacedRelease => {
    // A file that moves to the other edition is listed twice; only the first time counts.
    const names = migrationsOf(release)
      .filter((migration) => edition === 'enterprise' || migration.edition === 'core')
      .map(({ name }) => name)
      .filter((name) => !brought.has(name));
    for (const name of names) brought.add(name);
    const lacking = names.filter((name) => !applied.has(name));
    return { ...release, applied: appliedOf(release, names, lacking), lacking };
  });
  const firstLacking = placed.findIndex((release) => release.lacking.length > 0);
  const reached = firstLacking === -1 ? placed : placed.slice(0, firstLacking);
  return {
    releases: placed,
    oldest: placed.findLast((release) => release.applied === 'all' || release.applied === 'some')?.version,
    newest: reached.at(-1)?.version,
  };
}

function appliedOf(release: LineRelease, names: readonly string[], lacking: readonly string[]): Applied {
  if (!listsMigrations(release)) return 'notReported';
  if (names.length === 0) return 'none';
  if (lacking.length === 0) return 'all';
  return lacking.length === names.length ? 'nothing' : 'some';
}
