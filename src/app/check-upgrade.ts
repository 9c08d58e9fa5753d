import type { Answer, Question } from '../answer/answer.js';
import { renderUpgradeCheckJson } from '../answer/json/document.js';
import { renderCurrentVersion, renderLatest } from '../answer/outputs/messages.js';
import type { Version } from '../core/field-schemas.js';
import { latestVersionOf } from '../core/index/index-summary.js';
import type { ReleaseSafetyIndex } from '../core/index/release-safety-index.js';
import { judgeRoute, rollsInOneStep } from '../core/judge.js';
import { LightspanError } from '../core/lightspan-error.js';
import type { SpanResult } from '../core/results.js';
import { isNoRelease, requireTargetAhead, resolveTarget } from '../core/route/route.js';
import type { Span } from '../core/span.js';
import type { CommandContext } from '../door/context.js';
import { type ExitCode, exitCodeOfAnswer } from '../door/exit-codes.js';
import { type AnswerWanted, writeAnswer } from '../door/write-answer.js';
import type { Demands } from '../known-issues/demands.js';
import type { SpanQuestion, SpanTarget } from '../question/span.js';
import type { JudgedBy } from '../words/evidence/judged-by.js';
import type { ChosenTarget } from './choose-target.js';
import {
  deployOf,
  describeStops,
  type EvidenceSource,
  instanceAnswer,
  judgedBy,
  judgeGivenSpan,
  noticeReasons,
  openEvidence,
} from './evidence.js';
import { type CurrentVersion, findCurrentVersion, statedFacts } from './sources/current-version.js';

/** Judges one span, and writes the answer. It loads no parser of command lines: see `plain.ts`. */
export async function checkUpgrade(
  { running, target, evidence: evidenceQuestion }: SpanQuestion,
  wanted: AnswerWanted,
  context: CommandContext,
): Promise<ExitCode> {
  const { format } = wanted;
  const current = await findCurrentVersion(running, context);
  const requested =
    target.by === 'version' ? target.version : await readTargetOfFile(target, running, current, context);
  const from = current.version;
  // A fault of two given versions is found before anything is fetched.
  requireTargetAhead({ from, to: requested });
  const stated = statedFacts(evidenceQuestion.facts.stated, current.pinned);
  const source = await openEvidence(
    { ...evidenceQuestion, facts: { ...evidenceQuestion.facts, stated } },
    context,
  );
  const { index, leftOut } = source;
  const chosen = await chooseEnd(source, from, requested, target, format, context);
  const span = { from, to: resolveTarget(index, from, chosen.to) };
  const judged = await judgeGivenSpan(source, span, context);
  const { result, evidence } = judged;
  const exitCode = exitCodeOfAnswer(result.safe);
  const latestVersion = latestVersionOf(index);
  if (running.by !== 'version') context.stderr.write(renderCurrentVersion(current));
  if (requested === 'latest') context.stderr.write(renderLatest(latestVersion));
  const stops = await describeStops(judged.stops);
  const by = judgedBy(source, judged);
  const demands = source.demandsOf(span);
  if (format === 'json') await noticeReasons([result], stops, by, context, demands);
  await writeAnswer(
    {
      wanted,
      exitCode,
      leftOut,
      json: () => renderUpgradeCheckJson(result),
      // The code that measures columns takes 1 ms to load.
      strip: async (options) => (await import('../answer/outputs/strip.js')).renderStrip(result, options),
      answer: async () => {
        const { coveredVersions: releases, missingRanges } = result;
        const common = { judgedBy: by, demands, evidence: wanted.words.evidence };
        const none = result.safe ? undefined : await noReleaseAnswer(index, span, result, common);
        if (none !== undefined) return none;
        const { answerOfCheck } = await import('../answer/builders/check.js');
        const hop = { toVersion: span.to, releases, missingRanges };
        const times =
          evidence.known &&
          (await import('../answer/builders/route/hop-details.js')).timesOfHops([hop], evidence.known);
        const route = format === 'text' ? undefined : judgeRoute(evidence, span).route;
        const instance = await instanceAnswer(judged.preflight, stops);
        const answer = answerOfCheck(result, {
          verbose: wanted.verbose,
          latestVersion,
          ...common,
          acceptedToRoll: judged.acceptedToRoll,
          time: times?.[0],
          instance,
          stops,
          deploy: await deployOf(stated, source, current.pinned),
          route,
          rollsTo: () => rollsInOneStep(evidence, from),
          firstHop: () => (route ?? judgeRoute(evidence, span).route).hops[0],
        });
        return withSentences(answer, from === span.to ? undefined : instance, chosen);
      },
    },
    context,
  );
  return exitCode;
}

/** The module that chooses a release is imported only here: a check of two versions chooses none. */
async function chooseEnd(
  source: EvidenceSource,
  from: Version,
  requested: Version | 'latest' | 'recommended',
  { minAgeMs, requireRecords }: SpanTarget,
  format: AnswerWanted['format'],
  world: CommandContext,
): Promise<Pick<ChosenTarget, 'to' | 'words'>> {
  if (requested !== 'recommended' && !requireRecords) return { to: requested, words: undefined };
  const { chooseTarget, noticeTarget } = await import('./choose-target.js');
  const chosen = await chooseTarget(source, from, { to: requested, minAgeMs, requireRecords }, world);
  // The nine keys have no place for it.
  if (format === 'json') noticeTarget(chosen, world);
  return chosen;
}

/** The words of what was chosen and seen are imported only where there are any. */
async function withSentences(
  answer: Answer,
  instance: Question | undefined,
  { words }: Pick<ChosenTarget, 'words'>,
): Promise<Answer> {
  return words || instance
    ? (await import('../answer/builders/instance/question.js')).withSentences(answer, instance, words)
    : answer;
}

/** If the index does not have one of both ends, what is near it. */
async function noReleaseAnswer(
  index: ReleaseSafetyIndex,
  span: Span,
  result: SpanResult,
  by: { readonly judgedBy: JudgedBy; readonly demands: Demands; readonly evidence: readonly string[] },
): Promise<Answer | undefined> {
  if (![span.from, span.to].some((end) => isNoRelease(index, end))) return undefined;
  const { answerOfNoRelease, issuesAmong } = await import('../answer/builders/no-release.js');
  const { factOfVerdict, questionsOfSpan } = await import('../answer/builders/questions.js');
  return answerOfNoRelease(index, span, {
    ...{ command: 'upgrade-check', ...span, ...by },
    facts: [factOfVerdict(false, false)],
    questions: questionsOfSpan(result),
    further: issuesAmong(result.reasons),
  });
}

/**
 * The version that `--to-file` pins for the image that `--from-file` pins: a change of a pin changes only its release.
 */
async function readTargetOfFile(
  { file }: SpanTarget & { readonly by: 'pin' },
  { tagSuffix }: SpanQuestion['running'],
  { pinned }: CurrentVersion,
  { stdin, env }: CommandContext,
): Promise<Version> {
  const { readAgreeingPins } = await import('../pins/places/agreeing.js');
  const giveOtherwise = 'Pass the target version with --to instead.';
  const option = '--to-file';
  const [wanted] = await readAgreeingPins([file], { stdin, env, tagSuffix, giveOtherwise, option });
  const { imageChange } = await import('../core/pins.js');
  const [change] = pinned.flatMap((pin) => imageChange(pin, wanted) ?? []);
  if (change === undefined) return wanted.version;
  const { deployOfPin, describePinFinding, remedyOfPin } = await import('../words/pin-changes.js');
  const { nameOfPin } = await import('../pins/yaml/pinned-version.js');
  const deploy = deployOfPin(wanted);
  throw new LightspanError('invalid-pin', `${nameOfPin(wanted)}: ${describePinFinding(change, deploy)}`, {
    hint: remedyOfPin(change, deploy),
  });
}
