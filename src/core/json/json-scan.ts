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
