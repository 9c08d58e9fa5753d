/**
 * The function with a memory of its last results, by text; 2,000 of them, if not otherwise said. The gate reads the same
 * names and lines of a repository many times.
 */
export function memoize<T>(read: (text: string) => T, maxKnown = 2_000): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const result = read(text);
    if (known.size === maxKnown) known.clear();
    known.set(text, result);
    return result;
  };
}

/** A value that is made at its first use, and once. */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** As `memoize`, by object identity: a result is kept as long as its object is. */
export function memoizeByObject<K extends object, T>(read: (of: K) => T): (of: K) => T {
  const known = new WeakMap<K, { readonly result: T }>();
  return (of) => {
    const before = known.get(of);
    if (before !== undefined) return before.result;
    const result = read(of);
    known.set(of, { result });
    return result;
  };
}
