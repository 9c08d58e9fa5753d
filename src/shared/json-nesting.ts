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

const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
