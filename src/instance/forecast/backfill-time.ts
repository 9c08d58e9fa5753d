import type { Backfill, RowStep } from '../backfills/records.js';
import type { FactOf } from '../facts/needs.js';
import {
  catalogueSeconds,
  inTurn,
  type Rates,
  rowsIn,
  type TableSize,
  type TimeRange,
  timeOf,
  unbounded,
} from './work-time.js';

/** How many rows a step changes, by what the server expects; `most` is null if the size of the table was not seen. */
interface RowRange {
  readonly least: number;
  readonly most: number | null;
}

/**
 * A sample of 30,000 rows, as ANALYZE takes by default, shows the share of a value to within this share of all rows.
 */
const sampleError = 0.02;

/**
 * A repair changes at most this share of the rows: rules such as that of one slug in a project are kept by the
 * application, and all rows made the time of such repairs 20 to 40 times too long.
 */
const fewShare = 0.05;

/** Whether a step changes rows, and does not only read them. */
export function isRowStep<T extends { readonly work: string }>(
  step: T,
): step is Extract<T, { readonly rows: unknown }> {
  return ['update', 'insert', 'delete'].includes(step.work);
}

/** The rows of a step. What the server expects counts with what has changed since it last looked. */
export function rowsOf(
  { name }: Pick<Backfill, 'name'>,
  { table, rows }: RowStep,
  size: TableSize,
  expected: FactOf<'backfillRows'> | null,
): RowRange {
  const all = rowsIn(size);
  if (rows === 'all') return { least: size.rows ?? 0, most: all };
  if (rows === 'few') return { least: 0, most: all === null ? null : fewShare * all };
  const seen = expected?.find((step) => step.migration === name && step.table === table);
  if (rows === 'some' || seen === undefined || all === null) return { least: 0, most: all };
  const error = seen.modifiedRows + sampleError * all;
  return { least: Math.max(0, seen.rows - error), most: Math.min(all, seen.rows + error) };
}

/**
 * Seconds for each byte of a changed row and its entries in indexes, WAL included: 5 to 29 MB/s, in all measurements
 * but a faster one, on one virtual disk. Writing cannot be measured without writing, and how fast a server reads or
 * sorts does not tell it.
 */
const secondsPerByte = { low: 0.035e-6, high: 0.2e-6 } as const;

/** A server beyond what was seen in these measurements is taken for as many times slower, or faster. */
const slowestRead = 20e6;
const slowestSort = 15e-6;
const fastestSort = 0.8e-6;

/** A row has many entries in a GIN index: the one of 27 measured times that was longer than its limit had one. */
const ginFactor = 2;

/** A batch is a transaction and a round trip of its own. */
const batchSeconds = 0.02;

/** A table that was just read is still cached, if it is no larger. */
const cachedBytes = 1e9;

/** How often a batch reads or sorts the table again, at most, in multiples of a cached read and a sort. */
const repeatedReads = { scan: 3, sort: 2 } as const;

/**
 * How long a backfill takes, step by step.
 *
 * @param grown how often all rows of a table may have been changed before: their old versions are still there to be
 *   read
 */
export function timeOfBackfill(
  backfill: Backfill,
  sizes: ReadonlyMap<string, TableSize>,
  expected: FactOf<'backfillRows'> | null,
  rates: Rates,
  grown: Map<string, number>,
): TimeRange {
  const times = backfill.steps.map((step) => {
    const { table } = step;
    const size = sizes.get(table);
    if (size === undefined) return unbounded(0, 'size-not-seen');
    const factor = 1 + (grown.get(table) ?? 0);
    if (!isRowStep(step)) return scaleTime(timeOf(step.work, size, rates), factor);
    if (step.work === 'update') grown.set(table, factor);
    return scaleTime(timeOfRows(step, rowsOf(backfill, step, size, expected), size, rates), factor);
  });
  const time = inTurn(times);
  return backfill.endlessBefore !== undefined ? inTurn([time, unbounded(0, 'may-not-end')]) : time;
}

/** The time over a table that has grown to `factor` times its size. */
export function scaleTime(time: TimeRange, factor: number): TimeRange {
  return { ...time, highSeconds: time.highSeconds === null ? null : time.highSeconds * factor };
}

function timeOfRows({ batch }: RowStep, { least, most }: RowRange, size: TableSize, rates: Rates): TimeRange {
  const { read, sort } = rates;
  const find = finding(batch, most ?? 0, size, rates);
  const fast = Math.min(1, (sort ?? 0) / fastestSort);
  const lowSeconds = secondsPerByte.low * bytesOf(least, size) * fast + find.lowSeconds;
  if (most === null) return unbounded(lowSeconds, 'size-not-seen');
  if (most === 0) return { lowSeconds: 0, highSeconds: catalogueSeconds, because: [] };
  if (read === undefined || sort === undefined || find.highSeconds === null)
    return unbounded(lowSeconds, 'rate-not-measured');
  const slow = Math.max(1, slowestRead / read.slow, sort / slowestSort) * (size.hasGin ? ginFactor : 1);
  const highSeconds = catalogueSeconds + secondsPerByte.high * bytesOf(most, size) * slow + find.highSeconds;
  return { lowSeconds, highSeconds, because: [] };
}

/** The share that these rows have of heap and indexes. */
function bytesOf(rows: number, size: TableSize): number {
  const all = rowsIn(size) ?? 0;
  return all === 0 ? 0 : (rows / all) * ((size.heapBytes ?? 0) + (size.indexBytes ?? 0));
}

/** Finding the rows: once, or for each batch, and once more to see that none is left. */
function finding(batch: RowStep['batch'], rows: number, size: TableSize, rates: Rates): TimeRange {
  const { read, sort = 0 } = rates;
  const batches = batch === undefined ? 0 : Math.ceil(rows / batch.size);
  const ofAll = batches * batchSeconds;
  if (batch?.foundBy === 'key') return { lowSeconds: 0, highSeconds: ofAll, because: [] };
  const isSorted = batch?.foundBy === 'sort';
  const once = timeOf(isSorted ? 'index' : 'scan', size, rates);
  if (once.highSeconds === null || read === undefined) return once;
  const heap = size.heapBytes ?? 0;
  const reading = heap / (heap > cachedBytes ? read.slow : read.again);
  // A scan ends once a batch is found: on average, half-way.
  const each = isSorted
    ? repeatedReads.sort * (reading + (rowsIn(size) ?? 0) * sort)
    : (repeatedReads.scan * reading) / 2;
  return { ...once, highSeconds: once.highSeconds - catalogueSeconds + batches * each + ofAll };
}
