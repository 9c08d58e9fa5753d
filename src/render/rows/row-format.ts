/** One value of a result: as the warehouse returned it, and as Lightdash formats it. */
export interface Cell {
  readonly raw: unknown;
  readonly formatted: string;
}

/** One row of a result, by field id. A missing column is empty. */
export type Row = ReadonlyMap<string, Cell>;

/** How rows become text, piece by piece, so that a result of any size can be written as it arrives. */
export interface RowFormat {
  /** @param firstRows the rows that are known when the head is written: a table takes its widths from them */
  readonly head: (columns: readonly string[], firstRows: readonly Row[]) => string;
  /** @param position 0 for the first row */
  readonly row: (columns: readonly string[], row: Row, position: number) => string;
  /** @param rows how many rows were written */
  readonly tail: (rows: number) => string;
  /** What readers of the rows must know about the format; undefined if there is nothing. */
  readonly remark?: () => string | undefined;
}
