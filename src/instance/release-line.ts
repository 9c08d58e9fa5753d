import { withoutExtension } from '../facts/read-facts.js';
import type { MigrationFile, ReleaseArtifact } from '../release-safety/artifact-schema.js';
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
  const releases = index.entries.filter(({ version }) => isBetween(version, begin, span.to)).map(toRelease);
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

function isBetween(version: Version, begin: Version, end: Version): boolean {
  return compareVersions(version, begin) >= 0 && compareVersions(version, end) <= 0;
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
