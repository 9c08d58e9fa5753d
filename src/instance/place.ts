import type { Version } from '../release-safety/version.js';
import { type Edition, type LineRelease, listsMigrations, migrationsOf } from './release-line.js';

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
