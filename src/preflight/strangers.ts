import type { Given } from './check.js';
import { appliedNames, releasesOf } from './pending.js';
import { migrationsOf, tellsMigrations } from './release-line.js';

/** Names of a ledger that the image of the target does not hold. */
export interface Strangers {
  /** Names that no release up to the target brings. */
  readonly unknown: readonly string[];
  /** Enterprise ones, of an instance without licence: its image leaves their folder out. */
  readonly enterprise: readonly string[];
}

/** A migration is named by when it was written, which may be some time after its release by another clock. */
const daysOfGrace = 2;

/**
 * The names that no release of the line brings. Older ones than its first release are left out: they may be of any
 * release before it. Where a release does not tell its migrations, any name may be of that one, and none is a stranger.
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
  const certain = line.missingRanges.length === 0 && releases.every(tellsMigrations);
  const enterprise = new Set(migrations.filter((one) => one.edition === 'ee').map(({ name }) => name));
  return {
    unknown:
      first === undefined || !certain
        ? []
        : applied.filter((name) => !known.has(name) && name > nameAfter(first.releaseDate)),
    enterprise: edition === 'community' ? applied.filter((name) => enterprise.has(name)) : [],
  };
}

/** What a migration is named by that was written some days after a release: `20260810120000`. */
function nameAfter(releaseDate: string): string {
  const after = new Date(Date.parse(releaseDate) + daysOfGrace * 86_400_000);
  return after.toISOString().replaceAll(/\D/g, '').slice(0, 14);
}
