import { type PasteIn, pasteInWords } from '../checks/check.js';
import type { DescribedFinding } from '../checks/describe.js';
import { clip } from '../words/phrase.js';

/** A section of the report. Every format shows every section, and arranges it within its own limits. */
export interface Section {
  readonly id: string;
  readonly title: string;
  /** The first one summarises the section in one line; a format that folds sections shows that line. */
  readonly blocks: readonly Block[];
  /** What this means or leaves open: always shown, one sentence each. */
  readonly notes: readonly string[];
}

export type Block = TableBlock | CodeBlock;

export interface CodeBlock {
  readonly kind: 'code';
  readonly lead: string;
  readonly language: 'sh' | 'sql' | 'yaml';
  readonly text: string;
}

export interface TableBlock extends Table {
  readonly kind: 'table';
  /** Without a full stop. If there are no rows, it is the only text. */
  readonly lead: string;
  readonly folded?: boolean;
  /** Whether its rows are mere names: a terminal lists them only with `--verbose`, Markdown only if not collapsed. */
  readonly dull?: boolean;
  /** What must be done: never shortened for lack of room on a terminal. */
  readonly whole?: boolean;
}

/** A table if there is room for one. Otherwise each row is a line, and its columns say how to join their cells. */
export interface Table {
  readonly columns: readonly Column[];
  /** The most important first: what does not fit is cut at the end. */
  readonly rows: readonly Row[];
}

export interface Column {
  readonly title: string;
  readonly numeric?: boolean;
  /** Whether a terminal has no room for it, and a line neither. */
  readonly isWide?: boolean;
  /** The text before and after its cell in a line, if that is not empty. */
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
      const text = clip(textOf(cell), longest);
      const { isWide, around: [before = '', after = ''] = [] } = columns[i] ?? {};
      return isWide === true || text === '' ? '' : `${before}${text}${after}`;
    })
    .join('');
}

export function textOf(cell: Cell): string {
  return typeof cell === 'string' ? cell : cell.text;
}

/** More checks are told in brief: their number, not their names. */
export const mostNamed = 3;

/** The commands that a finding of these checks says to paste. */
export function toPaste({
  checks,
  remedy,
}: Pick<DescribedFinding, 'remedy'> & { readonly checks: readonly string[] }): CodeBlock[] {
  if (remedy === null || remedy.pasteIn === null || remedy.commands.length === 0) return [];
  return [
    {
      kind: 'code',
      lead: `${pasteInWords[remedy.pasteIn].replace(/:$/, '')} (${checks.join(', ')})`,
      language: languages[remedy.pasteIn],
      text: remedy.commands.join('\n'),
    },
  ];
}

const languages: Record<PasteIn, CodeBlock['language']> = {
  psql: 'sql',
  image: 'sh',
  shell: 'sh',
  values: 'yaml',
};
