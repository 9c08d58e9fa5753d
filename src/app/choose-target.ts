import type { CommandContext } from '../cli/context.js';
import { namesOf } from '../core/accepted.js';
import { LightspanError } from '../core/lightspan-error.js';
import type { Recommendation, RecommendationRequest } from '../core/route/recommended.js';
import { isMajorWithoutNote } from '../core/span.js';
import type { RouteTarget, Version } from '../core/version.js';
import type { TargetQuestion } from '../question/target.js';
import type { EvidenceSource } from './evidence.js';

/** What a name with an age stands for today. */
export interface ChosenTarget {
  /** Undefined: the target was named itself, or is as old as it may be. */
  readonly recommendation: Recommendation | undefined;
  readonly to: RouteTarget;
}

const recommendedMinAgeMs = 96 * 3_600_000;

/**
 * The release that `recommended` stands for, and with an age `latest-rolling`. Every other target stays as it is. Why it
 * is this one goes to standard error.
 *
 * @param orStay whether staying at the running release is an answer too
 * @throws {LightspanError} `nothing-recommended` if no newer release qualifies today
 */
export async function chooseTarget(
  { index, acceptances, knownThrough }: EvidenceSource,
  from: Version,
  { to, minAgeMs }: TargetQuestion,
  { now, stderr }: Pick<CommandContext, 'now' | 'stderr'>,
  orStay = false,
): Promise<ChosenTarget> {
  if (to !== 'recommended' && (to !== 'latest-rolling' || minAgeMs === undefined))
    return { to, recommendation: undefined };
  const accepted = namesOf('check', acceptances.inForce);
  const request: RecommendationRequest = {
    from,
    now: now(),
    minAgeMs: minAgeMs ?? recommendedMinAgeMs,
    rollingOnly: to === 'latest-rolling',
    isOpenMajor: (major) => !isMajorWithoutNote(major) && !accepted.has(`majors/${major}`),
  };
  const { recommend } = await import('../core/route/recommended.js');
  const recommendation = recommend(index, request);
  const { describeNothingRecommended, linesOfRecommendation } = await import(
    '../answer/words/recommended.js'
  );
  if (recommendation.release === undefined && !orStay) {
    throw new LightspanError('nothing-recommended', describeNothingRecommended(to, from, recommendation));
  }
  const lines = linesOfRecommendation(to, from, recommendation, {
    minAgeMs: request.minAgeMs,
    knownThrough,
  });
  for (const line of lines) stderr.write(`${line}\n`);
  return { to: recommendation.release?.version ?? from, recommendation };
}
