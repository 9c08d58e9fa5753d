import type { PassedOver, Recommendation } from '../../core/route/recommended.js';
import { compact } from '../../core/text/compact.js';
import { compareVersions, requireVersion, type Target, type Version } from '../../core/version.js';
import { isLookedOver } from '../../known-issues/horizon.js';
import type { Horizon } from '../../known-issues/records.js';
import { countOf, describeAge, describeSeconds, listNames } from '../phrase.js';

interface Circumstances {
  readonly minAgeMs: number;
  /** How far known issues reach; undefined if they do not count. */
  readonly knownThrough: Horizon | undefined;
  readonly now: Date;
}

/** Why this release and no other, and what the choice does not rest on. */
export interface ChosenTargetWords {
  readonly why: string;
  /** The caution that the headline adds: an age alone protects nobody. */
  readonly caution: string | undefined;
}

export function wordsOfTarget(
  target: Target,
  from: Version,
  recommendation: Recommendation,
  circumstances: Circumstances,
): ChosenTargetWords {
  const { release } = recommendation;
  const why =
    release === undefined
      ? describeNothingRecommended(target, from, recommendation)
      : `Target: ${target}; ${release.version} is ${describeAge(release.ageMs)}${because(recommendation)}`;
  const cautions = compact(
    release && cautionOf(release.version, circumstances),
    release && target === 'recommended' && outOfReach(recommendation),
  );
  return { why, caution: cautions.length === 0 ? undefined : cautions.join('; ') };
}

/** Where no route leads to what is newest, another release is no more than the best that can be had today. */
function outOfReach({ passedOver: [newest] }: Recommendation): string | undefined {
  return newest?.why.kind === 'no-certified-route'
    ? `${newest.version} is out of reach, and --to latest says why`
    : undefined;
}

/** Where records do not reach the release, or are older than it has to be, nobody may have looked at it. */
function cautionOf(version: Version, { minAgeMs, knownThrough, now }: Circumstances): string | undefined {
  if (knownThrough === undefined) return 'known issues do not count here: an age protects only with records';
  const ageMs = now.getTime() - Date.parse(knownThrough.asOf);
  const isBehind = compareVersions(version, requireVersion(knownThrough.version)) > 0;
  if (isLookedOver(knownThrough, minAgeMs, now) && !isBehind) return undefined;
  const when = ageMs < 172_800_000 ? `as of ${knownThrough.asOf}` : `${describeSeconds(ageMs / 1000)} ago`;
  return `records end at ${knownThrough.version}, ${when}: an age protects only with records`;
}

export function describeNothingRecommended(
  target: Target,
  from: Version,
  recommendation: Recommendation,
): string {
  const { firstOn, tooYoung, passedOver } = recommendation;
  const first =
    firstOn && `; the first will be on ${firstOn.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const why =
    tooYoung === undefined && passedOver.length === 0 ? ': it is the newest' : because(recommendation);
  const what =
    target === 'recommended' ? 'is recommended' : 'can be reached by rolling hops and is old enough';
  return `no release newer than ${from} ${what} today${why}${first ?? ''}`;
}

function because({ tooYoung, passedOver }: Recommendation): string {
  const young =
    tooYoung &&
    `${tooYoung.newest} is ${describeAge(tooYoung.ageMs)}${tooYoung.count > 1 ? ` (${countOf(tooYoung.count, 'release')} too young)` : ''}`;
  const shown = passedOver.slice(0, 3).map(describePassedOver);
  const more = passedOver.length > 3 && `and ${passedOver.length - 3} more`;
  return compact(young, ...shown, more)
    .map((part) => `; ${part}`)
    .join('');
}

function describePassedOver({ version, why }: PassedOver): string {
  if (why.kind === 'known-issue')
    return `${version} is skipped: ${listNames(why.issues.map(({ id }) => id))}`;
  if (why.kind === 'open-major')
    return `${version} is skipped: ${why.major} is a major (--accept majors/${why.major} once its notes are done)`;
  return why.kind === 'not-rolling'
    ? `${version} is skipped: no rolling hops lead there`
    : `${version} is skipped: no complete route leads there`;
}
