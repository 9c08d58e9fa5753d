/** What a format shows as a table, as far as it has room. */
export interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

export interface Column {
  readonly title: string;
  readonly numeric?: boolean;
}

export type Row = readonly Cell[];

export type Cell = string | { readonly text: string; readonly mark: Mark };

/** `code` is the name of something; the others say how good or bad a cell is. */
export type Mark = 'code' | 'good' | 'warn' | 'bad' | 'dim';

export function textOf(cell: Cell): string {
  return typeof cell === 'string' ? cell : cell.text;
}
