import { CST, Lexer, Parser } from 'yaml';

/** How much of a text is read. */
export interface YamlLimits {
  readonly maxNesting: number;
  /** Characters. */
  readonly maxLength: number;
  /** Keys, values, signs and line ends: the parser needs a second and 100 MiB for 100,000 of them. */
  readonly maxParts: number;
}

/** A file of 10,000 lines has fewer parts. */
export const usualLimits: YamlLimits = { maxNesting: 100, maxLength: 1024 * 1024, maxParts: 100_000 };

/** What is wrong at an offset of a text. */
export interface FaultAt {
  readonly offset: number;
  readonly message: string;
}

/**
 * Why a YAML or JSON text is larger than anyone writes, found before nodes are made of it. Making nodes takes seconds
 * for a text that was made to take long, overflows the stack on deep nesting, and cannot be interrupted. The parser's
 * own first steps are used for this, because they know a bracket in a text from one that opens a list.
 *
 * @returns undefined if it can be read
 */
export function yamlExcess(
  text: string,
  { maxNesting, maxLength, maxParts }: YamlLimits = usualLimits,
): string | undefined {
  if (text.length > maxLength) return `it is longer than ${maxLength} characters`;
  const parser = new Parser();
  let parts = 0;
  for (const part of new Lexer().lex(text)) {
    parts += 1;
    if (parts > maxParts) return `it has more than ${maxParts} parts (keys, values, signs and line ends)`;
    // Its tokens do not matter here, only the state of the parser between them.
    for (const _ of parser.next(part));
    if (parser.stack.length > maxNesting && levelsOf(parser) > maxNesting) {
      return `it nests deeper than ${maxNesting} levels`;
    }
  }
  return undefined;
}

const collections: ReadonlySet<string> = new Set(['block-map', 'block-seq', 'flow-collection']);

function levelsOf({ stack }: Parser): number {
  return stack.filter(({ type }) => collections.has(type)).length;
}

/** Where YAML 1.1, and so what is written in Go, begins a new line, and YAML 1.2 does not. */
const breaks = /[\u0085\u2028\u2029]|\r(?!\n)/g;

/** Marks between the parts of a text, which are not in the text itself. */
const marks: ReadonlySet<string> = new Set([CST.DOCUMENT, CST.FLOW_END, CST.SCALAR]);

/**
 * The first line break of a text that programs read differently, outside quotes: in a comment, what follows it is hidden
 * from some of them.
 */
export function findDoubtfulBreak(text: string): FaultAt | undefined {
  const offsets = [...text.matchAll(breaks)].map(({ index }) => index);
  let next = 0;
  let end = 0;
  for (const part of offsets.length === 0 ? [] : new Lexer().lex(text)) {
    if (marks.has(part)) continue;
    end += part.length;
    const isQuoted = /^["']/.test(part);
    for (let at = offsets[next]; at !== undefined && at < end; at = offsets[++next]) {
      if (!isQuoted) return { offset: at, message: describeBreak(text.charAt(at)) };
    }
  }
  return undefined;
}

function describeBreak(sign: string): string {
  const code = sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  const name = sign === '\r' ? 'a carriage return without a line feed' : `the character U+${code}`;
  return `${name} outside quotes begins a new line for some programs only`;
}

/** An opening quote or bracket of a text. */
export interface Opening {
  readonly offset: number;
  /** The character itself. */
  readonly sign: string;
}

/**
 * The quotes and brackets of a YAML text that are never closed: each before those around it, which it keeps from being
 * closed. The parser itself reports them only at the end of the text.
 *
 * @param text nests no deeper than `yamlExcess` allows
 */
export function findUnclosed(text: string): Opening[] {
  const found: Opening[] = [];
  const look = (token: CST.Token | null | undefined): void => {
    if (token === null || token === undefined) return;
    if ('items' in token) {
      for (const { key, value } of token.items) {
        look(key);
        look(value);
      }
    }
    const opening = openingOf(token);
    if (opening !== undefined) found.push(opening);
  };
  for (const token of new Parser().parse(text)) if (token.type === 'document') look(token.value);
  return found;
}

/** Where a token opens, if it must be closed and is not. */
function openingOf(token: CST.Token): Opening | undefined {
  switch (token.type) {
    case 'flow-collection': {
      const { source: sign, offset } = token.start;
      const closing = sign === '[' ? ']' : '}';
      return token.end[0]?.source === closing ? undefined : { offset, sign };
    }
    case 'single-quoted-scalar':
    case 'double-quoted-scalar': {
      const { source, offset } = token;
      const sign = source.charAt(0);
      return source.length > 1 && source.endsWith(sign) ? undefined : { offset, sign };
    }
    default:
      return undefined;
  }
}
