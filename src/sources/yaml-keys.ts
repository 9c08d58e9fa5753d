import { type Document, isScalar, visit } from 'yaml';

/**
 * The first key that stands twice in one map of a document, as the parser's own check would tell of it: that one
 * compares each key with all before it, which takes 10 s for 20,000 keys.
 */
export function findRepeatedKey(
  document: Document.Parsed,
): { readonly message: string; readonly pos: readonly [start: number, end: number] } | undefined {
  let start: number | undefined;
  visit(document, {
    Map: (_, map) => {
      const seen = new Set<unknown>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) {
          start = key.range?.[0] ?? 0;
          return visit.BREAK;
        }
        seen.add(key.value);
      }
      return undefined;
    },
  });
  return start === undefined ? undefined : { message: 'Map keys must be unique', pos: [start, start] };
}
