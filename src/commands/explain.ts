import { checks } from '../checks/checks.js';
import { decisionWords } from '../checks/decision.js';
import { findingStatusWords, findingWords } from '../checks/describe.js';
import { LightspanError } from '../errors.js';
import { type ExitCode, errorWords, exitCodes, exitCodeWords } from '../exit-codes.js';
import { builtInKnownIssues } from '../known-issues/built-in.js';
import {
  renderExplainJson,
  renderExplanation,
  renderWordKinds,
  renderWordList,
} from '../render/text/explain.js';
import { answerWords, deploymentRules, spanRules } from '../render/words/answer.js';
import { indexFaultWords } from '../render/words/index-faults.js';
import { instanceStateWords, readinessWords, verifyOutcomeWords } from '../render/words/instance.js';
import { effectWords } from '../render/words/known-issue-records.js';
import { mergeErrorWords } from '../render/words/merge-errors.js';
import { pinFindingWords } from '../render/words/pin-changes.js';
import { landingWords, reasonWords } from '../render/words/reasons.js';
import { disagreementWords, releaseStatusWords } from '../render/words/release.js';
import { wayBackReasonWords, wayBackWords } from '../render/words/way-back.js';
import type { ExplainedWord, Word } from '../render/words/word.js';
import { didYouMean } from '../shared/did-you-mean.js';
import { quote } from '../shared/quote.js';
import { canaryWords } from '../verify/canary.js';
import { verifyStatusWords } from '../verify/describe.js';
import { pods } from '../verify/pods.js';
import { type CommandContext, widthOf } from './context.js';
import { defineCommand, type OptionsOf, type OptionTable } from './declare.js';
import { json } from './options.js';

const takes = {
  words: {
    flags: '[words...]',
    description:
      'words of an answer ("Direct upgrade", SAFE), reasons, errors, rules (rule-1, or 1) or exit codes (exit-3), or a kind of them, whose words are listed; without one, the kinds are listed',
  },
  ...json,
} as const satisfies OptionTable;

export type ExplainOptions = OptionsOf<typeof takes>;

export const command = defineCommand({
  takes,
  exitCodes: {
    0: 'the word is explained, or the words of the kind are listed',
    2: 'there is no such word, and no such kind',
  },
  examples: [
    'lightspan explain required-stop',
    'lightspan explain unsafe-release rule-5',
    'lightspan explain reasons',
    'lightspan explain --json',
  ],
  run: explain,
});

/** `lightspan explain` */
export async function explain(
  { words, json }: ExplainOptions,
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
