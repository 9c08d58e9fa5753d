import type { MigrationFile, ReleaseArtifact } from '../core/artifact/artifact.js';
import {
  type ArtifactOutcome,
  artifactOf,
  evaluateJoined,
  joinArtifacts,
} from '../core/artifact/reconcile.js';
import type { IndexEntry } from '../core/index/index-schema.js';
import type { ReleaseSafetyIndex } from '../core/index/release-safety-index.js';
import { firstNewerThan, firstNotOlder, type MissingRange, releasesOfSpan, type Span } from '../core/span.js';
import type { Version } from '../core/version.js';
import { withoutExtension } from './facts/known-facts.js';

/** One release on the line, with its artifact; undefined if none can be used. */
export interface LineRelease extends Pick<IndexEntry, 'version' | 'releaseDate' | 'backfilled'> {
  readonly artifact: ReleaseArtifact | undefined;
  /** The migrations that ran at this release on a copy, where no artifact lists them. */
  readonly rehearsed?: readonly MigrationFile[];
}

/** The releases that matter for an upgrade, oldest first. */
export interface ReleaseLine extends Readonly<Span> {
  /** Those before `before`, back to the first with an artifact; empty if they were not requested. */
  readonly earlier: readonly LineRelease[];
  /** Up to the running release: as many as were read to find what it has already migrated. */
  readonly before: readonly LineRelease[];
  /** Newer than the running release, up to and including the wanted one. */
  readonly span: readonly LineRelease[];
  readonly missingRanges: readonly MissingRange[];
  /**
   * Whether the span is proven to roll: by the index, by what is known against its releases, and by every artifact
   * read.
   */
  readonly rolling: boolean;
  readonly unread: number;
}

/** @param begin the oldest release of `before` */
export function releaseLine(
  index: ReleaseSafetyIndex,
  span: Span,
  begin: Version,
  outcomes: ReadonlyMap<string, ArtifactOutcome>,
): ReleaseLine {
  const { entries, versions } = index;
  const withArtifact = (entry: IndexEntry): LineRelease => ({
    ...entry,
    artifact: artifactOf(entry, outcomes.get(entry.version)),
  });
  const first = firstNotOlder(versions, begin);
  const requested = entries.findIndex(({ version }) => outcomes.has(version));
  const joined = joinArtifacts(index, span, outcomes);
  const { missingRanges, rolling } = evaluateJoined(joined, span);
  return {
    ...{ from: span.from, to: span.to },
    earlier: requested === -1 ? [] : entries.slice(requested, first).map(withArtifact),
    before: entries.slice(first, firstNewerThan(versions, span.from)).map(withArtifact),
    span: releasesOfSpan(index, span).map(withArtifact),
    missingRanges,
    rolling,
    unread: joined.unread.length,
  };
}

export function listsMigrations({ artifact }: LineRelease): boolean {
  return artifact?.migrations !== undefined && artifact.migrations.present !== 'unknown';
}

/** A migration of a release, by its name in comparisons of ledgers: without extension. */
export interface ReleaseMigration extends MigrationFile {
  readonly version: Version;
}

/** The migrations of one release, in the order in which they run: by name. */
export function migrationsOf({ version, artifact, rehearsed = [] }: LineRelease): ReleaseMigration[] {
  return [...(artifact?.migrations?.files ?? []), ...rehearsed]
    .map((file) => ({ ...file, version, name: withoutExtension(file.name) }))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** Whether the instance runs enterprise migrations; undefined if not known. */
export type Edition = 'enterprise' | 'community' | undefined;

/** Where on the line of releases a database is, by the migrations that it has run. */
export type LedgerPlace = ReturnType<typeof placeLedger>;

/**
 * Places a ledger. Between the two ends, releases bring no migration or do not say whether they do, so the ledger is
 * the same at each of them. If `newest` is older than `oldest`, releases in between have been skipped.
 *
 * @param releases oldest first
 * @param edition if not known, enterprise migrations show nothing: they run only with a licence key
 * @returns the releases, with the migrations that the ledger lacks, and how many it has: none if the artifact does not
 *   list them. `oldest`, of which anything has run: the database is no older. `newest`, of which nothing is missing,
 *   nor of any before it: the database is no newer.
 */
export function placeLedger(
  releases: readonly LineRelease[],
  applied: ReadonlySet<string>,
  edition: Edition,
) {
  const brought = new Set<string>();
  const placed = releases.map((release) => {
    // A file that moves to the other edition is listed twice; only the first time counts.
    const names = migrationsOf(release)
      .filter((migration) => edition === 'enterprise' || migration.edition === 'core')
      .map(({ name }) => name)
      .filter((name) => !brought.has(name));
    for (const name of names) brought.add(name);
    const lacking = names.filter((name) => !applied.has(name));
    return { ...release, applied: listsMigrations(release) ? names.length - lacking.length : 0, lacking };
  });
  const firstLacking = placed.findIndex((release) => release.lacking.length > 0);
  return {
    releases: placed,
    oldest: placed.findLast((release) => release.applied > 0)?.version,
    newest: (firstLacking === -1 ? placed.at(-1) : placed[firstLacking - 1])?.version,
  };
}
