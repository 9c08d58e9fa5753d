import { topics } from '../../src/commands/explain.js';

/** The first word of each remedy; longer ones first, since one may contain another. */
const wordOf = new Map(
  topics
    .flatMap(({ word, remedy }) => (remedy === undefined ? [] : [[remedy, word] as const]))
    .toSorted(([a], [b]) => a.length - b.length)
    .toReversed(),
);

/** What to do about each word, as `explain` and the docs say it. */
export const remedies: readonly string[] = [...wordOf.keys()];

/**
 * A text that is held, with the names of remedies in place of them: the docs hold what they say, the transcripts what
 * programs print.
 */
export function withoutRemedies(text: string): string {
  const escaped = (one: string) =>
    one.replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll("'", '&#39;');
  return [...wordOf].reduce(
    (left, [remedy, word]) =>
      [remedy, escaped(remedy)].reduce((all, one) => all.replaceAll(one, `(see explain ${word})`), left),
    text,
  );
}
