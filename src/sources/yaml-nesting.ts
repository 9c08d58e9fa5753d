/**
 * Whether YAML or JSON text nests deeper than `limit`, told from its brackets and indents before it is parsed: a
 * parser that recurses runs out of stack on text that was made to make it. It may count a level too many (brackets
 * inside strings), never one too few.
 */
export function nestsDeeperThan(limit: number, text: string): boolean {
  const columns: number[] = [];
  let brackets = 0;
  for (const [line] of text.matchAll(/[^\r\n]+/g)) {
    for (const column of blockColumns(line)) {
      while ((columns.at(-1) ?? -1) >= column) columns.pop();
      columns.push(column);
    }
    for (const [bracket] of line.matchAll(/[[\]{}]/g)) {
      brackets = bracket === '[' || bracket === '{' ? brackets + 1 : Math.max(0, brackets - 1);
      if (columns.length + brackets > limit) return true;
    }
    if (columns.length > limit) return true;
  }
  return false;
}

/** The columns at which a line opens blocks: one at each `- ` or `? ` it begins with, and one at what follows. */
function blockColumns(line: string): number[] {
  const start = /^[ \t]*(?:[-?:][ \t]+)*/.exec(line)?.[0] ?? '';
  if (start.length === line.length) return [];
  return [...start.matchAll(/[-?:]/g)].map(({ index }) => index).concat(start.length);
}
