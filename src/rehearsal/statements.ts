import { Buffer } from 'node:buffer';
import { LightspanError } from '../core/lightspan-error.js';

/** What a dump in plain form consists of, in its order. */
export type DumpPart =
  | { readonly kind: 'statement'; readonly text: string }
  /** The rows of a table: they have to be read before the next part is. */
  | { readonly kind: 'rows'; readonly text: string; readonly rows: AsyncIterable<Buffer> }
  /** A command of psql, such as `\connect`. None is ever run. */
  | { readonly kind: 'psql'; readonly text: string }
  /** The comment that ends every dump that was written to its end. */
  | { readonly kind: 'complete' };

const newline = 10;

/** The lines of a stream, each with its break, and the rows of a table. */
class Lines {
  #held = Buffer.alloc(0);
  #isInRows = false;
  readonly #chunks: AsyncIterator<Uint8Array>;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  async line(): Promise<Buffer | undefined> {
    // A row may be as long as a large object: it is put together once.
    const begun: Buffer[] = [];
    for (;;) {
      const at = this.#held.indexOf(newline);
      if (at >= 0) return Buffer.concat([...begun, this.#take(at + 1)]);
      begun.push(this.#take(this.#held.length));
      const { done, value } = await this.#chunks.next();
      if (done === true) return begun.every(({ length }) => length === 0) ? undefined : Buffer.concat(begun);
      this.#held = Buffer.from(value);
    }
  }

  #take(length: number): Buffer {
    const taken = this.#held.subarray(0, length);
    this.#held = this.#held.subarray(length);
    return taken;
  }

  /** Rows up to the line `\.`, in pieces of whole lines; none once that line has been read. */
  async *rows(): AsyncGenerator<Buffer> {
    while (this.#isInRows) {
      const line = await this.line();
      if (line === undefined) throw cutShort('within rows');
      if (line[0] === backslash && /^\\\.\r?\n?$/.test(line.toString('latin1'))) {
        this.#isInRows = false;
        return;
      }
      // As many lines as are held go at once, up to one that may be the end of the rows.
      yield Buffer.concat([line, this.#take(this.#endOfLines())]);
    }
  }

  beginRows(): AsyncIterable<Buffer> {
    this.#isInRows = true;
    return this.rows();
  }

  #endOfLines(): number {
    const mark = this.#held.indexOf('\\.');
    const sure = mark === -1 ? this.#held : this.#held.subarray(0, mark);
    return sure.lastIndexOf(newline) + 1;
  }
}

const backslash = 0x5c;

/** What stands in a dump that was not written, or not copied, to its end. */
export const brokenDump = (why: string) =>
  new LightspanError('unreadable-source', why, { details: { kind: 'broken-dump' } });

export function isBrokenDump(error: unknown): error is LightspanError {
  return error instanceof LightspanError && error.details?.kind === 'broken-dump';
}

const cutShort = (where: string) => brokenDump(`it ends ${where}`);

/** Where a line begins: within what, and how deep. */
interface Scan {
  readonly quote: string;
  readonly parentheses: number;
  /** Of `BEGIN ATOMIC`, `CASE` and `END` in the body of a function in SQL. */
  readonly blocks: number;
  /** The first words of the statement, in lower case. */
  readonly words: readonly string[];
}

const atBegin: Scan = { quote: '', parentheses: 0, blocks: 0, words: [] };

/**
 * Splits a dump in plain form into statements and rows, as psql does it: quotes, dollar quotes, comments, parentheses
 * and bodies of functions in SQL are passed over. Standard-conforming strings are taken for granted: a dump sets them.
 *
 * @throws {LightspanError} {@link isBrokenDump} if it ends within a part
 */
export async function* partsOfDump(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<DumpPart> {
  const lines = new Lines(chunks);
  let scan = atBegin;
  let text = '';
  for (let bytes = await lines.line(); bytes !== undefined; bytes = await lines.line()) {
    const line = bytes.toString('utf8');
    if (scan === atBegin && text.trim() === '') {
      if (line.startsWith('-- PostgreSQL database dump complete')) yield { kind: 'complete' };
      if (line.startsWith('\\')) {
        yield { kind: 'psql', text: line.trim() };
        continue;
      }
    }
    let begin = 0;
    for (;;) {
      const end = scanLine(line, begin, scan);
      scan = end.scan;
      text += line.slice(begin, end.at);
      if (!end.isEnd) break;
      begin = end.at;
      const statement = withoutComments(text);
      text = '';
      scan = atBegin;
      if (/^COPY\s[^;]*\sFROM\s+stdin;$/i.test(statement)) {
        yield { kind: 'rows', text: statement, rows: lines.beginRows() };
        // What the server refused is read on: the next part stands behind it.
        for await (const _ of lines.rows());
        break;
      }
      yield { kind: 'statement', text: statement };
    }
    if (scan.quote === '' && scan.words.length === 0 && withoutComments(text) === '') {
      text = '';
      scan = atBegin;
    }
  }
  if (withoutComments(text) !== '') throw cutShort('in the middle of a statement');
}

/** Comments before a statement; those within it are the server's. */
function withoutComments(text: string): string {
  return text.replace(/^(?:\s+|--[^\n]*(?:\n|$))+/, '').trimEnd();
}

const word = /[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*/y;
const dollarTag = /\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/y;
const plain = /[^'"$;()/\-A-Za-z_\u0080-\uffff]+/y;

/** Reads on to the end of the line, or to the end of a statement in it. */
function scanLine(
  line: string,
  from: number,
  begin: Scan,
): { readonly at: number; readonly isEnd: boolean; readonly scan: Scan } {
  let { quote, parentheses, blocks, words } = begin;
  let at = from;
  const matched = (pattern: RegExp) => {
    pattern.lastIndex = at;
    return pattern.exec(line)?.[0];
  };
  while (at < line.length) {
    if (quote !== '') {
      const end = endOfQuote(line, at, quote);
      quote = end.quote;
      at = end.at;
      continue;
    }
    const name = matched(word);
    if (name !== undefined) {
      at += name.length;
      const lower = name.toLowerCase();
      if (line[at] === "'" && lower === 'e') {
        quote = "e'";
        at += 1;
        continue;
      }
      if (words.length < 4) words = [...words, lower];
      if (isFunction(words)) blocks = Math.max(0, blocks + depthOf(lower, blocks));
      continue;
    }
    const skipped = matched(plain);
    if (skipped !== undefined) {
      at += skipped.length;
      continue;
    }
    const character = line[at];
    const tag = character === '$' ? matched(dollarTag) : undefined;
    if (line.startsWith('--', at))
      return { at: line.length, isEnd: false, scan: { quote, parentheses, blocks, words } };
    if (tag !== undefined) quote = tag;
    else if (line.startsWith('/*', at)) quote = '/*';
    else if (character === "'" || character === '"') quote = character;
    else if (character === '(') parentheses += 1;
    else if (character === ')') parentheses -= 1;
    at += quote === '' ? 1 : quote.length;
    if (character === ';' && parentheses <= 0 && blocks === 0) return { at, isEnd: true, scan: atBegin };
  }
  return { at, isEnd: false, scan: { quote, parentheses, blocks, words } };
}

function isFunction([first, ...more]: readonly string[]): boolean {
  return first === 'create' && more.some((name) => name === 'function' || name === 'procedure');
}

function depthOf(name: string, blocks: number): number {
  if (name === 'begin') return 1;
  if (blocks === 0) return 0;
  return name === 'case' ? 1 : name === 'end' ? -1 : 0;
}

/** A comment in a comment counts, by the number of its beginnings. */
function endOfQuote(
  line: string,
  at: number,
  quote: string,
): { readonly at: number; readonly quote: string } {
  if (quote.startsWith('/*')) {
    const end = line.indexOf('*/', at);
    const nested = line.indexOf('/*', at);
    if (nested >= 0 && (end < 0 || nested < end)) return { at: nested + 2, quote: `${quote}/*` };
    return end < 0 ? { at: line.length, quote } : { at: end + 2, quote: quote.slice(2) };
  }
  if (quote === "e'") {
    const inside = /(?:[^'\\]|\\[\s\S]|'')*/y;
    inside.lastIndex = at;
    const end = at + (inside.exec(line)?.[0].length ?? 0);
    return line[end] === "'" ? { at: end + 1, quote: '' } : { at: line.length, quote };
  }
  // A doubled quote ends it and begins it again, which comes to the same.
  const end = line.indexOf(quote, at);
  return end < 0 ? { at: line.length, quote } : { at: end + quote.length, quote: '' };
}
