import type { Version } from '../../core/version.js';
import type { PendingMigration } from '../backfills/pending.js';
import type { FactOf } from '../facts/needs.js';
import type { ReleaseMigration } from '../release-line.js';
import { scaleTime, timeOfBackfill } from './backfill-time.js';
import {
  combineTimes,
  type Rates,
  ratesOf,
  sum,
  type TableSize,
  type TableWork,
  type TimeRange,
  timeOf,
  unbounded,
} from './work-time.js';

/** The facts of a database that the time of migrations depends on; null if not seen. */
export type ForecastFacts = {
  readonly [Key in 'tables' | 'indexes' | 'readRate' | 'sortRate']: FactOf<Key> | null;
} & {
  /** What the server expects; without it, as many as there are. */
  readonly backfillRows?: FactOf<'backfillRows'> | null | undefined;
};

/** How long one migration takes, without waits for locks. */
export interface MigrationForecast extends TimeRange {
  /** Without extension. */
  readonly migration: string;
  readonly version: Version;
  /** What it does on record, or may do by its artifact; empty if that does not say. */
  readonly mayDo: readonly TableWork[];
  /** If it may change every row of its tables, the least time for that; else null. */
  readonly everyRowSeconds: number | null;
}

/** A migration that updates or deletes rows is reported as a rewrite and a scan; a rewrite with a scan is no slower. */
const changes: readonly TableWork[] = ['scan', 'delete', 'update'];

/**
 * What an artifact leaves possible. A `true` is trusted. A `false` is not: migrations that build indexes, foreign keys,
 * or columns with a default that is computed for each row are reported as a lock alone. Empty: anything is possible.
 */
function workOf({ heaviness }: ReleaseMigration): readonly TableWork[] {
  const { rewritesTable: rewrites, scansTable: scans } = heaviness;
  if (scans === 'unknown') return [];
  if (rewrites === true) return scans ? changes : ['rewrite'];
  const builds = ['scan', 'validate', 'index', 'rewrite'] as const;
  if (!scans) return ['catalogue', ...builds];
  return rewrites === 'unknown' ? [...builds, ...changes] : builds;
}

/**
 * How long each of these migrations takes, in the order in which they run: by its steps if it is on record as a
 * backfill; else by its artifact, if each statement goes over its table once.
 */
export function forecast(
  migrations: readonly PendingMigration[],
  facts: ForecastFacts,
): readonly MigrationForecast[] {
  const rates = ratesOf(facts.readRate, facts.sortRate);
  const named = new Set<string>();
  const grown = new Map<string, number>();
  let notReported = false;
  return migrations.map((migration) => {
    const tables = [...new Set(migration.tables)].filter((table) => !ofServer.test(table));
    const mayBeFilled = (table: string) => notReported || named.has(table);
    const sizes = new Map(tables.map((table) => [table, sizeOf(table, facts, mayBeFilled(table))]));
    // What is on record creates no table.
    if (migration.backfill === undefined) for (const table of tables) named.add(table);
    notReported ||= tables.length === 0;
    const known = { migration: migration.name, version: migration.version };
    if (tables.length === 0) {
      return { ...known, mayDo: [], everyRowSeconds: null, ...unbounded(0, 'tables-not-told') };
    }
    const { backfill } = migration;
    if (backfill !== undefined) {
      const mayDo = [...new Set(backfill.steps.map(({ work }) => (work === 'insert' ? 'update' : work)))];
      const time = timeOfBackfill(backfill, sizes, facts.backfillRows ?? null, rates, grown);
      return { ...known, mayDo, everyRowSeconds: null, ...time };
    }
    const mayDo = workOf(migration);
    const mayUpdate = mayDo.length === 0 || mayDo.includes('update');
    const everyRow = Math.min(...[...sizes.values()].map((size) => timeOf('update', size, rates).lowSeconds));
    const time = timeOfAll(mayDo, [...sizes.values()], rates);
    const factor = Math.max(...tables.map((table) => 1 + (grown.get(table) ?? 0)));
    return { ...known, mayDo, everyRowSeconds: mayUpdate ? everyRow : null, ...scaleTime(time, factor) };
  });
}

/** The time of a migration that does one of these works over some of its tables; over which is not known. */
function timeOfAll(mayDo: readonly TableWork[], sizes: readonly TableSize[], rates: Rates): TimeRange {
  if (mayDo.length === 0) return unbounded(0, 'work-not-told');
  const least = (numbers: readonly number[]) => Math.min(...numbers);
  const ofTables = sizes.map((size) => {
    const times = mayDo.map((work) => timeOf(work, size, rates));
    return combineTimes(times, least, (highs) => Math.max(...highs));
  });
  return combineTimes(ofTables, least, sum);
}

/** The server's own tables, on which no migration works. */
const ofServer = /^(?:pg_|information_schema[.])/;

const sizeNotSeen: TableSize = {
  heapBytes: null,
  toastBytes: null,
  indexBytes: null,
  rows: null,
  deadRows: 0,
  indexes: null,
};

/**
 * A table and its partitions. A table that does not exist is empty when it is created. Its size is not known if an
 * earlier migration may have created and filled it.
 */
export function sizeOf(
  name: string,
  { tables, indexes }: Pick<ForecastFacts, 'tables' | 'indexes'>,
  mayBeFilled: boolean,
): TableSize {
  if (tables === null || name.includes('.')) return sizeNotSeen;
  const parts = withPartitions([name], tables);
  if (parts.length === 0 && mayBeFilled) return sizeNotSeen;
  // Statistics may be old.
  if (parts.some(({ sizedBy }) => sizedBy === 'statistics')) return sizeNotSeen;
  const total = (key: 'heapBytes' | 'toastBytes' | 'indexBytes' | 'estimatedRows' | 'deadRows') =>
    sumOfSizes(parts.map((part) => part[key]));
  return {
    heapBytes: total('heapBytes'),
    toastBytes: total('toastBytes'),
    indexBytes: total('indexBytes'),
    rows: total('estimatedRows'),
    deadRows: total('deadRows') ?? 0,
    indexes: indexes === null ? null : indexes.filter(({ table }) => table === name).length,
    hasGin: indexes?.some(({ table, method }) => table === name && method === 'gin') ?? false,
  };
}

/** Null if one of them is not known. */
export function sumOfSizes(numbers: readonly (number | null)[]): number | null {
  return numbers.reduce((sum, number) => (sum === null || number === null ? null : sum + number), 0);
}

/** The existing tables of these names, with their partitions, which contain the rows. */
export function withPartitions(names: Iterable<string>, tables: FactOf<'tables'>): FactOf<'tables'> {
  const wanted = new Set(names);
  // Partitions may have partitions: repeat until no name is new.
  for (let before = -1; before < wanted.size; ) {
    before = wanted.size;
    for (const { name: part, partitionOf } of tables) {
      if (partitionOf !== null && wanted.has(partitionOf)) wanted.add(part);
    }
  }
  return tables.filter((table) => wanted.has(table.name));
}
