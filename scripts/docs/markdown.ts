/** A Markdown table. White space in a cell is one blank, for a line break would end the row. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map((row) => line(row.map(escapeTags)))].join(
    '\n',
  );
}

export function code(text: string): string {
  return `\`${text}\``;
}

/** Outside of code, what looks like a tag would vanish. */
function escapeTags(cell: string): string {
  return cell
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replaceAll('<', '&lt;').replaceAll('{', '&#123;')))
    .join('');
}
