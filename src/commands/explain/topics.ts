import { type ExitCode, exitCodeOfError } from '../../exit-codes.js';
import { answerFacts } from '../../render/facts/answer-facts.js';
import { errorFacts } from '../../render/facts/error-facts.js';
import type { ExplainedWord, Fact } from '../../render/facts/fact.js';
import { indexFaultFacts } from '../../render/facts/index-fault-facts.js';
import { instanceStateFacts, readinessFacts, verifyOutcomeFacts } from '../../render/facts/instance-facts.js';
import { mergeErrorFacts } from '../../render/facts/merge-error-facts.js';
import { deploymentRules, spanRules } from '../../render/facts/rules.js';
import {
  disagreementFacts,
  landingFacts,
  reasonFacts,
  standingFacts,
} from '../../render/facts/span-facts.js';

/** Exit codes are the same for every command; the help of each says what they mean for it. */
export const exitCodeFacts: Record<ExitCode | 129 | 130 | 143, Fact> = {
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
    ...named('Words of an answer', answerFacts),
    ...named('Reasons of a span, and what blocks a route', reasonFacts),
    ...named('Landings of a route', landingFacts),
    ...named('Standings of a release in a report', standingFacts),
    ...named('Disagreements of index and artifacts', disagreementFacts),
    ...named('States of an instance', instanceStateFacts),
    ...named('Reasons of readyz', readinessFacts),
    ...named('Outcomes of upgrade-verify', verifyOutcomeFacts),
    ...numbered('Deployment rules', 'deployment', deploymentRules),
    ...named('Faults of an index', indexFaultFacts),
    ...named('Errors of a merge', mergeErrorFacts),
    ...named('Error codes', errorFacts, (code) => ({ exitCode: exitCodeOfError(code) })),
    ...numbered('Exit codes', 'exit', exitCodeFacts),
  ];
}

function named<Word extends string>(
  group: string,
  facts: Readonly<Record<Word, Fact>>,
  more: (word: Word) => Pick<ExplainedWord, 'exitCode'> = () => ({}),
): ExplainedWord[] {
  const topics: ExplainedWord[] = [];
  for (const word in facts) topics.push({ word, group, ...facts[word], ...more(word) });
  return topics;
}

function numbered(group: string, word: string, facts: Readonly<Record<number, Fact>>): ExplainedWord[] {
  return Object.entries(facts).map(([number, fact]) => ({ word: `${word}-${number}`, group, ...fact }));
}
