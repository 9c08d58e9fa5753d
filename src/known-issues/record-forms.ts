/** What tells records apart in the form in which they are published. */

/** A note has a kind; an issue has none, since notes came later. */
export function isNote<T extends object>(record: T): record is Extract<T, { readonly kind: unknown }> {
  return 'kind' in record;
}

export function isIssue<T extends object>(record: T): record is Exclude<T, { readonly kind: unknown }> {
  return !isNote(record);
}

/** Whether a condition is on a fact that is a word, and not a number or a version. */
export function isOnWord<T extends object>(condition: T): condition is Extract<T, { readonly is: unknown }> {
  return 'is' in condition;
}
