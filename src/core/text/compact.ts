/** An item, several, or none where a condition does not hold. */
type Some<T> = T | false | null | undefined | readonly Some<T>[];

/** The items in one list, in order. An empty text is an item, too. */
export function compact<T extends string | object>(...parts: readonly Some<T>[]): T[] {
  return parts.flatMap((part) => {
    if (part === false || part === null || part === undefined) return [];
    return isList(part) ? compact(...part) : [part];
  });
}

function isList<T>(part: Some<T>): part is readonly Some<T>[] {
  return Array.isArray(part);
}
