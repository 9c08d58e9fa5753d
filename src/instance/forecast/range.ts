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
