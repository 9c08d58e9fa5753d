import type { Lacking } from '../facts/needs.js';
import type { Version } from '../release-safety/version.js';
import { appliedNames, type LineAndLedger, releasesOf } from './pending.js';
import { type LineRelease, listsMigrations, migrationsOf } from './release-line.js';

/** Names in a ledger that are not in the image of the target, or may not be. */
export interface Strangers {
  /** Names that no release up to the target brings. */
  readonly unknown: readonly string[];
  /** Enterprise migrations: without a licence key, an image leaves their folder out. */
  readonly enterprise: readonly string[];
  /** The newest release whose migrations are not known, and may be names that are older; null if none is missing. */
  readonly unread: string | null;
}

interface Seen extends Omit<LineAndLedger, 'edition'> {
  readonly to: Version;
}

/**
 * The name of a migration is the time when it was written, which may be some time after its release by another clock.
 * It may be long before: then it stands in an artifact of a later release.
 */
const daysOfGrace = 2;

/**
 * The names that no release of the line brings. Left out are names that may be of a release whose migrations are not
 * known: one without an artifact, one that is not in the index, or one before the line. What is dated after the target
 * is of none of them.
 */
export function strangersOf({ to, line, facts }: Seen): Strangers {
  const releases = releasesOf(line);
  const applied = [...appliedNames(facts.ledger)];
  const migrations = releases.flatMap(migrationsOf);
  const known = new Set(migrations.map(({ name }) => name));
  const ofEnterprise = new Set(migrations.filter(({ edition }) => edition === 'ee').map(({ name }) => name));
  const gaps = new Set(line.missingRanges.map(({ beforeVersion }) => beforeVersion));
  const last = releases.findLast((one, i) => i === 0 || !listsMigrations(one) || gaps.has(one.version));
  const isIndexed = releases.at(-1)?.version === to;
  return {
    unknown:
      last === undefined || !isIndexed
        ? []
        : applied.filter((name) => !known.has(name) && name > nameAfter(last)),
    enterprise: applied.filter((name) => ofEnterprise.has(name)),
    unread: last === undefined || listsMigrations(last) ? null : last.version,
  };
}

/** The name of a migration that was written some days after a release: `20260810120000`. */
function nameAfter({ releaseDate }: LineRelease): string {
  const after = new Date(Date.parse(releaseDate) + daysOfGrace * 86_400_000);
  return after.toISOString().replaceAll(/\D/g, '').slice(0, 14);
}

/**
 * What only the licence key decides, if it is not known: an instance that has lost it has migrations that its image does
 * not contain, and one that has it should have run those that a community instance need not have.
 */
export function lackingEdition(given: Seen & LineAndLedger): readonly Lacking[] {
  if (given.edition !== undefined) return [];
  const applied = appliedNames(given.facts.ledger);
  const { enterprise } = strangersOf(given);
  const notRun = given.line.before
    .flatMap(migrationsOf)
    .flatMap(({ edition, name }) => (edition === 'ee' && !applied.has(name) ? [name] : []));
  return [
    { detail: `without the key ${given.to} will block on what has run`, names: enterprise },
    { detail: 'with it, what should have run', names: notRun },
  ].flatMap(({ names, detail }) =>
    names.length === 0 ? [] : [{ lacks: 'edition', detail, names } as const],
  );
}
