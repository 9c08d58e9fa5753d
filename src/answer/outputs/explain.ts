import { compact } from '../../shared/compact.js';
import { spanRules } from '../../words/answer.js';
import type { ExplainedWord } from '../../words/word.js';
import type { ExplainResult } from '../json/answer-schemas.js';
import { renderDocument } from '../json/document.js';
import { wrapWords } from '../wrap.js';

/** `explain --json`: the requested words, or all, in one line. */
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
  const paragraphs = words.map(({ word, group, meaning, rule, remedy, exitCode }) =>
    compact(
      `${word} (${group})`,
      `  ${meaning}`,
      rule !== undefined && `  Span rule ${rule}: ${spanRules[rule].meaning}`,
      exitCode !== undefined && `  Exit code: ${exitCode}`,
      remedy !== undefined && `  To do: ${remedy}`,
    ),
  );
  return paragraphs
    .map((lines) => lines.map((line) => `${wrapWords(line, width, '  ')}\n`).join(''))
    .join('\n');
}

/** The kinds of words, by the name that `explain` takes for each, and how many words are of each. */
export function renderWordKinds(
  kinds: Readonly<Record<string, string>>,
  words: readonly ExplainedWord[],
  width: number | undefined,
): string {
  const column = Math.max(...Object.keys(kinds).map((name) => name.length));
  const lines = Object.entries(kinds).map(([name, title]) => {
    const count = String(words.filter(({ group }) => group === title).length).padStart(3);
    return wrapWords(`  ${name.padEnd(column)}  ${count}  ${title}`, width, ' '.repeat(column + 9));
  });
  const more =
    'lightspan explain <kind> lists the words of a kind, lightspan explain <word> says what one means.';
  return `${['Kinds of words:', ...lines, '', wrapWords(more, width)].join('\n')}\n`;
}

/** Words, by their kinds, each with the first sentence of its meaning. */
export function renderWordList(words: readonly ExplainedWord[], width: number | undefined): string {
  const column = Math.max(...words.map(({ word }) => word.length));
  const isNarrow = width !== undefined && width < column + 44;
  const line = ({ word, meaning }: ExplainedWord) =>
    isNarrow
      ? `  ${word}\n      ${wrapWords(firstSentence(meaning), width - 6).replaceAll('\n', '\n      ')}`
      : wrapWords(`  ${word.padEnd(column)}  ${firstSentence(meaning)}`, width, ' '.repeat(column + 4));
  const groups = [...new Set(words.map(({ group }) => group))].map((group) => [
    wrapWords(`${group}:`, width),
    ...words.filter((word) => word.group === group).map(line),
  ]);
  return `${groups.map((lines) => `${lines.join('\n')}\n`).join('\n')}\nlightspan explain <word> says more.\n`;
}

function firstSentence(text: string): string {
  return /^.*?\.(?= |$)/.exec(text)?.[0] ?? text;
}
