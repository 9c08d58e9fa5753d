import {
  renderExplainJson,
  renderExplanation,
  renderWordKinds,
  renderWordList,
} from '../answer/outputs/explain.js';
import { canaryWords } from '../checks/after-upgrade/canary.js';
import { verifyStatusWords } from '../checks/after-upgrade/describe.js';
import { pods } from '../checks/after-upgrade/pods.js';
import { checks } from '../checks/checks.js';
import { decisionWords } from '../checks/decision.js';
import { findingStatusWords, findingWords } from '../checks/describe.js';
import { LightspanError } from '../core/lightspan-error.js';
import { didYouMean } from '../core/text/did-you-mean.js';
import { quote } from '../core/text/quote.js';
import type { CommandContext } from '../door/context.js';
import { defineCommand, type OptionsOf, type OptionTable } from '../door/declare.js';
import { type ExitCode, errorWords, exitCodes, exitCodeWords } from '../door/exit-codes.js';
import { json } from '../door/options/options.js';
import { writeResult } from '../door/write-answer.js';
import { builtInKnownIssues } from '../known-issues/built-in.js';
import { answerWords, deploymentRules, spanRules } from '../words/answer.js';
import { indexFaultWords } from '../words/evidence/index-faults.js';
import { effectWords } from '../words/evidence/known-issues.js';
import { disagreementWords, releaseStatusWords } from '../words/evidence/release.js';
import { headingWords } from '../words/headings.js';
import { instanceStateWords, readinessWords, verifyOutcomeWords } from '../words/instance-state.js';
import { mergeErrorWords } from '../words/merge-errors.js';
import { pinFindingWords } from '../words/pin-changes.js';
import { landingWords, reasonWords } from '../words/route/reasons.js';
import { wayBackReasonWords, wayBackWords } from '../words/route/way-back.js';
import type { ExplainedWord } from '../words/word.js';

const takes = {
  words: {
    flags: '[words...]',
    description:
      'words of an answer ("Direct upgrade", SAFE), reasons, errors, rules (rule-1, or 1) or exit codes ' +
      '(exit-3); a kind lists its words; no word lists the kinds',
  },
  ...json,
} as const satisfies OptionTable;

type ExplainOptions = OptionsOf<typeof takes>;

type Topic = Omit<ExplainedWord, 'group'>;

export const command = defineCommand({
  takes,
  exitCodes: {
    0: 'the word is explained, or the words of the kind are listed',
    2: 'there is no such word or kind',
  },
  examples: [
    'lightspan explain required-stop',
    'lightspan explain unsafe-release rule-5',
    'lightspan explain reasons',
    'lightspan explain --json',
  ],
  run: explain,
});

async function explain({ words, ...options }: ExplainOptions, context: CommandContext): Promise<ExitCode> {
  const text = words.join(' ');
  const kind = wordKinds[kebab(text)];
  // `Direct upgrade:` is one term, with or without quotes.
  const asOne = kind === undefined ? meaningsOf(text) : topics.filter(({ group }) => group === kind);
  const explained = words.length === 0 ? topics : asOne.length > 0 ? asOne : words.flatMap(findTopics);
  await writeResult(options, context, {
    json: () => renderExplainJson(explained),
    text: ({ width }) => {
      if (words.length === 0) return renderWordKinds(wordKinds, topics, width);
      return (kind === undefined ? renderExplanation : renderWordList)(explained, width);
    },
  });
  return exitCodes.yes;
}

/** Every meaning of a word: `required-stop` is a reason, and also a reason why a hop lands. */
function findTopics(text: string): ExplainedWord[] {
  const found = meaningsOf(text);
  if (found.length > 0) return found;
  const knownWords = [...Object.keys(wordKinds), ...topics.map((topic) => topic.word)];
  const near = didYouMean(kebab(text), [...new Set(knownWords)]);
  throw new LightspanError('usage', `there is nothing to explain for ${quote(text)}${near}`, {
    hint: 'lightspan explain lists the kinds of words; lightspan explain <kind> lists the words of one.',
  });
}

/** The meanings of a word as an answer prints it: a label, a heading or a key of JSON, also in the plural. */
function meaningsOf(text: string): ExplainedWord[] {
  const word = kebab(text);
  const called = (name: string) =>
    topics.filter(({ word, label = word }) => kebab(word) === name || kebab(label) === name);
  // `required-stops` is an effect of a known issue, and also the plural of a reason.
  return [...new Set([...called(aliases.get(word) ?? word), ...called(word.replace(/s$/, ''))])];
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

const aliases: ReadonlyMap<string, string> = new Map([
  ['from-version', 'from'],
  ['to-version', 'to'],
  ['jump', 'direct-upgrade'],
  ['rolling', 'rolling-update'],
  ['covered-versions', 'covered-release'],
  ['min-previous-version', 'minimum-previous-version'],
  ['floor', 'index-floor'],
  ['unproven', 'certified'],
  ['certified-route', 'complete-route'],
  ['artifacts-read', 'judged-by'],
  ['way-back', 'going-back'],
  ['rollback', 'going-back'],
]);

/** Every kind of word, by the name that `explain` takes for it: its title and its words, rules first. */
const kinds = {
  'span-rules': ['Span rules', named(spanRules, 'rule-')],
  'answer-words': ['Words of an answer', [...named(answerWords), ...named(headingWords)]],
  reasons: ['Reasons of a span, and what blocks a route', named(reasonWords)],
  landings: ['Why a hop ends where it does', named(landingWords)],
  'ways-back': ['Going back from a hop', named(wayBackWords)],
  'way-back-reasons': ['Why going back costs that', named(wayBackReasonWords)],
  'release-states': ['Status of a release in a report', named(releaseStatusWords)],
  disagreements: ['Disagreements of index and artifacts', named(disagreementWords)],
  'pin-findings': ['Findings of pin-check', named(pinFindingWords)],
  'instance-states': ['States of an instance', named(instanceStateWords)],
  readiness: ['Reasons of readyz', named(readinessWords)],
  'verify-outcomes': ['Outcomes of upgrade-verify', named(verifyOutcomeWords)],
  'verify-states': ['How a part of upgrade-verify ends', named(verifyStatusWords)],
  'pod-findings': ['Pods after an upgrade', named(pods.finds)],
  canary: ['The query of --canary', named(canaryWords)],
  checks: ['Checks of upgrade-preflight', checkTopics()],
  'preflight-findings': ['Findings of upgrade-preflight', named(findingWords)],
  'check-states': ['How a check ends', named(findingStatusWords)],
  'preflight-answers': ['Answers of upgrade-preflight', named(decisionWords)],
  'deployment-rules': ['Deployment rules', named(deploymentRules, 'deployment-')],
  effects: ['Effects of a known issue', named(effectWords)],
  issues: ['Known issues', knownIssueTopics()],
  notes: ['Notes on releases', noteTopics()],
  'index-faults': ['Faults of an index', named(indexFaultWords)],
  'merge-errors': ['Errors of a merge', named(mergeErrorWords)],
  'error-codes': ['Error codes', named(errorWords)],
  'exit-codes': ['Exit codes', named(exitCodeWords, 'exit-')],
} satisfies Readonly<Record<string, readonly [title: string, words: readonly Topic[]]>>;

export const topics: readonly ExplainedWord[] = Object.values(kinds).flatMap(([group, words]) =>
  words.map((word) => ({ ...word, group })),
);

export const wordKinds: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(kinds).map(([kind, [title]]) => [kind, title]),
);

function knownIssueTopics(): Topic[] {
  return builtInKnownIssues.records.map(({ id, summary, details, remedy }) => ({
    word: id,
    meaning: `${summary} ${details}`,
    remedy,
  }));
}

/** Notes are not known issues: they are shown, and stop nothing. */
function noteTopics(): Topic[] {
  return builtInKnownIssues.notes.map(({ id, summary, details }) => ({
    word: id,
    meaning: `${summary} ${details} Its sources: lightspan known-issues show ${id}.`,
  }));
}

function named(words: Readonly<Record<string, Omit<Topic, 'word'> | string>>, before = ''): Topic[] {
  return Object.entries(words).map(([name, word]) => ({
    word: before + name,
    ...(typeof word === 'string' ? { meaning: word } : word),
  }));
}

/** The checks without their findings, each of which is a separate word. */
function checkTopics(): Topic[] {
  return [...checks, pods].map(({ id, meaning }) => ({ word: id, meaning }));
}
