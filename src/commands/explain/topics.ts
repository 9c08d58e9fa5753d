import { checks } from '../../checks/checks.js';
import { decisionWords } from '../../checks/decision.js';
import { findingStatusWords, findingWords } from '../../checks/describe.js';
import { errorWords, exitCodeWords } from '../../exit-codes.js';
import { builtInKnownIssues } from '../../known-issues/built-in.js';
import { answerWords } from '../../render/words/answer.js';
import { disagreementWords } from '../../render/words/disagreements.js';
import { indexFaultWords } from '../../render/words/index-faults.js';
import { instanceStateWords, readinessWords, verifyOutcomeWords } from '../../render/words/instance.js';
import { effectWords } from '../../render/words/known-issue-records.js';
import { mergeErrorWords } from '../../render/words/merge-errors.js';
import { pinFindingWords } from '../../render/words/pin-changes.js';
import { landingWords, reasonWords } from '../../render/words/reasons.js';
import { releaseStatusWords } from '../../render/words/release-status.js';
import { deploymentRules, spanRules } from '../../render/words/rules.js';
import { wayBackReasonWords, wayBackWords } from '../../render/words/way-back.js';
import type { ExplainedWord, Word } from '../../render/words/word.js';
import { canaryWords } from '../../verify/canary.js';
import { verifyStatusWords } from '../../verify/describe.js';
import { pods } from '../../verify/pods.js';

/** Every kind of word, by the name that `explain` takes for it. */
export const wordKinds = {
  'span-rules': 'Span rules',
  'answer-words': 'Words of an answer',
  reasons: 'Reasons of a span, and what blocks a route',
  landings: 'Landings of a route',
  'ways-back': 'Going back from a hop',
  'way-back-reasons': 'Why going back costs that',
  'release-states': 'Status of a release in a report',
  disagreements: 'Disagreements of index and artifacts',
  'pin-findings': 'Findings of pin-check',
  'instance-states': 'States of an instance',
  readiness: 'Reasons of readyz',
  'verify-outcomes': 'Outcomes of upgrade-verify',
  'verify-states': 'How a part of upgrade-verify ends',
  'pod-findings': 'Pods after an upgrade',
  canary: 'The query of --canary',
  checks: 'Checks of upgrade-preflight',
  'preflight-findings': 'Findings of upgrade-preflight',
  'check-states': 'How a check ends',
  'preflight-answers': 'Answers of upgrade-preflight',
  'deployment-rules': 'Deployment rules',
  effects: 'Effects of a known issue',
  issues: 'Known issues',
  'index-faults': 'Faults of an index',
  'merge-errors': 'Errors of a merge',
  'error-codes': 'Error codes',
  'exit-codes': 'Exit codes',
} as const;

type WordKind = keyof typeof wordKinds;

/** Everything that can be explained, rules first. */
export function allTopics(): ExplainedWord[] {
  return [
    ...numbered('span-rules', 'rule', spanRules),
    ...named('answer-words', answerWords),
    ...named('reasons', reasonWords),
    ...named('landings', landingWords),
    ...named('ways-back', wayBackWords),
    ...named('way-back-reasons', wayBackReasonWords),
    ...named('release-states', releaseStatusWords),
    ...named('disagreements', disagreementWords),
    ...named('pin-findings', pinFindingWords),
    ...named('instance-states', instanceStateWords),
    ...named('readiness', readinessWords),
    ...named('verify-outcomes', verifyOutcomeWords),
    ...named('verify-states', verifyStatusWords),
    ...named('pod-findings', pods.words.finds),
    ...named('canary', canaryWords),
    ...checkTopics(),
    ...named('preflight-findings', findingWords),
    ...named('check-states', findingStatusWords),
    ...named('preflight-answers', decisionWords),
    ...numbered('deployment-rules', 'deployment', deploymentRules),
    ...named('effects', effectWords),
    ...knownIssueTopics(),
    ...named('index-faults', indexFaultWords),
    ...named('merge-errors', mergeErrorWords),
    ...named('error-codes', errorWords),
    ...numbered('exit-codes', 'exit', exitCodeWords),
  ];
}

function knownIssueTopics(): ExplainedWord[] {
  return builtInKnownIssues.records.map(({ id, summary, details, remedy }) => ({
    word: id,
    group: wordKinds.issues,
    meaning: `${summary} ${details}`,
    remedy,
  }));
}

function named(
  kind: WordKind,
  words: Readonly<Record<string, Omit<ExplainedWord, 'word' | 'group'>>>,
): ExplainedWord[] {
  return Object.entries(words).map(([name, word]) => ({ word: name, group: wordKinds[kind], ...word }));
}

/** The checks without their findings, each of which is a separate word. */
function checkTopics(): ExplainedWord[] {
  return [...checks, pods].map(({ id, words: { meaning, looksAt } }) => ({
    word: id,
    group: wordKinds.checks,
    meaning: `${meaning} What it looks at: ${looksAt}`,
  }));
}

function numbered(kind: WordKind, name: string, words: Readonly<Record<number, Word>>): ExplainedWord[] {
  return Object.entries(words).map(([number, word]) => ({
    word: `${name}-${number}`,
    group: wordKinds[kind],
    ...word,
  }));
}
