const maxKnown = 2_000;

/** The same function, which remembers what it read: a file says the same in many places. */
export function memoize<T>(read: (text: string) => T): (text: string) => T {
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

/** A value that is made when it is first asked for. */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** The same of an object, as long as that lives. */
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
