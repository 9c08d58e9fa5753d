import { spanRules } from '../words/rules.js';
import type { ExplainedWord } from '../words/word.js';
import { wrapWords } from '../wrap.js';

/**
 * Every meaning of one word.
 *
 * @param width columns of the terminal; undefined if lines may have any length
 */
export function renderExplanation(words: readonly ExplainedWord[], width: number | undefined): string {
  return words
    .map(
      (word) =>
        `${describe(word)
          .map((line) => wrapWords(line, width, '  '))
          .join('\n')}\n`,
    )
    .join('\n');
}

function describe({ word, group, meaning, rule, remedy, exitCode }: ExplainedWord): string[] {
  return [
    `${word} (${group})`,
    `  ${meaning}`,
    ...(rule === undefined ? [] : [`  Span rule ${rule}: ${spanRules[rule].meaning}`]),
    ...(exitCode === undefined ? [] : [`  Exit code: ${exitCode}`]),
    ...(remedy === undefined ? [] : [`  To do: ${remedy}`]),
  ];
}

/** All words, by group, each with the first sentence of its meaning. */
export function renderTopicList(words: readonly ExplainedWord[], width: number | undefined): string {
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
