/** As wide as a line of a block may be. */
const width = 118;

/** After these words a shell expects a command: a separator there would be an error. */
const opens = /(?:^|[\s;&|])(?:then|do|else|in|\{|\||\|\||&&)$|;;$/;
/** The pattern of a case on a line of its own. */
const isPattern = (line: string) => /\)$/.test(line) && !line.includes('(');

/**
 * The same commands in fewer lines, for a block that is pasted: as many on a line as it is wide. It reads the plain
 * shell of this folder alone, which has no comment and no here-document; a bash prints both forms alike (`declare -f`).
 */
export function joinedLines(text: string): string {
  const lines: string[] = [];
  let current = '';
  for (const unit of unitsOf(text)) {
    const last = current.slice(current.lastIndexOf('\n') + 1);
    const separator = opens.test(current) || isPattern(last) ? ' ' : '; ';
    const [first = ''] = unit.split('\n');
    if (current === '') current = unit;
    else if (last.length + separator.length + first.length <= width) current += separator + unit;
    else {
      lines.push(current);
      current = `  ${unit}`;
    }
  }
  return [...lines, current].join('\n');
}

/** Commands, each whole: a text in quotes and what follows a backslash belong to the line before. */
function unitsOf(text: string): string[] {
  const units: string[] = [];
  let quote: string | undefined;
  let continues = false;
  for (const line of text.split('\n')) {
    const before = units.at(-1) ?? '';
    if (quote !== undefined) units.splice(-1, 1, `${before}\n${line}`);
    else if (continues) units.splice(-1, 1, `${before.slice(0, -1).trimEnd()} ${line.trim()}`);
    else units.push(line.trim());
    quote = quoteAfter(line, quote);
    continues = quote === undefined && line.endsWith('\\');
  }
  return units;
}

function quoteAfter(line: string, before: string | undefined): string | undefined {
  let quote = before;
  for (let i = 0; i < line.length; i += 1) {
    const character = line[i];
    if (character === '\\' && quote !== "'") i += 1;
    else if (quote === undefined && (character === "'" || character === '"')) quote = character;
    else if (character === quote) quote = undefined;
  }
  return quote;
}
