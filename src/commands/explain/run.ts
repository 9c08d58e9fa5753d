import { LightspanError } from '../../errors.js';
import { type ExitCode, exitCodes } from '../../exit-codes.js';
import { renderExplainJson } from '../../render/json/explain.js';
import { renderExplanation, renderWordKinds, renderWordList } from '../../render/text/explain.js';
import type { ExplainedWord } from '../../render/words/word.js';
import { didYouMean } from '../../shared/did-you-mean.js';
import { quote } from '../../shared/quote.js';
import { type CommandContext, widthOf } from '../context.js';
import { allTopics, wordKinds } from './topics.js';

export interface ExplainOptions {
  readonly json?: true;
}

/** `lightspan explain` */
export async function explain(
  words: readonly string[],
  { json }: ExplainOptions,
  { stdout }: CommandContext,
): Promise<ExitCode> {
  const kind = wordsOfKind(words.join(' '));
  const topics = words.length === 0 ? allTopics() : (kind ?? findAll(words));
  const width = widthOf(stdout);
  if (json === true) stdout.write(renderExplainJson(topics));
  else if (words.length === 0) stdout.write(renderWordKinds(wordKinds, topics, width));
  else stdout.write(kind === undefined ? renderExplanation(topics, width) : renderWordList(kind, width));
  return exitCodes.yes;
}

/** The words of a kind; undefined if there is no such kind. */
function wordsOfKind(text: string): ExplainedWord[] | undefined {
  const [, title] = Object.entries(wordKinds).find(([kind]) => kind === kebab(text)) ?? [];
  return title === undefined ? undefined : allTopics().filter(({ group }) => group === title);
}

/**
 * `Direct upgrade:` is one term, with or without quotes: the longest sequence of arguments that is a term counts as
 * one.
 */
function findAll(words: readonly string[]): ExplainedWord[] {
  const found: ExplainedWord[] = [];
  for (let i = 0; i < words.length; ) {
    const lengths = [6, 5, 4, 3, 2].filter((length) => i + length <= words.length);
    const joined = lengths.find((length) => meaningsOf(words.slice(i, i + length).join(' ')).length > 0);
    found.push(...findTopics(words.slice(i, i + (joined ?? 1)).join(' ')));
    i += joined ?? 1;
  }
  return found;
}

/** Every meaning of a word: `required-stop` is a reason, and also a reason why a hop lands. */
function findTopics(text: string): ExplainedWord[] {
  const found = meaningsOf(text);
  if (found.length > 0) return found;
  const known = [...Object.keys(wordKinds), ...allTopics().map((topic) => topic.word)];
  const near = didYouMean(kebab(text), [...new Set(known)]);
  throw new LightspanError('usage', `there is nothing to explain for ${quote(text)}${near}`, {
    hint: 'lightspan explain lists the kinds of words, and lightspan explain <kind> the words of one.',
  });
}

/**
 * The meanings of a word in the form in which an answer prints it: a label, a heading or a key of JSON, also in the
 * plural.
 */
function meaningsOf(text: string): ExplainedWord[] {
  const word = kebab(text);
  const topics = allTopics();
  const named = (name: string) =>
    topics.filter(({ word, label = word }) => kebab(word) === name || kebab(label) === name);
  // `required-stops` is an effect of a known issue, and also the plural of a reason.
  return [...new Set([...named(aliases.get(word) ?? word), ...named(word.replace(/s$/, ''))])];
}

function kebab(text: string): string {
  return text
    .trim()
    .replace(/:$/, '')
    .replaceAll(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replaceAll(/[\s_,]+/g, '-')
    .replace(/^(?:(?:span-)?rule-?)?([1-9])$/, 'rule-$1')
    .replace(/^exit-code-/, 'exit-');
}

/** Other names for the same word. */
const aliases: ReadonlyMap<string, string> = new Map([
  ['from-version', 'from'],
  ['to-version', 'to'],
  ['jump', 'direct-upgrade'],
  ['rolling', 'rolling-update'],
  ['covered-versions', 'covered-release'],
  ['min-previous-version', 'minimum-previous-version'],
  ['not-certified', 'certified'],
  ['short-downtime', 'downtime'],
  ['floor', 'index-floor'],
  ['going-back-needs', 'going-back'],
  ['way-back', 'going-back'],
  ['roll-back', 'going-back'],
  ['rollback', 'going-back'],
  ['point-of-no-return', 'going-back'],
  ['migrations-take', 'migration'],
  ['gap-in-the-index', 'gap'],
  ['the-target', 'target'],
  ['the-index-floor', 'index-floor'],
]);
