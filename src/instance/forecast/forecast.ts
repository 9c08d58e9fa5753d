import type { Version } from '../../core/version.js';
import type { FactOf } from '../facts/needs.js';
import type { ReleaseMigration } from '../release-line.js';

/** How long something takes, in seconds, without waits for locks. */
export interface TimeRange {
  readonly lowSeconds: number;
  /** Null if there is no upper limit: then `because` says why. */
  readonly highSeconds: number | null;
  readonly because: readonly Unbounded[];
}

/**
 * Why there is no upper limit. `rows-not-told`: rows are changed or deleted, and no artifact says how many, and how
 * often. `size-not-seen`: it is not known, or only from old statistics, or depends on an earlier migration.
 */
export type Unbounded =
  | 'tables-not-told'
  | 'work-not-told'
  | 'rows-not-told'
  | 'size-not-seen'
  | 'rate-not-measured'
  | 'release-not-told';

export const noTime: TimeRange = { lowSeconds: 0, highSeconds: 0, because: [] };

export function unbounded(lowSeconds: number, because: Unbounded): TimeRange {
  return { lowSeconds, highSeconds: null, because: [because] };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** One after the other: if one has no upper limit, the sum has none. */
export function inTurn(ranges: readonly TimeRange[]): TimeRange {
  return joined(ranges, sum, sum);
}

function joined(
  ranges: readonly TimeRange[],
  low: (numbers: readonly number[]) => number,
  high: (numbers: readonly number[]) => number,
): TimeRange {
  const highs = ranges.flatMap(({ highSeconds }) => highSeconds ?? []);
  return {
    lowSeconds: low(ranges.map(({ lowSeconds }) => lowSeconds)),
    highSeconds: highs.length === ranges.length ? high(highs) : null,
    because: [...new Set(ranges.flatMap(({ because }) => because))],
  };
}

/** What a statement of a migration may do to a table, by how long it takes. */
export type Work = 'catalogue' | keyof typeof bands;

/**
 * The range of measured times as multiples of the base, over tables of 0.3 to 3 million rows, tuned, cold and loaded.
 * Infinity means no upper limit.
 */
const bands = {
  scan: { low: 0.2, high: 1.5 },
  validate: { low: 0.08, high: 1.7 },
  index: { low: 0.15, high: 1.7 },
  rewrite: { low: 0.5, high: 2.5 },
  delete: { low: 0.2, high: Infinity },
  /** For every row. */
  update: { low: 1.5, high: Infinity },
} as const;

/** A table with all its partitions. Null if not seen. */
interface TableSize {
  readonly heapBytes: number | null;
  readonly toastBytes: number | null;
  /** By the statistics of the server. */
  readonly rows: number | null;
  readonly deadRows: number;
  readonly indexes: number | null;
}

/** The speeds measured on a database; undefined if not measured. */
interface Rates {
  /** Bytes per second of a bounded read, from the fastest to the slowest seen. */
  readonly read: { readonly fast: number; readonly slow: number } | undefined;
  /** Seconds per row of a sort. */
  readonly sort: number | undefined;
}

/** The longest measured time of a change of the catalogue alone is 38 ms; with its commit, under a second. */
const catalogueSeconds = 1;

/** The most rows that a page of 8 kB can contain: a table that was never analysed has no more. */
const mostRowsOfPage = 291;
const pageBytes = 8192;

/** Writing cannot be measured without writing: a rewrite is assumed to write at a tenth of the read rate. */
const writeFactor = 10;

/**
 * How long one statement takes that does this to one whole table, once.
 *
 * @returns for a delete and an update: the least time for a part of the rows, and for every row
 */
export function timeOf(work: Work, table: TableSize, { read, sort }: Rates): TimeRange {
  if (work === 'catalogue') return { ...noTime, highSeconds: catalogueSeconds };
  const { heapBytes, toastBytes, rows, deadRows } = table;
  const { low, high } = bands[work];
  const lowSeconds = low * baseOf(work, table, rows ?? 0, read?.fast ?? Infinity, sort ?? 0);
  if (high === Infinity) return unbounded(lowSeconds, 'rows-not-told');
  if (heapBytes === null || toastBytes === null) return unbounded(lowSeconds, 'size-not-seen');
  if (heapBytes + toastBytes === 0) return { lowSeconds, highSeconds: catalogueSeconds, because: [] };
  if (read === undefined || sort === undefined) return unbounded(lowSeconds, 'rate-not-measured');
  const most = baseOf(work, table, (rows ?? Infinity) + deadRows, read.slow, sort);
  return { lowSeconds, highSeconds: catalogueSeconds + high * most, because: [] };
}

/** Without what is not known of the table. */
function baseOf(
  work: keyof typeof bands,
  { heapBytes, toastBytes, indexes }: TableSize,
  rows: number,
  bytesPerSecond: number,
  secondsPerRow: number,
): number {
  const heap = heapBytes ?? 0;
  const reading = heap / bytesPerSecond;
  const sorting = Math.min(rows, (heap / pageBytes) * mostRowsOfPage) * secondsPerRow;
  if (work === 'scan') return reading;
  if (work === 'update') return sorting * (1 + (indexes ?? 0));
  if (work !== 'rewrite') return reading + sorting;
  return writeFactor * (reading + (toastBytes ?? 0) / bytesPerSecond) + sorting;
}

/** A read of less, which ended before its time was over, shows its rate only to a factor of four. */
const reliableBytes = 100e6;
const reliableMicroseconds = 800_000;
const unreliableFactor = 4;

/** The rates by a measurement. Null and zero yield none. */
export function ratesOf(read: FactOf<'readRate'> | null, sort: FactOf<'sortRate'> | null): Rates {
  return {
    read: read === null ? undefined : readRateOf(read),
    sort: sort === null || sort.rows === 0 ? undefined : sort.microseconds / sort.rows / 1e6,
  };
}

function readRateOf(read: FactOf<'readRate'>): Rates['read'] {
  const { firstBytes, firstMicroseconds, againBytes, againMicroseconds } = read;
  if ([firstBytes, firstMicroseconds, againBytes, againMicroseconds].includes(0)) return undefined;
  const rates = [firstBytes / firstMicroseconds, againBytes / againMicroseconds].map((rate) => rate * 1e6);
  const isReliable = firstBytes >= reliableBytes || firstMicroseconds >= reliableMicroseconds;
  const factor = isReliable ? 1 : unreliableFactor;
  return { fast: Math.max(...rates) * factor, slow: Math.min(...rates) / factor };
}

/** The facts of a database that the time of migrations depends on; null if not seen. */
export type ForecastFacts = {
  readonly [Key in 'tables' | 'indexes' | 'readRate' | 'sortRate']: FactOf<Key> | null;
};

/** How long one migration takes, without waits for locks. */
export interface MigrationForecast extends TimeRange {
  /** Without extension. */
  readonly migration: string;
  readonly version: Version;
  /** What it may do, by its artifact; empty if the artifact does not say. */
  readonly mayDo: readonly Work[];
  /** If it may change every row of its tables, the least time for that; else null. */
  readonly everyRowSeconds: number | null;
}

/** A migration that updates or deletes rows is reported as a rewrite and a scan; a rewrite with a scan is no slower. */
const changes: readonly Work[] = ['scan', 'delete', 'update'];

/**
 * What an artifact leaves possible. A `true` is trusted. A `false` is not: migrations that build indexes, foreign keys,
 * or columns with a default that is computed for each row are reported as a lock alone. Empty: anything is possible.
 */
function workOf({ heaviness }: ReleaseMigration): readonly Work[] {
  const { rewritesTable: rewrites, scansTable: scans } = heaviness;
  if (scans === 'unknown') return [];
  if (rewrites === true) return scans ? changes : ['rewrite'];
  const builds = ['scan', 'validate', 'index', 'rewrite'] as const;
  if (!scans) return ['catalogue', ...builds];
  return rewrites === 'unknown' ? [...builds, ...changes] : builds;
}

/**
 * How long each of these migrations takes, in the order in which they run, if each statement goes over its table once.
 */
export function forecast(
  migrations: readonly ReleaseMigration[],
  facts: ForecastFacts,
): readonly MigrationForecast[] {
  const rates = ratesOf(facts.readRate, facts.sortRate);
  const named = new Set<string>();
  let notReported = false;
  return migrations.map((migration) => {
    const tables = [...new Set(migration.tables)].filter((table) => !ofServer.test(table));
    const sizes = tables.map((table) => sizeOf(table, facts, notReported || named.has(table)));
    for (const table of tables) named.add(table);
    notReported ||= tables.length === 0;
    const known = { migration: migration.name, version: migration.version };
    if (tables.length === 0) {
      return { ...known, mayDo: [], everyRowSeconds: null, ...unbounded(0, 'tables-not-told') };
    }
    const mayDo = workOf(migration);
    const mayUpdate = mayDo.length === 0 || mayDo.includes('update');
    const everyRow = Math.min(...sizes.map((size) => timeOf('update', size, rates).lowSeconds));
    return {
      ...{ ...known, mayDo, everyRowSeconds: mayUpdate ? everyRow : null },
      ...timeOfAll(mayDo, sizes, rates),
    };
  });
}

/** What a migration does to its tables is one of these works, and it is not known over which of them it goes. */
function timeOfAll(mayDo: readonly Work[], sizes: readonly TableSize[], rates: Rates): TimeRange {
  if (mayDo.length === 0) return unbounded(0, 'work-not-told');
  const least = (numbers: readonly number[]) => Math.min(...numbers);
  const ofTables = sizes.map((size) => {
    const times = mayDo.map((work) => timeOf(work, size, rates));
    return joined(times, least, (highs) => Math.max(...highs));
  });
  return joined(ofTables, least, sum);
}

/** The server's own tables, on which no migration works. */
const ofServer = /^(?:pg_|information_schema[.])/;

const unseen: TableSize = { heapBytes: null, toastBytes: null, rows: null, deadRows: 0, indexes: null };

/**
 * A table and its partitions. A table that does not exist is empty when it is created. Its size is not known if an
 * earlier migration may have created and filled it.
 */
function sizeOf(name: string, { tables, indexes }: ForecastFacts, mayBeFilled: boolean): TableSize {
  if (tables === null || name.includes('.')) return unseen;
  const parts = withPartitions([name], tables);
  if (parts.length === 0 && mayBeFilled) return unseen;
  // Statistics may be old.
  if (parts.some(({ sizedBy }) => sizedBy === 'statistics')) return unseen;
  const total = (key: 'heapBytes' | 'toastBytes' | 'estimatedRows' | 'deadRows') =>
    sumOf(parts.map((part) => part[key]));
  return {
    heapBytes: total('heapBytes'),
    toastBytes: total('toastBytes'),
    rows: total('estimatedRows'),
    deadRows: total('deadRows') ?? 0,
    indexes: indexes === null ? null : indexes.filter(({ table }) => table === name).length,
  };
}

/** Null if one of them is not known. */
export function sumOf(numbers: readonly (number | null)[]): number | null {
  return numbers.reduce((sum, one) => (sum === null || one === null ? null : sum + one), 0);
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
