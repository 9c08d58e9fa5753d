import { compact } from '../../core/text/compact.js';
import { spanRules } from '../../words/answer.js';
import type { ExplainedWord } from '../../words/word.js';
import { wrapWords } from '../formats/wrap.js';
import type { ExplainResult } from '../json/answer-schemas.js';
import { renderDocument } from '../json/document.js';

export function renderExplainJson(words: readonly ExplainedWord[]): string {
  return renderDocument<ExplainResult>({
    words: words.map(({ word, group, meaning, rule = null, remedy = null, exitCode = null }) => {
      return { word, group, meaning, rule, toDo: remedy, exitCode };
    }),
  });
}

/**
 * Every meaning of one word.
 *
 * @param width columns of the terminal; undefined if lines may have any length
 */
export function renderExplanation(words: readonly ExplainedWord[], width: number | undefined): string {
  return words
    .map(({ word, group, meaning, rule, remedy, exitCode }) =>
      wrapped(width, [
        `${word} (${group})`,
        `  ${meaning}`,
        rule !== undefined && `  Span rule ${rule}: ${spanRules[rule]}`,
        exitCode !== undefined && `  Exit code: ${exitCode}`,
        remedy !== undefined && `  To do: ${remedy}`,
      ]),
    )
    .join('\n');
}

/** The kinds of words, by the name that `explain` takes for each, and how many words are of each. */
export function renderWordKinds(
  kinds: Readonly<Record<string, string>>,
  words: readonly ExplainedWord[],
  width: number | undefined,
): string {
  const count = (title: string) => words.filter(({ group }) => group === title).length;
  return wrapped(width, [
    'Kinds of words:',
    ...Object.entries(kinds).map(([name, title]) => `  ${name} (${count(title)}): ${title}`),
    '',
    'lightspan explain <kind> lists the words of a kind; lightspan explain <word> says what one means.',
  ]);
}

/** The words of a kind, each with the first sentence of its meaning. */
export function renderWordList(words: readonly ExplainedWord[], width: number | undefined): string {
  return wrapped(width, [
    `${words[0]?.group}:`,
    ...words.map(({ word, meaning }) => `  ${word}: ${firstSentence(meaning)}`),
    '',
    'lightspan explain <word> says more.',
  ]);
}

/** The first sentence of a meaning. */
export function firstSentence(meaning: string): string {
  return /^.*?\.(?= |$)/.exec(meaning)?.[0] ?? meaning;
}

function wrapped(width: number | undefined, lines: readonly (string | false)[]): string {
  return compact(...lines)
    .map((line) => `${wrapWords(line, width, '    ')}\n`)
    .join('');
}
