import { CST, Lexer } from 'yaml';

/** Where YAML 1.1, and so what is written in Go, begins a new line, and YAML 1.2 does not. */
const breaks = /[\u0085\u2028\u2029]|\r(?!\n)/g;

/** Marks between the parts of a text, which are not in the text itself. */
const marks: ReadonlySet<string> = new Set([CST.DOCUMENT, CST.FLOW_END, CST.SCALAR]);

/** A line break that programs read differently: in a comment, what follows it is hidden from some of them. */
export interface DoubtfulBreak {
  readonly offset: number;
  readonly message: string;
}

/** The first such line break of a text outside quotes, where it changes what the text means. */
export function findDoubtfulBreak(text: string): DoubtfulBreak | undefined {
  const offsets = [...text.matchAll(breaks)].map(({ index }) => index);
  let next = 0;
  let end = 0;
  for (const part of offsets.length === 0 ? [] : new Lexer().lex(text)) {
    if (marks.has(part)) continue;
    end += part.length;
    const isQuoted = /^["']/.test(part);
    for (let at = offsets[next]; at !== undefined && at < end; at = offsets[++next]) {
      if (!isQuoted) return { offset: at, message: messageOf(text.charAt(at)) };
    }
  }
  return undefined;
}

function messageOf(sign: string): string {
  const code = sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  const name = sign === '\r' ? 'a carriage return without a line feed' : `the character U+${code}`;
  return `${name} outside quotes begins a new line for some programs only`;
}
