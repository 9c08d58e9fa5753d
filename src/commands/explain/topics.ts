import { type ExitCode, exitCodeOfError } from '../../exit-codes.js';
import { answerWords } from '../../render/words/answer.js';
import { disagreementWords } from '../../render/words/disagreements.js';
import { errorWords } from '../../render/words/errors.js';
import { indexFaultWords } from '../../render/words/index-faults.js';
import { instanceStateWords, readinessWords, verifyOutcomeWords } from '../../render/words/instance.js';
import { mergeErrorWords } from '../../render/words/merge-errors.js';
import { landingWords, reasonWords } from '../../render/words/reasons.js';
import { deploymentRules, spanRules } from '../../render/words/rules.js';
import { standingWords } from '../../render/words/standings.js';
import type { ExplainedWord, Word } from '../../render/words/word.js';

/** Exit codes are the same for every command; the help of each says what they mean for it. */
export const exitCodeFacts: Record<ExitCode | 129 | 130 | 143, Word> = {
  0: {
    meaning: 'Yes: proven, or done. A span check ends so only where the whole span is proven safe to roll.',
  },
  1: { meaning: 'No: an answer was computed, and it is not yes.' },
  2: { meaning: 'The request itself is wrong. At most the index and the version that runs were asked for.' },
  3: {
    meaning: 'No answer could be had: network, timeout, an HTTP error, login, a file that cannot be read.',
  },
  4: {
    meaning: 'An answer came that cannot be trusted: not JSON, another schema, or it contradicts itself.',
  },
  129: { meaning: 'Its terminal was closed (SIGHUP). No answer.' },
  130: { meaning: 'Interrupted (SIGINT, Ctrl-C). No answer.' },
  143: { meaning: 'Ended from outside (SIGTERM). No answer.' },
};

/** Everything that can be explained, rules first. */
export function allTopics(): ExplainedWord[] {
  return [
    ...numbered('Span rules', 'rule', spanRules),
    ...named('Words of an answer', answerWords),
    ...named('Reasons of a span, and what blocks a route', reasonWords),
    ...named('Landings of a route', landingWords),
    ...named('Standings of a release in a report', standingWords),
    ...named('Disagreements of index and artifacts', disagreementWords),
    ...named('States of an instance', instanceStateWords),
    ...named('Reasons of readyz', readinessWords),
    ...named('Outcomes of upgrade-verify', verifyOutcomeWords),
    ...numbered('Deployment rules', 'deployment', deploymentRules),
    ...named('Faults of an index', indexFaultWords),
    ...named('Errors of a merge', mergeErrorWords),
    ...named('Error codes', errorWords, (code) => ({ exitCode: exitCodeOfError(code) })),
    ...numbered('Exit codes', 'exit', exitCodeFacts),
  ];
}

function named<Name extends string>(
  group: string,
  words: Readonly<Record<Name, Word>>,
  more: (name: Name) => Pick<ExplainedWord, 'exitCode'> = () => ({}),
): ExplainedWord[] {
  const topics: ExplainedWord[] = [];
  for (const word in words) topics.push({ word, group, ...words[word], ...more(word) });
  return topics;
}

function numbered(group: string, name: string, words: Readonly<Record<number, Word>>): ExplainedWord[] {
  return Object.entries(words).map(([number, word]) => ({ word: `${name}-${number}`, group, ...word }));
}
