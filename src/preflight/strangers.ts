import type { Given } from './check.js';
import { appliedNames, releasesOf } from './pending.js';
import { listsMigrations, migrationsOf } from './release-line.js';

/** Names in a ledger that are not in the image of the target. */
export interface Strangers {
  /** Names that no release up to the target brings. */
  readonly unknown: readonly string[];
  /** Enterprise migrations on an instance without a licence: its image leaves their folder out. */
  readonly enterprise: readonly string[];
}

/**
 * The name of a migration is the time when it was written, which may be some time after its release by another clock.
 */
const daysOfGrace = 2;

/**
 * The names that no release of the line brings. Names older than its first release are left out, because they may be of
 * any release before it. If a release does not list its migrations, any name may be one of them, and none is a
 * stranger.
 */
export function strangersOf({
  line,
  facts,
  edition,
}: Pick<Given<'ledger', never>, 'line' | 'facts' | 'edition'>): Strangers {
  const releases = releasesOf(line);
  const applied = [...appliedNames(facts.ledger)];
  const migrations = releases.flatMap(migrationsOf);
  const known = new Set(migrations.map(({ name }) => name));
  const [first] = releases;
  const certain = line.missingRanges.length === 0 && releases.every(listsMigrations);
  const enterprise = new Set(migrations.filter((one) => one.edition === 'ee').map(({ name }) => name));
  return {
    unknown:
      first === undefined || !certain
        ? []
        : applied.filter((name) => !known.has(name) && name > nameAfter(first.releaseDate)),
    enterprise: edition === 'community' ? applied.filter((name) => enterprise.has(name)) : [],
  };
}

/** The name of a migration that was written some days after a release: `20260810120000`. */
function nameAfter(releaseDate: string): string {
  const after = new Date(Date.parse(releaseDate) + daysOfGrace * 86_400_000);
  return after.toISOString().replaceAll(/\D/g, '').slice(0, 14);
}
