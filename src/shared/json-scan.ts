import { isRecord } from './is-record.js';

/**
 * The first key that occurs twice in one object of a JSON text, escapes decoded; undefined if none does. JSON.parse
 * silently keeps the last, so its result cannot show it.
 *
 * @param text valid JSON: it has been through JSON.parse
 */
export function findDuplicateKey(text: string): string | undefined {
  const openObjects: Set<string>[] = [];
  const mark = /["{}]/g;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    const [token] = found;
    if (token === '{') openObjects.push(new Set());
    else if (token === '}') openObjects.pop();
    else {
      const end = endOfString(text, found.index);
      mark.lastIndex = end;
      if (!isFollowedByColon(text, end)) continue;
      const key: string = JSON.parse(text.slice(found.index, end));
      const keys = openObjects.at(-1);
      if (keys?.has(key)) return key;
      keys?.add(key);
    }
  }
  return undefined;
}

/**
 * Whether a key may occur twice in one object, without storing any key: the parsed value then has fewer keys than the
 * text. Always true if keys contain escapes: Node 24 reads `"\""` as a backslash if such a key came before.
 *
 * @param text valid JSON
 * @param value the result of JSON.parse for it
 */
export function mayHoldKeyTwice(text: string, value: unknown): boolean {
  let keys = 0;
  for (let i = 0; i < text.length; i += 1) {
    if (text.charCodeAt(i) !== quote) continue;
    let hasEscape = false;
    for (i += 1; i < text.length && text.charCodeAt(i) !== quote; i += 1) {
      if (text.charCodeAt(i) !== backslash) continue;
      hasEscape = true;
      i += 1;
    }
    if (!isFollowedByColon(text, i + 1)) continue;
    if (hasEscape) return true;
    keys += 1;
  }
  return keys !== countKeys(value);
}

const quote = 0x22;
const backslash = 0x5c;

function countKeys(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + countKeys(item), 0);
  if (!isRecord(value)) return 0;
  const keys = Object.keys(value);
  return keys.reduce((sum, key) => sum + countKeys(value[key]), keys.length);
}

/** The position after the closing quote. One pattern for a whole string would use stack for each of its characters. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = end;
    while (text[escapes - 1] === '\\') escapes -= 1;
    if ((end - escapes) % 2 === 0) return end + 1;
  }
  return text.length;
}

const colon = /\s*:/y;

function isFollowedByColon(text: string, at: number): boolean {
  colon.lastIndex = at;
  return colon.test(text);
}

/** Far more levels than any document we read has: an index has 3, an artifact 5, a chart some 15. */
export const maxJsonNesting = 200;

/**
 * Whether JSON text, or what is meant as such, nests deeper than we read. Call it before `JSON.parse`, which takes 2.8
 * GB for 60 MiB of `[`. Brackets within strings do not count.
 */
export function nestsTooDeep(text: string): boolean {
  let levels = 0;
  let inString = false;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === quote) inString = !inString;
    else if (inString) {
      if (code === backslash) i += 1;
    } else if (code === openBracket || code === openBrace) {
      levels += 1;
      if (levels > maxJsonNesting) return true;
    } else if (code === closeBracket || code === closeBrace) levels -= 1;
  }
  return false;
}

const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
