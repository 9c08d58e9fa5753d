/** Why no upper limit can be given, or what would have to be known for one. */
export type Unbounded =
  /** The artifact names no table: what the migration does was not read. */
  | 'tables-not-told'
  /** The artifact does not say what the migration does to its tables. */
  | 'work-not-told'
  /** It changes or deletes rows: how many, and how often it goes over the table, no artifact tells. */
  | 'rows-not-told'
  /** The size of a table was not seen, is only what statistics once saw, or is what a migration before makes it. */
  | 'size-not-seen'
  /** How fast this server reads or sorts was not measured. */
  | 'rate-not-measured'
  /** A release of the way has no artifact to go by. */
  | 'release-not-told';

/** How long something takes, in seconds, lock waits left out. */
export interface TimeRange {
  readonly lowSeconds: number;
  /** Null where no upper limit can be given: then `because` says why. */
  readonly highSeconds: number | null;
  readonly because: readonly Unbounded[];
}

/** Nothing is done. */
export const noTime: TimeRange = { lowSeconds: 0, highSeconds: 0, because: [] };

export function unbounded(lowSeconds: number, ...because: readonly Unbounded[]): TimeRange {
  return { lowSeconds, highSeconds: null, because };
}

/** One after the other: what has no upper limit leaves the whole without one. */
export function inTurn(ranges: readonly TimeRange[]): TimeRange {
  return {
    lowSeconds: sum(ranges.map(({ lowSeconds }) => lowSeconds)),
    highSeconds: highOf(ranges, sum),
    because: reasonsOf(ranges),
  };
}

/** One of them, at least one, and it is not known which. */
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
