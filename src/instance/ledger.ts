import { isOlder, type Version } from '../core/version.js';
import type { ObservedFacts } from './facts/facts-schema.js';
import { conditionFacts, withoutExtension } from './facts/known-facts.js';
import { type FactOf, lacks, seenValue, type UnmetNeed } from './facts/needs.js';
import { firstWith } from './first-versions.js';
import {
  type Edition,
  type LineRelease,
  listsMigrations,
  migrationsOf,
  placeLedger,
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
export function artifactsNotSeen(releases: readonly LineRelease[]): UnmetNeed {
  return releases.some(({ backfilled }) => backfilled)
    ? lacks('artifacts', { why: 'absent' })
    : lacks('artifacts');
}

function releasesOf({ earlier, before, span }: ReleaseLine): readonly LineRelease[] {
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

/** Only its artifact can rule something out, and an artifact that names no table rules nothing out. */
export function mayDo(
  migration: ReleaseMigration,
  ...effects: readonly (keyof ReleaseMigration['heaviness'])[]
): boolean {
  return isOpaque(migration) || effects.some((effect) => migration.heaviness[effect] !== false);
}

/**
 * Whether nothing is known of a migration. The publisher reads only the body of `up`: a migration that does its work in
 * another function names no table, and looks as if it did nothing.
 */
export function isOpaque({ tables }: ReleaseMigration): boolean {
  return tables.length === 0;
}

/** Whether a release on the route may bring migrations that no artifact lists. */
export function mayMigrateUnseen({ span }: ReleaseLine): boolean {
  return !span.every(listsMigrations);
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

/** As a person states it, or else as the deployment shows it. */
export function knownEdition(facts: ObservedFacts): Edition {
  const edition = conditionFacts(facts).get('edition');
  return edition === 'community' || edition === 'enterprise' ? edition : undefined;
}

/**
 * The name of a migration is the time when it was written, which may be some time after its release by another clock.
 * It may be long before: then it stands in an artifact of a later release.
 */
const daysOfGrace = 2;

/**
 * Names in a ledger that are not in the image of the target, or may not be: `unknown`, those that no release of the
 * line brings, and `enterprise`, whose folder an image leaves out without a licence key. Left out are names that may be
 * of a release whose migrations are not known: one without an artifact, one that is not in the index, or one before the
 * line. What is dated after the target is of none of them.
 *
 * @returns `unread`: the newest release whose migrations are not known, and may be names that are older; null if none
 *   is
 */
export function foreignNames({
  to,
  line,
  facts,
}: Pick<LineAndLedger, 'line' | 'facts'> & { readonly to: Version }) {
  const releases = releasesOf(line);
  const applied = [...appliedNames(facts.ledger)];
  const migrations = releases.flatMap(migrationsOf);
  const knownNames = new Set(migrations.map(({ name }) => name));
  const ofEnterprise = new Set(migrations.filter(({ edition }) => edition === 'ee').map(({ name }) => name));
  const gaps = new Set(line.missingRanges.map(({ beforeVersion }) => beforeVersion));
  const last = releases.findLast(
    (release, i) => i === 0 || !listsMigrations(release) || gaps.has(release.version),
  );
  const begins = last !== undefined && releases.at(-1)?.version === to ? nameAfterRelease(last) : undefined;
  return {
    unknown: applied.filter((name) => begins !== undefined && !knownNames.has(name) && name > begins),
    enterprise: applied.filter((name) => ofEnterprise.has(name)),
    unread: last === undefined || listsMigrations(last) ? null : last.version,
  };
}

/** The name of a migration that was written some days after a release: `20260810120000`. */
function nameAfterRelease({ releaseDate }: LineRelease): string {
  const after = new Date(Date.parse(releaseDate) + daysOfGrace * 86_400_000);
  return after.toISOString().replaceAll(/\D/g, '').slice(0, dateLength);
}

/**
 * What only the licence key decides, if it is not known: an instance that has lost it has migrations that its image
 * does not contain, and one that has it should have run those that a community instance need not have.
 */
export function editionNotSeen(state: LineAndLedger & { readonly to: Version }): readonly UnmetNeed[] {
  if (state.edition !== undefined) return [];
  const applied = appliedNames(state.facts.ledger);
  const { enterprise } = foreignNames(state);
  const notRun = state.line.before
    .flatMap(migrationsOf)
    .filter(({ edition, name }) => edition === 'ee' && !applied.has(name));
  return [
    { detail: `without the key ${state.to} will block on what has run`, names: enterprise },
    { detail: 'with it, what should have run', names: notRun.map(({ name }) => name) },
  ].flatMap((lacking) => (lacking.names.length === 0 ? [] : lacks('edition', lacking)));
}

/** Pending migrations that are dated no later than the newest one that has run. */
export interface BackDated {
  readonly newest: string;
  readonly names: readonly string[];
}

/**
 * What keeps an upgrade from rolling although its releases are proven to roll. Once a back-dated migration has run, a
 * pod of the running release that starts again takes it for a divergence, and does not start.
 *
 * @returns undefined if there is no such migration, or the missing need if that is not known
 */
export function backDatedOf({
  from,
  line,
  edition,
  facts,
}: Omit<LineAndLedger, 'facts'> & { readonly from: Version; readonly facts: ObservedFacts }):
  | BackDated
  | 'ledger'
  | 'artifacts'
  | undefined {
  const startsAnyway = isOlder(from, firstWith.startCheck) || !isOlder(from, firstWith.startOnBackDated);
  if (startsAnyway || !line.rolling) return undefined;
  const ledger = seenValue(facts.ledger);
  if (ledger === undefined) return 'ledger';
  const newest = newestOf(appliedNames(ledger));
  const names = pendingMigrations({ line, edition, facts: { ledger } })
    .map(({ name }) => name)
    // Two migrations may share a date, and the start check wants each new one to be later.
    .filter((name) => name.slice(0, dateLength) <= newest.slice(0, dateLength));
  if (names.length > 0) return { newest, names };
  return line.span.every(listsMigrations) ? undefined : 'artifacts';
}

const dateLength = 'YYYYMMDDhhmmss'.length;

function newestOf(names: Iterable<string>): string {
  return [...names].reduce((a, b) => (b > a ? b : a), '');
}

/**
 * The newest migration in the running release, by the rows of the ledger and by artifacts; undefined if they leave it
 * open. Rows that were seen at an earlier release say nothing of a later one. So they must contain the newest core
 * migrations up to the running release, and every release after those must list its migrations.
 *
 * @param from the running release
 */
export function newestMigrationOf(
  { before }: Pick<ReleaseLine, 'before'>,
  { ledger }: ObservedFacts,
  from: Version,
): string | undefined {
  if (ledger?.status !== 'seen' || before.at(-1)?.version !== from) return undefined;
  const isCore = ({ edition }: ReleaseMigration) => edition === 'core';
  const begin = before.findLastIndex((release) => migrationsOf(release).some(isCore));
  const known = begin === -1 ? [] : before.slice(begin);
  const follows = ({ artifact }: LineRelease, i: number) =>
    i === 0 || artifact?.previousVersion === known[i - 1]?.version;
  if (begin === -1 || !known.every(follows) || !known.every(listsMigrations)) return undefined;
  const applied = appliedNames(ledger.value);
  const migrations = known.flatMap(migrationsOf);
  if (migrations.some((migration) => isCore(migration) && !applied.has(migration.name))) return undefined;
  return newestOf([...applied, ...migrations.map(({ name }) => name)]);
}
