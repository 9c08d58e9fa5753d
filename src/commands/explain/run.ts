import { LightspanError } from '../../errors.js';
import { type ExitCode, exitCodes } from '../../exit-codes.js';
import { didYouMean } from '../../merge-query/did-you-mean.js';
import { quote } from '../../merge-query/quote.js';
import type { ExplainedWord } from '../../render/facts/fact.js';
import { renderExplainJson } from '../../render/json/explain.js';
import { renderExplanation, renderTopicList } from '../../render/text/explain.js';
import type { CommandContext } from '../context.js';
import type { ExplainOptions } from './declaration.js';
import { allTopics } from './topics.js';

/** `lightspan explain` */
export async function explain(
  words: readonly string[],
  { json }: ExplainOptions,
  { stdout }: CommandContext,
): Promise<ExitCode> {
  const topics = words.length === 0 ? allTopics() : words.flatMap(findTopics);
  if (json === true) stdout.write(renderExplainJson(topics));
  else stdout.write(words.length === 0 ? renderTopicList(topics) : renderExplanation(topics));
  return exitCodes.yes;
}

/** Every meaning of a word: `required-stop` is a reason, and why a hop lands. */
function findTopics(text: string): ExplainedWord[] {
  const word = text
    .trim()
    .toLowerCase()
    .replace(/^(?:(?:span )?rule[ -]?)?([1-9])$/, 'rule-$1');
  const topics = allTopics();
  const found = topics.filter((topic) => topic.word === word);
  if (found.length > 0) return found;
  const near = didYouMean(word, [...new Set(topics.map((topic) => topic.word))]);
  throw new LightspanError('usage', `there is nothing to explain under ${quote(text)}${near}`, {
    hint: 'lightspan explain lists every word.',
  });
}
