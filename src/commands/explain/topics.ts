import { errorWords, exitCodeWords } from '../../exit-codes.js';
import { builtInKnownIssues } from '../../known-issues/built-in.js';
import { checks } from '../../preflight/checks.js';
import { answerWords } from '../../render/words/answer.js';
import { canaryWords } from '../../render/words/canary.js';
import { changeWords } from '../../render/words/changes.js';
import { checkWords, findingStatusWords, findingWords } from '../../render/words/checks.js';
import { decisionWords } from '../../render/words/decisions.js';
import { disagreementWords } from '../../render/words/disagreements.js';
import { indexFaultWords } from '../../render/words/index-faults.js';
import { instanceStateWords, readinessWords, verifyOutcomeWords } from '../../render/words/instance.js';
import { effectWords } from '../../render/words/known-issue-records.js';
import { mergeErrorWords } from '../../render/words/merge-errors.js';
import { pinFindingWords } from '../../render/words/pin-changes.js';
import { podWords } from '../../render/words/pods.js';
import { landingWords, reasonWords } from '../../render/words/reasons.js';
import { releaseStatusWords } from '../../render/words/release-status.js';
import { deploymentRules, spanRules } from '../../render/words/rules.js';
import { verifyStatusWords } from '../../render/words/verify.js';
import { wayBackReasonWords, wayBackWords } from '../../render/words/way-back.js';
import type { ExplainedWord, Word } from '../../render/words/word.js';

/** Everything that can be explained, rules first. */
export function allTopics(): ExplainedWord[] {
  return [
    ...numbered('Span rules', 'rule', spanRules),
    ...named('Words of an answer', answerWords),
    ...named('Reasons of a span, and what blocks a route', reasonWords),
    ...named('Landings of a route', landingWords),
    ...named('Going back from a hop', wayBackWords),
    ...named('Why going back costs that', wayBackReasonWords),
    ...named('Status of a release in a report', releaseStatusWords),
    ...named('Disagreements of index and artifacts', disagreementWords),
    ...named('Findings of pin-check', pinFindingWords),
    ...named('States of an instance', instanceStateWords),
    ...named('Reasons of readyz', readinessWords),
    ...named('Outcomes of upgrade-verify', verifyOutcomeWords),
    ...named('How a part of upgrade-verify ends', verifyStatusWords),
    ...named('Pods after an upgrade', podWords),
    ...named('What differs from before an upgrade', changeWords),
    ...named('The query of --canary', canaryWords),
    ...checkTopics(),
    ...named('Findings of upgrade-preflight', findingWords),
    ...named('How a check ends', findingStatusWords),
    ...named('Answers of upgrade-preflight', decisionWords),
    ...numbered('Deployment rules', 'deployment', deploymentRules),
    ...named('Effects of a known issue', effectWords),
    ...knownIssueTopics(),
    ...named('Faults of an index', indexFaultWords),
    ...named('Errors of a merge', mergeErrorWords),
    ...named('Error codes', errorWords),
    ...numbered('Exit codes', 'exit', exitCodeWords),
  ];
}

function knownIssueTopics(): ExplainedWord[] {
  return builtInKnownIssues.records.map(({ id, summary, details, remedy }) => ({
    word: id,
    group: 'Known issues',
    meaning: `${summary} ${details}`,
    remedy,
  }));
}

function named(
  group: string,
  words: Readonly<Record<string, Omit<ExplainedWord, 'word' | 'group'>>>,
): ExplainedWord[] {
  return Object.entries(words).map(([name, word]) => ({ word: name, group, ...word }));
}

/** The checks without their findings, each of which is a separate word. */
function checkTopics(): ExplainedWord[] {
  return checks.map(({ id }) => {
    const { meaning, looksAt } = checkWords[id];
    return {
      word: id,
      group: 'Checks of upgrade-preflight',
      meaning: `${meaning} What it looks at: ${looksAt}`,
    };
  });
}

function numbered(group: string, name: string, words: Readonly<Record<number, Word>>): ExplainedWord[] {
  return Object.entries(words).map(([number, word]) => ({ word: `${name}-${number}`, group, ...word }));
}
