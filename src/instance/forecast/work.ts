import type { FactOf } from '../../facts/needs.js';

/** What a statement of a migration may do to a table, by how long it takes. */
export type Work = 'catalogue' | 'scan' | 'validate' | 'index' | 'rewrite' | 'delete' | 'update';

/** The speeds measured on a database, each from the fastest to the slowest seen. */
export interface Rates {
  /** Bytes per second of a bounded read. */
  readonly read: { readonly fast: number; readonly slow: number } | undefined;
  /** Seconds per row of a sort. */
  readonly sort: number | undefined;
}

/** A table with all its partitions. Null if not seen. */
export interface TableSize {
  readonly heapBytes: number | null;
  readonly toastBytes: number | null;
  /** By the statistics of the server. */
  readonly rows: number | null;
  readonly deadRows: number;
  readonly indexes: number | null;
}

/** The longest measured time of a change of the catalogue alone is 38 ms; with its commit, under a second. */
const catalogueSeconds = 1;

/** The most rows that a page of 8 kB can contain: a table that was never analysed has no more. */
const mostRowsOfPage = 291;
const pageBytes = 8192;

function mostRowsOf(heapBytes: number): number {
  return (heapBytes / pageBytes) * mostRowsOfPage;
}

/**
 * The range of measured times as multiples of the base, over tables of 0.3 to 3 million rows, tuned, cold and loaded. A
 * missing number means no upper limit.
 */
const bands = {
  scan: { low: 0.2, high: 1.5 },
  validate: { low: 0.08, high: 1.7 },
  index: { low: 0.15, high: 1.7 },
  rewrite: { low: 0.5, high: 2.5 },
  delete: { low: 0.2 },
  /** For every row. */
  update: { low: 1.5 },
} as const;

/** Writing cannot be measured without writing: a rewrite is assumed to write at a tenth of the read rate. */
const writeFactor = 10;

/**
 * How long one statement takes that does this to one whole table, once.
 *
 * @returns for a delete and an update: the least time for a part of the rows, and for every row
 */
export function timeOf(work: Work, table: TableSize, rates: Rates): TimeRange {
  if (work === 'catalogue') return { ...noTime, highSeconds: catalogueSeconds };
  const { low, high } = { high: undefined, ...bands[work] };
  const lowSeconds = low * leastBase(work, table, rates);
  if (high === undefined) return unbounded(lowSeconds, 'rows-not-told');
  const base = mostBase(work, table, rates);
  if (base === 'size-not-seen' || base === 'rate-not-measured') return unbounded(lowSeconds, base);
  return { lowSeconds, highSeconds: catalogueSeconds + high * base, because: [] };
}

function leastBase(work: Exclude<Work, 'catalogue'>, table: TableSize, { read, sort }: Rates): number {
  const { heapBytes, toastBytes, rows, indexes } = table;
  if (heapBytes === null) return 0;
  const sorting = Math.min(rows ?? 0, mostRowsOf(heapBytes)) * (sort ?? 0);
  const reading = (bytes: number | null) => (read === undefined ? 0 : (bytes ?? 0) / read.fast);
  switch (work) {
    case 'scan':
      return reading(heapBytes);
    case 'validate':
    case 'index':
    case 'delete':
      return reading(heapBytes) + sorting;
    case 'rewrite':
      return writeFactor * (reading(heapBytes) + reading(toastBytes)) + sorting;
    case 'update':
      return sorting * (1 + (indexes ?? 0));
  }
}

function mostBase(
  work: Work,
  { heapBytes, toastBytes, rows, deadRows }: TableSize,
  { read, sort }: Rates,
): number | 'size-not-seen' | 'rate-not-measured' {
  if (heapBytes === null || toastBytes === null) return 'size-not-seen';
  if (heapBytes + toastBytes === 0) return 0;
  if (read === undefined || sort === undefined) return 'rate-not-measured';
  const reading = heapBytes / read.slow;
  if (work === 'scan') return reading;
  const most = mostRowsOf(heapBytes);
  const sorting = Math.min((rows ?? most) + deadRows, most) * sort;
  return work === 'rewrite' ? writeFactor * (reading + toastBytes / read.slow) + sorting : reading + sorting;
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
  if (firstBytes === 0 || firstMicroseconds === 0 || againBytes === 0 || againMicroseconds === 0) {
    return undefined;
  }
  const first = (firstBytes / firstMicroseconds) * 1e6;
  const again = (againBytes / againMicroseconds) * 1e6;
  const reliable = firstBytes >= reliableBytes || firstMicroseconds >= reliableMicroseconds;
  const factor = reliable ? 1 : unreliableFactor;
  return { fast: Math.max(first, again) * factor, slow: Math.min(first, again) / factor };
}

/** Why there is no upper limit, or what would have to be known for one. */
export type Unbounded =
  /** The artifact names no table, so it does not cover what the migration does. */
  | 'tables-not-told'
  /** The artifact does not say what the migration does to its tables. */
  | 'work-not-told'
  /** It changes or deletes rows: no artifact says how many, and how often it goes over the table. */
  | 'rows-not-told'
  /** The size of a table was not seen, is known only from old statistics, or depends on an earlier migration. */
  | 'size-not-seen'
  /** How fast this server reads or sorts was not measured. */
  | 'rate-not-measured'
  /** No artifact can be used for a release on the route. */
  | 'release-not-told';

/** How long something takes, in seconds, without waits for locks. */
export interface TimeRange {
  readonly lowSeconds: number;
  /** Null if there is no upper limit: then `because` says why. */
  readonly highSeconds: number | null;
  readonly because: readonly Unbounded[];
}

export const noTime: TimeRange = { lowSeconds: 0, highSeconds: 0, because: [] };

export function unbounded(lowSeconds: number, ...because: readonly Unbounded[]): TimeRange {
  return { lowSeconds, highSeconds: null, because };
}

/** One after the other: if one has no upper limit, the sum has none. */
export function inTurn(ranges: readonly TimeRange[]): TimeRange {
  return {
    lowSeconds: sum(ranges.map(({ lowSeconds }) => lowSeconds)),
    highSeconds: highOf(ranges, sum),
    because: reasonsOf(ranges),
  };
}

/** At least one of them, but it is not known which. */
export function oneOf(ranges: readonly TimeRange[]): TimeRange {
  return {
    lowSeconds: Math.min(...ranges.map(({ lowSeconds }) => lowSeconds)),
    highSeconds: highOf(ranges, (highs) => Math.max(...highs)),
    because: reasonsOf(ranges),
  };
}

function highOf(ranges: readonly TimeRange[], join: (highs: number[]) => number): number | null {
  const highs = ranges.flatMap(({ highSeconds }) => (highSeconds === null ? [] : [highSeconds]));
  return highs.length === ranges.length ? join(highs) : null;
}

function reasonsOf(ranges: readonly TimeRange[]): readonly Unbounded[] {
  return [...new Set(ranges.flatMap(({ because }) => because))];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
