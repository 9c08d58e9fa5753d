/** What was seen of a fact; undefined where it was not seen, whatever the reason. */
export function seenValue<T>(
  fact: { readonly status: string; readonly value?: T } | undefined,
): T | undefined {
  return fact?.status === 'seen' ? fact.value : undefined;
}
