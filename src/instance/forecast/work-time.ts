import type { FactOf } from '../facts/needs.js';

/** How long something takes, in seconds, without waits for locks. */
export interface TimeRange {
  readonly lowSeconds: number;
  /** Null if there is no upper limit: then `because` says why. */
  readonly highSeconds: number | null;
  readonly because: readonly UnboundedReason[];
}

/**
 * Why there is no upper limit. `rows-not-told`: rows are changed or deleted, and no artifact says how many, and how
 * often. `size-not-seen`: it is not known, or only from old statistics, or depends on an earlier migration.
 * `may-not-end`: it is on record that it did not.
 */
export type UnboundedReason =
  | 'tables-not-told'
  | 'work-not-told'
  | 'rows-not-told'
  | 'size-not-seen'
  | 'rate-not-measured'
  | 'release-not-told'
  | 'may-not-end';

export const noTime: TimeRange = { lowSeconds: 0, highSeconds: 0, because: [] };

export function unbounded(lowSeconds: number, because: UnboundedReason): TimeRange {
  return { lowSeconds, highSeconds: null, because: [because] };
}

export const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** The total of times that follow each other. If one has no upper limit, the total has none. */
export function inTurn(ranges: readonly TimeRange[]): TimeRange {
  return combineTimes(ranges, sum, sum);
}

export function combineTimes(
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
export type TableWork = 'catalogue' | keyof typeof timeBands;

/**
 * The range of measured times as multiples of the base, over tables of 0.3 to 3 million rows, tuned, cold and loaded.
 * Infinity means no upper limit.
 */
const timeBands = {
  scan: { low: 0.2, high: 1.5 },
  validate: { low: 0.08, high: 1.7 },
  index: { low: 0.15, high: 1.7 },
  rewrite: { low: 0.5, high: 2.5 },
  delete: { low: 0.2, high: Infinity },
  /** For every row. */
  update: { low: 1.5, high: Infinity },
} as const;

/** A table with all its partitions. Null if not seen. */
export interface TableSize {
  readonly heapBytes: number | null;
  readonly toastBytes: number | null;
  readonly indexBytes: number | null;
  /** By the statistics of the server. */
  readonly rows: number | null;
  readonly deadRows: number;
  readonly indexes: number | null;
  /** Whether one of them is a GIN index, as far as that is known. */
  readonly hasGin?: boolean;
}

/** The speeds measured on a database; undefined if not measured. */
export interface Rates {
  /** Bytes per second of a bounded read, from the fastest to the slowest seen, and of what was just read. */
  readonly read: { readonly fast: number; readonly slow: number; readonly again: number } | undefined;
  /** Seconds per row of a sort. */
  readonly sort: number | undefined;
}

/** The longest measured time of a change of the catalogue alone is 38 ms; with its commit, under a second. */
export const catalogueSeconds = 1;

/** The most rows that a page of 8 kB can contain: a table that was never analysed has no more. */
const mostRowsOfPage = 291;
const pageBytes = 8192;

/** The most rows that there may be to change, with those that are dead; null if the size was not seen. */
export function rowsIn({ heapBytes, rows, deadRows }: TableSize): number | null {
  if (heapBytes === null) return null;
  const fitting = (heapBytes / pageBytes) * mostRowsOfPage;
  return Math.min((rows ?? Infinity) + deadRows, fitting);
}

/** Writing cannot be measured without writing: a rewrite is assumed to write at a tenth of the read rate. */
const writeFactor = 10;

/**
 * How long one statement takes that does this to one whole table, once.
 *
 * @returns for a delete and an update: the least time for a part of the rows, and for every row
 */
export function timeOf(work: TableWork, table: TableSize, { read, sort }: Rates): TimeRange {
  if (work === 'catalogue') return { ...noTime, highSeconds: catalogueSeconds };
  const { heapBytes, toastBytes, rows, deadRows } = table;
  const { low, high } = timeBands[work];
  const lowSeconds = low * baseOf(work, table, rows ?? 0, read?.fast ?? Infinity, sort ?? 0);
  if (high === Infinity) return unbounded(lowSeconds, 'rows-not-told');
  if (heapBytes === null || toastBytes === null) return unbounded(lowSeconds, 'size-not-seen');
  if (heapBytes + toastBytes === 0) return { lowSeconds, highSeconds: catalogueSeconds, because: [] };
  if (read === undefined || sort === undefined) return unbounded(lowSeconds, 'rate-not-measured');
  const most = baseOf(work, table, (rows ?? Infinity) + deadRows, read.slow, sort);
  return { lowSeconds, highSeconds: catalogueSeconds + high * most, because: [] };
}

/** The time that `timeBands` are multiples of. What is not known of the table counts as nothing. */
function baseOf(
  work: keyof typeof timeBands,
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
  const [, again = 0] = rates;
  return { fast: Math.max(...rates) * factor, slow: Math.min(...rates) / factor, again: again / factor };
}
