import type { ExplainedWord } from '../facts/fact.js';
import { spanRules } from '../facts/rules.js';

/** Every meaning of one word. */
export function renderExplanation(words: readonly ExplainedWord[]): string {
  return words.map((word) => `${describe(word).join('\n')}\n`).join('\n');
}

function describe({ word, group, meaning, rule, toDo, exitCode }: ExplainedWord): string[] {
  return [
    `${word} (${group})`,
    `  ${meaning}`,
    ...(rule === undefined ? [] : [`  Span rule ${rule}: ${spanRules[rule].meaning}`]),
    ...(exitCode === undefined ? [] : [`  Exit code: ${exitCode}`]),
    ...(toDo === undefined ? [] : [`  To do: ${toDo}`]),
  ];
}

/** All words, by group, each with the first sentence of its meaning. */
export function renderTopicList(words: readonly ExplainedWord[]): string {
  const width = Math.max(...words.map(({ word }) => word.length));
  const groups = [...new Set(words.map(({ group }) => group))].map((group) => [
    `${group}:`,
    ...words
      .filter((word) => word.group === group)
      .map(({ word, meaning }) => `  ${word.padEnd(width)}  ${firstSentence(meaning)}`),
  ]);
  return `${groups.map((lines) => `${lines.join('\n')}\n`).join('\n')}\nlightspan explain <word> says more.\n`;
}

function firstSentence(text: string): string {
  return /^.*?\.(?= |$)/.exec(text)?.[0] ?? text;
}
