import type { Verdict } from './field-schemas.js';
import type { IndexEntry } from './index/index-schema.js';
import type { ReleaseSafetyIndex, Versions } from './index/release-safety-index.js';
import { LightspanError } from './lightspan-error.js';
import type { AppliedIssue, IssueEffect, MissingRange, Reason, SpanResult, Strategy } from './results.js';
import { compareVersions, parseVersion, type Version } from './version.js';

export type { MissingRange, Reason, SpanResult };

/** A step from the running version to the wanted version: exclusive of `from`, inclusive of `to` (span rule 2). */
export interface Span {
  readonly from: Version;
  readonly to: Version;
}

/** Why a verdict counts as unknown: it says so, or it is the true of a backfilled release, which proves nothing. */
export type UnknownVerdict =
  | { readonly rule: 1; readonly backfilled: boolean }
  | { readonly rule: 6; readonly backfilled: true };

/** What a release, a gap or a rule has against a span. */
export type ReasonKind = Reason['kind'];

type Question = 'jump' | 'rolling';

/** Which of the two questions a reason answers with no or, if the index has a gap, leaves open. */
export function questionOf(
  reason: { readonly kind: Exclude<ReasonKind, 'known-issue'> } | Extract<Reason, { kind: 'known-issue' }>,
): Question {
  return questions[reason.kind === 'known-issue' ? reason.effect.kind : reason.kind];
}

const questions: Readonly<Record<IssueEffect['kind'] | Exclude<ReasonKind, 'known-issue'>, Question>> = {
  'below-index-floor': 'jump',
  'missing-coverage': 'jump',
  'required-stop': 'jump',
  'below-minimum-version': 'jump',
  'unsafe-release': 'rolling',
  'unknown-release': 'rolling',
  'avoid-landing': 'jump',
  'required-stops': 'jump',
  'action-first': 'jump',
  recreate: 'rolling',
  long: 'rolling',
};

/**
 * Whether a span is proven safe to roll, by span rules 1 to 7 and by what is known against its releases. An issue can
 * only turn a yes into a no; `verdict` stays the publisher's.
 *
 * @throws {LightspanError} `downgrade`
 */
export function evaluateSpan(index: ReleaseSafetyIndex, span: Span): SpanResult {
  const { from, to } = span;
  const releases = releasesOfSpan(index, span);
  const missingRanges = findMissingRanges(index, span, releases);
  const floor = floorAbove(index, from);
  const stops = collectRequiredStops(releases, { from, to, floor });
  const minimum = releases.reduce(higherMinimum, null);
  const belowMinimum = minimum !== null && compareVersions(from, minimum) < 0;
  const issues = issuesOf(index, span).map((issue) => ({ kind: 'known-issue' as const, ...issue }));

  const reasons: Reason[] = [];
  if (floor !== undefined) reasons.push({ kind: 'below-index-floor', rule: 5, floor });
  for (const range of missingRanges) reasons.push({ kind: 'missing-coverage', rule: 7, range });
  for (const [stop, demandedBy] of stops) reasons.push({ kind: 'required-stop', rule: 3, stop, demandedBy });
  if (belowMinimum) {
    const demandedBy = releases.filter((r) => r.minPreviousVersion === minimum).map((r) => r.version);
    reasons.push({ kind: 'below-minimum-version', rule: 4, minimum, demandedBy });
  }

  const covered = missingRanges.length === 0;
  const verdicts = releases.map(verdictOf);
  const unproven = releases.filter((_, i) => verdicts[i] !== true).map(whyUnproven);
  const verdict = covered ? composeVerdicts(verdicts) : 'unknown';
  const takesBack = (question: Question) => issues.some((issue) => questionOf(issue) === question);
  const forbidden = floor !== undefined || stops.size > 0 || belowMinimum || takesBack('jump');
  const direct = forbidden ? false : covered ? true : 'unknown';
  const rolling = verdict === true && !takesBack('rolling');
  return {
    fromVersion: from,
    toVersion: to,
    direction: from === to ? 'same-version' : 'upgrade',
    safe: direct === true && rolling,
    verdict,
    requiredStops: [...new Set([...stops.keys(), ...issues.flatMap(stopsOfIssue)])],
    minPreviousVersion: minimum,
    coveredVersions: releases.map((r) => r.version),
    missingRanges,
    jump: direct,
    rolling,
    reasons: [...reasons, ...unproven, ...issues],
  };
}

/**
 * Whether the only thing that forbids one direct upgrade is that its target is itself a required stop. A check is
 * strict about that (span rule 3); a route lands there, which is all that the rule asks for.
 */
export function isOntoStop({ reasons, toVersion, jump }: SpanResult): boolean {
  const forbidding = reasons.filter((reason) => questionOf(reason) === 'jump');
  const isStop = (reason: Reason) => reason.kind === 'required-stop' && reason.stop === toVersion;
  return jump === false && forbidding.length > 0 && forbidding.every(isStop);
}

/**
 * Reads the two ends of a span.
 *
 * @throws {LightspanError} `invalid-version` for an end that is not a version; `downgrade` if `to` is older than
 *   `from`, because the index covers forward steps only
 */
export function parseSpan({ from, to }: Readonly<Record<'from' | 'to', string>>): Span {
  const span = { from: parseVersion(from), to: parseVersion(to) };
  requireForward(span);
  return span;
}

export const toGoBack = 'To go back, restore the database backup taken before the upgrade.';

/** @throws {LightspanError} `downgrade` */
export function requireForward({ from, to }: Span): void {
  if (compareVersions(from, to) <= 0) return;
  throw new LightspanError(
    'downgrade',
    `${to} is older than ${from}, and the index covers forward steps only`,
    { hint: toGoBack },
  );
}

export function releasesOfSpan(index: ReleaseSafetyIndex, { from, to }: Span): readonly IndexEntry[] {
  requireForward({ from, to });
  const { versions } = index;
  return index.entriesBetween(firstNewerThan(versions, from), firstNewerThan(versions, to));
}

export function hasRelease({ versions }: ReleaseSafetyIndex, version: Version): boolean {
  const newer = firstNewerThan(versions, version);
  return newer > 0 && versions.at(newer - 1) === version;
}

/** The verdict of a release as it counts: by span rule 6, no rolling update may cross a backfilled release. */
export function verdictOf({ rollingUpdateSafe, backfilled }: IndexEntry): Verdict {
  return backfilled && rollingUpdateSafe === true ? 'unknown' : rollingUpdateSafe;
}

/** Why the verdict of a release is unknown. Call it only if `verdictOf` returns unknown. */
export function whyUnknown({ rollingUpdateSafe, backfilled }: IndexEntry): UnknownVerdict {
  return backfilled && rollingUpdateSafe === true ? { rule: 6, backfilled } : { rule: 1, backfilled };
}

/** Span rules 1 and 2: `true` only if every verdict is exactly `true`. */
export function composeVerdicts(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes(false)) return false;
  return verdicts.every((verdict) => verdict === true) ? true : 'unknown';
}

/**
 * Span rule 7. Each release must follow the one before it, and the first must follow the start, whether or not that is
 * in the index. Another `previousVersion` means that releases between the two are not in the index.
 */
function findMissingRanges(
  index: ReleaseSafetyIndex,
  { from, to }: Span,
  releases: readonly IndexEntry[],
): MissingRange[] {
  const missing = hasRelease(index, from) ? [] : [{ afterVersion: from, beforeVersion: from }];
  let before = from;
  for (const { version, previousVersion } of releases) {
    if (previousVersion !== before) missing.push({ afterVersion: before, beforeVersion: version });
    before = version;
  }
  if (before !== to) missing.push({ afterVersion: before, beforeVersion: to });
  return missing;
}

/**
 * Span rules 3 and 5: each stop inside the span, in first-seen order with the floor first, and who requires it. A
 * release that is marked as a stop is one, whatever it lists, even if it is not the floor.
 */
export function collectRequiredStops(
  releases: readonly IndexEntry[],
  { from, to, floor }: { readonly from: Version; readonly to: Version; readonly floor: Version | undefined },
): Map<Version, Version[]> {
  const stops = new Map<Version, Version[]>();
  if (floor !== undefined && compareVersions(floor, to) <= 0) stops.set(floor, []);
  for (const { version, requiredStops, syntheticRequiredStop } of releases.filter(requiresStops)) {
    for (const stop of new Set(syntheticRequiredStop ? [...requiredStops, version] : requiredStops)) {
      if (compareVersions(stop, from) <= 0 || compareVersions(stop, to) > 0) continue;
      const demandedBy = stops.get(stop);
      if (demandedBy === undefined) stops.set(stop, [version]);
      else demandedBy.push(version);
    }
  }
  return stops;
}

function requiresStops({ requiredStops, syntheticRequiredStop }: IndexEntry): boolean {
  return requiredStops.length > 0 || syntheticRequiredStop;
}

/** The known issues that apply, or may apply, to one upgrade. An upgrade that begins later never has more of them. */
export function issuesOf(
  { knownIssues }: Pick<ReleaseSafetyIndex, 'knownIssues'>,
  { from, to }: Span,
): AppliedIssue[] {
  return knownIssues
    .ofLanding(to)
    .filter(({ startsBefore }) => compareVersions(from, startsBefore) < 0)
    .map(({ appliedTo }) => appliedTo({ from, to }));
}

/**
 * The majors that a span crosses, oldest first. By the publisher's rule each asks for an action; neither its index nor
 * its artifacts mark one.
 */
export function majorsCrossed({ from, to }: Span): Version[] {
  const [first, last] = [majorOf(from), majorOf(to)];
  // A mistyped version, such as 11210.0.0, may be millions of majors away.
  const count = Math.min(Math.max(0, last - first), 50);
  return Array.from({ length: count }, (_, i) => parseVersion(`${first + 1 + i}.0.0`));
}

/** The majors for which the publisher's notes listed nothing to do when they were read. */
export const majorsWithoutNote = { versions: ['1.0.0', '2.0.0'], readOn: '2026-11-27' } as const;

export function isMajorWithoutNote(major: Version): boolean {
  return majorsWithoutNote.versions.some((version) => version === major);
}

export function majorOf(version: Version): number {
  return Number(version.split('.', 1));
}

/** The floor, if a span begins below it (span rule 5). */
export function floorAbove(
  { backfillFloorVersion: floor }: ReleaseSafetyIndex,
  from: Version,
): Version | undefined {
  return floor !== null && compareVersions(from, floor) < 0 ? floor : undefined;
}

/** The known issues of a release that nobody should install, whatever ran before. */
export function issuesOfInstalling({ knownIssues }: ReleaseSafetyIndex, version: Version): AppliedIssue[] {
  return knownIssues
    .ofLanding(version)
    .filter(({ effect, startsBefore }) => effect === 'avoid-landing' && startsBefore === version)
    .map(({ appliedTo }) => appliedTo({ from: version, to: version }));
}

/** The stops that an issue requires; most require none. */
export function stopsOfIssue({ effect }: AppliedIssue): readonly Version[] {
  return effect.kind === 'required-stops' ? effect.stops : [];
}

/** Span rules 1, 2 and 6. */
function whyUnproven(release: IndexEntry): Reason {
  const { version } = release;
  return verdictOf(release) === false
    ? { kind: 'unsafe-release', rule: 2, version }
    : { kind: 'unknown-release', version, ...whyUnknown(release) };
}

function higherMinimum(minimum: Version | null, { minPreviousVersion }: IndexEntry): Version | null {
  return minPreviousVersion === minimum ? minimum : higherVersion(minimum, minPreviousVersion);
}

/** The stricter of two minimums (span rule 4). */
export function higherVersion(a: Version | null, b: Version | null): Version | null {
  if (a === null || b === null) return a ?? b;
  return compareVersions(a, b) >= 0 ? a : b;
}

/** The position, in a list from old to new, of the first version that is newer. */
export function firstNewerThan(versions: Versions, version: Version): number {
  let low = 0;
  let high = versions.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const probe = versions.at(middle);
    if (probe !== undefined && compareVersions(probe, version) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The position, in a list from old to new, of the first version that meets `version` as a minimum. */
export function firstNotOlder(versions: Versions, version: Version): number {
  const newer = firstNewerThan(versions, version);
  return newer > 0 && versions.at(newer - 1) === version ? newer - 1 : newer;
}

export type { Strategy };

/** `RollingUpdate` only for exactly `true` (span rule 1); anything else means a downtime. */
export function strategyFor(verdict: Verdict): Strategy {
  return verdict === true ? 'RollingUpdate' : 'Recreate';
}
