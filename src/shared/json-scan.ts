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
    const char = text[i];
    if (char === '"') inString = !inString;
    else if (inString) {
      if (char === '\\') i += 1;
    } else if (char === '[' || char === '{') {
      levels += 1;
      if (levels > maxJsonNesting) return true;
    } else if (char === ']' || char === '}') levels -= 1;
  }
  return false;
}
