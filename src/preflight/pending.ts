import { withoutExtension } from '../facts/read-facts.js';
import type { FactOf, Given, Lacking } from './check.js';
import { placeLedger } from './place.js';
import {
  type Edition,
  type LineRelease,
  migrationsOf,
  type ReleaseLine,
  type ReleaseMigration,
} from './release-line.js';

/** The names that a ledger holds, as migrations are compared. */
export function appliedNames(ledger: FactOf<'ledger'>): ReadonlySet<string> {
  return new Set(ledger.map(({ name }) => withoutExtension(name)));
}

/** What the operator states, else what the ledger tells: enterprise migrations run only with a licence key. */
export function editionOf(line: ReleaseLine, applied: ReadonlySet<string>, stated: Edition): Edition {
  if (stated !== undefined) return stated;
  return releasesOf(line)
    .flatMap(migrationsOf)
    .some(({ name, edition }) => edition === 'ee' && applied.has(name))
    ? 'enterprise'
    : undefined;
}

/**
 * Whether a ledger is right only for one edition. An enterprise instance lacks what a community one need not have run;
 * one that has lost its licence key holds what its image does not.
 */
export function dependsOnEdition({ before }: ReleaseLine): boolean {
  return before.flatMap(migrationsOf).some(({ edition }) => edition === 'ee');
}

/** That one of some releases does not tell its migrations; backfilled ones never had an artifact. */
export function lackingArtifacts(releases: readonly LineRelease[]): Lacking {
  return releases.some(({ backfilled }) => backfilled)
    ? { lacks: 'artifacts', why: 'absent' }
    : { lacks: 'artifacts' };
}

export function releasesOf({ before, span }: ReleaseLine): readonly LineRelease[] {
  return [...before, ...span];
}

/**
 * What the upgrade will run: the migrations of the line that the ledger does not hold, oldest release first. A file may
 * stand in another edition in a later release: the newest counts, for its image is what runs. Of a release that was
 * passed, before the one that runs, what has not run will not run: it is no longer there, or is for another edition.
 */
export function pendingMigrations({
  line,
  edition: stated,
  facts,
}: Pick<Given<'ledger', never>, 'line' | 'edition' | 'facts'>): ReleaseMigration[] {
  const applied = appliedNames(facts.ledger);
  const edition = editionOf(line, applied, stated);
  const { oldest: passed } = placeLedger(line.before, applied, edition);
  const first = line.before.findIndex(({ version }) => version === passed);
  const pending = new Map<string, ReleaseMigration>();
  for (const migration of [...line.before.slice(Math.max(first, 0)), ...line.span].flatMap(migrationsOf)) {
    if (!applied.has(migration.name)) pending.set(migration.name, migration);
  }
  return [...pending.values()].filter(({ edition: of }) => edition !== 'community' || of === 'core');
}

/** What a migration may do to a table. */
export type Effect = keyof ReleaseMigration['heaviness'];

/** Nothing is ruled out that its artifact does not rule out, and one that tells no table rules nothing out. */
export function may(migration: ReleaseMigration, ...effects: readonly Effect[]): boolean {
  return isOpaque(migration) || effects.some((effect) => migration.heaviness[effect] !== false);
}

/**
 * Whether nothing is known of a migration. The publisher reads the body of `up` alone: one that does its work in a
 * function beside it names no table, and looks as if it did nothing.
 */
export function isOpaque({ tables }: ReleaseMigration): boolean {
  return tables.length === 0;
}

/** Those of them that lock a table, or may, for nothing says that they do not. */
export function pendingLocks(given: Parameters<typeof pendingMigrations>[0]): ReleaseMigration[] {
  return pendingMigrations(given).filter((migration) => may(migration, 'locksTable'));
}

/** The tables that migrations name, each with the first that names it; what belongs to the server is left out. */
export function tablesOf(migrations: readonly ReleaseMigration[]): ReadonlyMap<string, ReleaseMigration> {
  const tables = new Map<string, ReleaseMigration>();
  for (const migration of migrations) {
    for (const table of migration.tables) {
      if (!/^pg_|[.]/.test(table) && !tables.has(table)) tables.set(table, migration);
    }
  }
  return tables;
}
