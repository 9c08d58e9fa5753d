import { namesOf } from '../core/accepted.js';
import { LightspanError } from '../core/lightspan-error.js';
import { findNoRelease } from '../core/route/no-release.js';
import {
  type Recommendation,
  type RecommendationRequest,
  recommend,
  recommendedMinAgeMs,
} from '../core/route/recommended.js';
import { planRoute } from '../core/route/route.js';
import { isMajorWithoutNote } from '../core/span.js';
import type { RouteTarget, Version } from '../core/version.js';
import type { CommandContext } from '../door/context.js';
import { isLookedOver } from '../known-issues/horizon.js';
import type { Horizon } from '../known-issues/records.js';
import type { TargetQuestion } from '../question/target.js';
import { describeHorizon } from '../words/evidence/horizon.js';
import type { ChosenTargetWords } from '../words/route/target.js';
import type { EvidenceSource } from './evidence.js';

/** The release that a name with an age selects today. */
export interface ChosenTarget {
  /** Undefined if the user named the version, or if the release is old enough. */
  readonly recommendation: Recommendation | undefined;
  readonly to: RouteTarget;
  /** Why it is this one, for the answer; undefined for a target that was named itself. */
  readonly words: ChosenTargetWords | undefined;
}

/**
 * The release that `recommended` stands for, and with an age `latest-rolling`. Every other target stays as it is.
 *
 * @param orStay whether staying at the running release is an answer too
 * @throws {LightspanError} `nothing-recommended` if no newer release qualifies today; `too-old` if the question
 *   requires records that are not older than the age, and they are
 */
export async function chooseTarget(
  { index, acceptances, knownThrough }: Pick<EvidenceSource, 'index' | 'acceptances' | 'knownThrough'>,
  from: Version,
  { to, minAgeMs, requireRecords }: TargetQuestion,
  { now: clock }: Pick<CommandContext, 'now'>,
  orStay = false,
): Promise<ChosenTarget> {
  const now = clock();
  const age = minAgeMs ?? recommendedMinAgeMs;
  if (requireRecords) requireRecordsSince(knownThrough, now, age);
  if (to !== 'recommended' && (to !== 'latest-rolling' || minAgeMs === undefined))
    return { to, recommendation: undefined, words: undefined };
  // Where nothing rolls, the age is not the reason: the answer is the same as without one.
  if (orStay && to === 'latest-rolling' && planRoute(index, { from, to }).toVersion === from)
    return { to, recommendation: undefined, words: undefined };
  const accepted = namesOf('check', acceptances.inForce);
  const request: RecommendationRequest = {
    ...{ from, now, minAgeMs: age },
    rollingOnly: to === 'latest-rolling',
    isOpenMajor: (major) => !isMajorWithoutNote(major) && !accepted.has(`majors/${major}`),
  };
  const recommendation = recommend(index, request);
  const { describeNothingRecommended, wordsOfTarget } = await import('../words/route/target.js');
  if (recommendation.release === undefined && !orStay && isAnyNewer(recommendation)) {
    const none = findNoRelease(index, { from, to: from });
    if (none !== undefined) {
      const { describeNoRelease } = await import('../answer/builders/no-release.js');
      throw new LightspanError('nothing-recommended', describeNoRelease(none), {
        hint: 'Check the running version, and the age of the index.',
      });
    }
    throw new LightspanError('nothing-recommended', describeNothingRecommended(to, from, recommendation));
  }
  const words = wordsOfTarget(to, from, recommendation, { minAgeMs: age, knownThrough, now });
  return { to: recommendation.release?.version ?? from, recommendation, words };
}

/** On the newest release there is nothing to wait for: the answer is to stay, as for `latest`. */
function isAnyNewer({ tooYoung, passedOver }: Recommendation): boolean {
  return tooYoung !== undefined || passedOver.length > 0;
}

function requireRecordsSince(knownThrough: Horizon | undefined, now: Date, ageMs: number): void {
  if (isLookedOver(knownThrough, ageMs, now)) return;
  const end = knownThrough === undefined ? 'no known issues count' : describeHorizon(knownThrough);
  throw new LightspanError('too-old', `${end}, and --require-records wants them as recent as --min-age`, {
    hint: 'Name newer ones with --known-issues (a URL, or a mirror written today), or leave out --require-records.',
  });
}

/** Where an answer has no place for it, standard error says why it is this release. */
export function noticeTarget(
  { words }: Pick<ChosenTarget, 'words'>,
  { stderr }: Pick<CommandContext, 'stderr'>,
): void {
  if (words === undefined) return;
  stderr.write(`${words.why}\n`);
  if (words.caution !== undefined) stderr.write(`Warning: ${words.caution}.\n`);
}
