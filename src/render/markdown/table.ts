import { type Table, textOf } from '../report/section.js';
import { escapeMarkdown } from './escape.js';

/** A table, one string per line; bad cells are highlighted. */
export function renderMarkdownTable({ columns, rows }: Table): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(columns.map(({ title }) => title)),
    line(columns.map(({ numeric }) => (numeric === true ? '---:' : '---'))),
    ...rows.map((row) =>
      line(
        row.map((cell) => {
          const text = escapeMarkdown(textOf(cell));
          return typeof cell === 'object' && cell.mark === 'bad' ? `**${text}**` : text;
        }),
      ),
    ),
  ];
}
