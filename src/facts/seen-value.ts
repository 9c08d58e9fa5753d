/** The value of a fact; undefined if it was not seen, for whatever reason. */
export function seenValue<T>(
  fact: { readonly status: string; readonly value?: T } | undefined,
): T | undefined {
  return fact?.status === 'seen' ? fact.value : undefined;
}
