/** What the first group of an expression holds, wherever it matches; empty where it takes no part in the match. */
export function captured(text: string, form: RegExp): readonly string[] {
  return [...text.matchAll(form)].map(([, group = '']) => group);
}
