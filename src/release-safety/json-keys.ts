const stringOrBrace = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}]/g;

/**
 * The first key that stands twice in one object of a JSON text, escapes decoded; undefined where none does. JSON.parse
 * keeps the last and says nothing, so what it returns cannot tell.
 *
 * @param text valid JSON: it has been through JSON.parse
 */
export function findDuplicateKey(text: string): string | undefined {
  const openObjects: Set<string>[] = [];
  for (const [token, colon] of text.matchAll(stringOrBrace)) {
    if (token === '{') openObjects.push(new Set());
    else if (token === '}') openObjects.pop();
    else if (colon !== undefined) {
      const key: string = JSON.parse(token.slice(0, -colon.length));
      const keys = openObjects.at(-1);
      if (keys?.has(key)) return key;
      keys?.add(key);
    }
  }
  return undefined;
}
