import { factsOfDeployment } from '../facts/facts-of-deployment.js';
import type { ObservedFacts } from '../facts/facts-schema.js';
import type { FactOf, Lacking } from '../facts/needs.js';
import { withoutExtension } from '../facts/read-facts.js';
import { seenValue } from '../facts/seen-value.js';
import { placeLedger } from './place.js';
import {
  type Edition,
  type LineRelease,
  migrationsOf,
  type ReleaseLine,
  type ReleaseMigration,
} from './release-line.js';

/** The releases that an instance may run, and what is known of what it has run. */
export interface LineAndLedger {
  readonly line: ReleaseLine;
  /** As the operator states it. */
  readonly edition: Edition;
  readonly facts: { readonly ledger: FactOf<'ledger'> };
}

/** The names in a ledger, in the form in which migrations are compared. */
export function appliedNames(ledger: FactOf<'ledger'>): ReadonlySet<string> {
  return new Set(ledger.map(({ name }) => withoutExtension(name)));
}

/**
 * The edition that the operator states, else the one that the ledger shows: enterprise migrations run only with a
 * licence key.
 */
export function editionOf(line: ReleaseLine, applied: ReadonlySet<string>, stated: Edition): Edition {
  if (stated !== undefined) return stated;
  return releasesOf(line)
    .flatMap(migrationsOf)
    .some(({ name, edition }) => edition === 'ee' && applied.has(name))
    ? 'enterprise'
    : undefined;
}

/** Reports that some releases do not list their migrations; backfilled ones never had an artifact. */
export function lackingArtifacts(releases: readonly LineRelease[]): Lacking {
  return releases.some(({ backfilled }) => backfilled)
    ? { lacks: 'artifacts', why: 'absent' }
    : { lacks: 'artifacts' };
}

export function releasesOf({ earlier, before, span }: ReleaseLine): readonly LineRelease[] {
  return [...earlier, ...before, ...span];
}

/**
 * What the upgrade will run: the migrations of the line that are not in the ledger, oldest release first. A file may
 * move to another edition in a later release: the newest counts, because its image is what runs. A migration of a
 * release before the running one that has not run will not run: it no longer exists, or is for another edition.
 */
export function pendingMigrations({ line, edition: stated, facts }: LineAndLedger): ReleaseMigration[] {
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

/** Only its artifact can rule something out, and an artifact that names no table rules nothing out. */
export function may(migration: ReleaseMigration, ...effects: readonly Effect[]): boolean {
  return isOpaque(migration) || effects.some((effect) => migration.heaviness[effect] !== false);
}

/**
 * Whether nothing is known of a migration. The publisher reads only the body of `up`: a migration that does its work in
 * another function names no table, and looks as if it did nothing.
 */
export function isOpaque({ tables }: ReleaseMigration): boolean {
  return tables.length === 0;
}

/** Those that lock a table, or may, because nothing says that they do not. */
export function pendingLocks(given: LineAndLedger): ReleaseMigration[] {
  return pendingMigrations(given).filter((migration) => may(migration, 'locksTable'));
}

/** The tables that migrations name, each with the first migration that names it; without the server's own tables. */
export function tablesOf(migrations: readonly ReleaseMigration[]): ReadonlyMap<string, ReleaseMigration> {
  const tables = new Map<string, ReleaseMigration>();
  for (const migration of migrations) {
    for (const table of migration.tables) {
      if (!/^pg_|[.]/.test(table) && !tables.has(table)) tables.set(table, migration);
    }
  }
  return tables;
}

/** Whether the instance has a licence key, as a person states it, or else as its deployment shows it. */
export function knownEdition(facts: ObservedFacts): Edition {
  const edition = seenValue(facts.stated)?.edition ?? factsOfDeployment(facts).get('edition');
  return edition === 'community' || edition === 'enterprise' ? edition : undefined;
}
