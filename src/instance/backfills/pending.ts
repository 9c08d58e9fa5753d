import { compareVersions, type Version } from '../../core/version.js';
import type { FactOf } from '../facts/needs.js';
import { appliedNames, isOpaque, type LineAndLedger, mayDo, pendingMigrations, tablesOf } from '../ledger.js';
import { listsMigrations, type ReleaseLine, type ReleaseMigration } from '../release-line.js';
import { backfills } from './built-in.js';
import type { Backfill } from './records.js';

/** A migration that an upgrade runs, with its record in `backfills/` if it is a known backfill. */
export interface PendingMigration extends ReleaseMigration {
  readonly backfill?: Backfill;
}

/**
 * What an upgrade runs, as far as it is known: by artifacts, and by the record of backfills for releases whose artifact
 * does not list migrations. What neither tells may be as heavy as any.
 */
export function pendingWork(state: LineAndLedger): readonly PendingMigration[] {
  const byArtifact = pendingMigrations(state);
  const named = new Set(byArtifact.map(({ name }) => name));
  const onRecord = new Map(pendingBackfills(state).map((backfill) => [backfill.name, ofBackfill(backfill)]));
  return [
    ...[...onRecord.values()].filter(
      ({ name, version }) => !named.has(name) && isNotListed(version, state.line),
    ),
    ...byArtifact.map(({ edition, version, ...migration }) => ({
      ...{ ...migration, ...onRecord.get(migration.name) },
      ...{ edition, version },
    })),
  ];
}

/**
 * Whether a migration of this release may be missing from what artifacts list: the release has no artifact that lists
 * migrations, or it lies in a gap of the index.
 */
function isNotListed(introduced: Version, { from, before, span, missingRanges }: ReleaseLine): boolean {
  const release = [...before, ...span].find(({ version }) => version === introduced);
  if (release !== undefined) return !listsMigrations(release);
  if (compareVersions(introduced, from) <= 0) return true;
  return missingRanges.some(
    ({ afterVersion, beforeVersion }) =>
      compareVersions(afterVersion, introduced) < 0 && compareVersions(introduced, beforeVersion) < 0,
  );
}

export function pendingLocks(state: LineAndLedger): readonly PendingMigration[] {
  return pendingWork(state).filter((migration) => mayDo(migration, 'locksTable'));
}

/**
 * The pending migrations that may build an index concurrently: a build scans its table. It waits for every snapshot in
 * its database that is older, and for everyone who writes its table; without a `lock_timeout`, however long that takes.
 */
export function pendingBuilds(state: LineAndLedger): readonly PendingMigration[] {
  return pendingWork(state).filter(({ backfill, ...migration }) =>
    backfill === undefined
      ? mayDo(migration, 'scansTable')
      : !backfill.transaction && backfill.steps.some(({ work }) => work === 'index'),
  );
}

/** How a migration changes rows of a table. */
interface RowChange {
  readonly updates: boolean;
  readonly deletes: boolean;
  /** Whether it is known that it does, and not only possible. */
  readonly certain: boolean;
}

/**
 * How a migration changes the rows of the tables that it names. By its artifact alone, one that rewrites and scans its
 * only table without a lock updates or deletes; with a lock, it may give a column another type instead.
 */
export function rowChanges(migration: PendingMigration): ReadonlyMap<string, RowChange> {
  const changes = new Map<string, RowChange>();
  if (migration.backfill === undefined) {
    const { locksTable, rewritesTable, scansTable } = migration.heaviness;
    const named = [...tablesOf([migration]).keys()];
    if (rewritesTable === false) return changes;
    const certain =
      named.length === 1 && locksTable === false && rewritesTable === true && scansTable === true;
    return new Map(named.map((table) => [table, { updates: true, deletes: true, certain }]));
  }
  for (const { work, table } of migration.backfill.steps) {
    const { updates = false, deletes = false } = changes.get(table) ?? {};
    if (work !== 'update' && work !== 'delete') continue;
    const change = { updates: updates || work === 'update', deletes: deletes || work === 'delete' };
    changes.set(table, { ...change, certain: true });
  }
  return changes;
}

/**
 * The pending migrations that may drop an index concurrently, which waits for readers as well
 * (`findings/postgres-drop-index-waits-for-readers.sh`). Artifacts record no effect on a table for such a drop, so any
 * migration without an effect may be one.
 */
function pendingDrops(state: LineAndLedger): readonly PendingMigration[] {
  return pendingWork(state).filter(
    ({ backfill, ...migration }) =>
      backfill === undefined && !mayDo(migration, 'locksTable', 'rewritesTable', 'scansTable'),
  );
}

/** The lock modes that a concurrent index build does not wait for. */
const readerModes = ['AccessShareLock', 'RowShareLock'];

/**
 * What pending migrations wait for, of locks that others hold: those on tables that they lock or may build an index of.
 * A drop waits for locks on tables to which a foreign key leads, too, of which an artifact does not tell:
 * `findings/postgres-locks-tables-that-do-not-change.sh`.
 *
 * @param indexes before an index is built, one of that name that is not valid is dropped
 */
export function locksWaitedFor(state: LineAndLedger, indexes: FactOf<'indexes'> | null = []) {
  const locking = pendingLocks(state);
  const locked = tablesOf(locking);
  const built = tablesOf(pendingBuilds(state));
  const withInvalid = new Set(indexes?.filter(({ valid }) => !valid).map(({ table }) => table));
  const dropped = tablesOf(pendingDrops(state));
  const mayDrop = (table: string) => dropped.has(table) || (built.has(table) && withInvalid.has(table));
  const isAnyTable = locking.some(isOpaque);
  return {
    locked,
    isWaitedFor: ({ table, mode }: Pick<FactOf<'locks'>[number], 'table' | 'mode'>) =>
      isAnyTable || locked.has(table) || mayDrop(table) || (built.has(table) && !readerModes.includes(mode)),
    isNamed: (table: string) => locked.has(table) || built.has(table) || dropped.has(table),
    /** The first migration that names the table. */
    waiting: (table: string) => (locked.get(table) ?? built.get(table) ?? dropped.get(table))?.name ?? null,
  };
}

/**
 * The known backfills that have not run. One of a release up to the running one counts only if the ledger shows how far
 * the record was run: it has all that came before, and at least one.
 */
function pendingBackfills({ line: { from, to }, facts }: LineAndLedger): readonly Backfill[] {
  const applied = appliedNames(facts.ledger);
  const firstLacking = backfills.findIndex(({ name }) => !applied.has(name));
  const isInOrder = firstLacking > 0 && backfills.slice(firstLacking).every(({ name }) => !applied.has(name));
  return backfills
    .filter(({ name, introduced }) => {
      if (applied.has(name) || compareVersions(introduced, to) > 0) return false;
      return isInOrder || compareVersions(introduced, from) > 0;
    })
    .map(({ endlessBefore, ...migration }) =>
      endlessBefore === undefined || compareVersions(to, endlessBefore) >= 0
        ? migration
        : { ...migration, endlessBefore },
    );
}

/**
 * As an artifact would tell it: a lock under which others wait, reading, and writing that may go over a whole table.
 */
function ofBackfill(backfill: Backfill): PendingMigration {
  const { name, introduced: version, locks, steps } = backfill;
  const locksTable = Object.values(locks).some((modes) => modes.some((mode) => !sharedModes.has(mode)));
  const rewritesTable = steps.some(
    (step) => step.work === 'update' && step.rows !== 'some' && step.rows !== 'few',
  );
  const heaviness = { locksTable, rewritesTable, scansTable: true };
  const tables = [...new Set([...Object.keys(locks), ...steps.map(({ table }) => table)])];
  return { name, edition: 'core', tables, heaviness, version, backfill };
}

/** Under these, others read and write rows. */
const sharedModes: ReadonlySet<string> = new Set([
  'AccessShareLock',
  'RowExclusiveLock',
  'ShareUpdateExclusiveLock',
]);
