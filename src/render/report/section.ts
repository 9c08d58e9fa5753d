import type { ReleaseStatus } from '../../release-safety/kinds.js';
import type { ReportedRelease } from '../../release-safety/report.js';
import { clip } from '../phrase.js';

/** A section of the report. Every format shows every one, and arranges it within its own limits. */
export interface Section {
  readonly id: string;
  readonly title: string;
  /** The first says in a line what there is; a format that folds shows that line of it. */
  readonly blocks: readonly Block[];
  /** What this means or leaves open: always shown, a sentence each. */
  readonly notes: readonly string[];
}

export type Block = TableBlock | ReleasesBlock;

export interface TableBlock extends Table {
  readonly kind: 'table';
  /** Without a full stop. Where there are no rows it is all there is to tell. */
  readonly lead: string;
  /** Not for the first glance. */
  readonly folded?: boolean;
  /** What must be done: never shortened for want of room on a terminal. */
  readonly whole?: boolean;
}

/** All releases of one status. */
export interface ReleasesBlock {
  readonly kind: 'releases';
  readonly status: ReleaseStatus;
  readonly releases: readonly { readonly release: ReportedRelease; readonly why: readonly string[] }[];
}

/** A table where there is room for one; else each row is a line, and its columns say how their cells join it. */
export interface Table {
  readonly columns: readonly Column[];
  /** The weightiest first: what does not fit is cut at the end. */
  readonly rows: readonly Row[];
}

export interface Column {
  readonly title: string;
  readonly numeric?: boolean;
  /** What stands before and after its cell in a line. */
  readonly around?: readonly [before: string, after?: string];
}

export type Row = readonly Cell[];

export type Cell = string | { readonly text: string; readonly mark: Mark };

/** `code` is the name of something; the others say how good or bad a cell is. */
export type Mark = 'code' | 'good' | 'warn' | 'bad' | 'dim';

/** A table of lines. */
export function linesOf(lines: readonly string[]): Table {
  return { columns: [{ title: '' }], rows: lines.map((line) => [line]) };
}

/** @param longest of each cell, which may be text of any length from outside */
export function lineOf(columns: readonly Column[], row: Row, longest = Number.POSITIVE_INFINITY): string {
  return row
    .map((cell, i) => {
      const [before = '', after = ''] = columns[i]?.around ?? [];
      return `${before}${clip(textOf(cell), longest)}${after}`;
    })
    .join('');
}

export function textOf(cell: Cell): string {
  return typeof cell === 'string' ? cell : cell.text;
}
