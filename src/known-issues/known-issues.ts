import type { IssueOfLanding, KnownIssuesOf, Versions } from '../core/index/release-safety-index.js';
import type { AppliedIssue, AppliedNote, IssueEffect } from '../core/results.js';
import { firstNewerThan, firstNotOlder, higherVersion, type Span } from '../core/span.js';
import { compareVersions, isOlder, requireVersion, type Version } from '../core/version.js';
import type { FactName, Facts, FactValue } from '../instance/facts/fact-names.js';
import { isOnWord } from './record-forms.js';
import type { Condition, KnownIssue, KnownRecord, Note } from './records.js';

/**
 * The issues that apply, or may apply, to one instance. A condition whose fact is not known counts as met. A record
 * takes nothing back from the date on at which it is withdrawn.
 */
export function knownIssuesOf(records: readonly KnownIssue[], facts: Facts, now: Date): KnownIssuesOf {
  const candidates = candidatesOf(records, facts, now);
  return (versions) => {
    const placed = candidates.map((candidate) => ({
      ...candidate,
      passed: passedRanges(candidate.record, versions),
    }));
    // From one of these to the next, all landings are in the same ranges: a route asks thousands.
    const turns = [...new Set(placed.flatMap(endsOfRanges))].sort(compareVersions);
    // A check asks about one landing: of the other turns, nothing is worked out.
    const between: (readonly IssueAt[])[] = [];
    const issuesFrom = (position: number): readonly IssueAt[] => {
      const turn = turns[position];
      if (turn === undefined) return [];
      between[position] ??= placed.flatMap((candidate) => issueFrom(candidate, turn) ?? []);
      return between[position];
    };
    const issuesByVersion = new Map<Version, readonly IssueOfLanding[]>();
    return {
      ofLanding: (to) => {
        let issues = issuesByVersion.get(to);
        if (issues === undefined) {
          issues = issuesFrom(firstNewerThan(turns, to) - 1).flatMap((issueAt) => issueAt(to) ?? []);
          issuesByVersion.set(to, issues);
        }
        return issues;
      },
    };
  };
}

/**
 * The notes that apply, or may apply, to one upgrade of an instance: what they tell is so at its end, and not yet
 * before.
 */
export function notesOf(
  notes: readonly Note[],
  facts: Facts,
  now: Date,
): (span: Span) => readonly AppliedNote[] {
  const candidates = candidatesOf(notes, facts, now);
  return ({ from, to }) =>
    candidates
      .flatMap(({ record, notKnown }) => {
        const startOf = (range: { readonly introduced: Version }) =>
          record.fromBefore === false ? to : range.introduced;
        const range = record.affected.find((range) => holds(range, to) && isOlder(from, startOf(range)));
        if (range === undefined) return [];
        const { id, summary, concerns, before = null, after = null, references } = record;
        const version = range.introduced;
        const urls = references.map(({ url }) => url);
        return [{ id, version, summary, concerns, before, after, references: urls, notKnown }];
      })
      .sort((a, b) => compareVersions(a.version, b.version));
}

/** The records that may apply to an instance, with the facts that would settle it. */
function candidatesOf<Record extends KnownRecord>(records: readonly Record[], facts: Facts, now: Date) {
  return records.flatMap((record) => {
    const met = record.conditions.map((condition) => isMet(condition, facts));
    if (isWithdrawn(record, now) || met.includes(false)) return [];
    const notKnown = record.conditions.filter((_, i) => met[i] === undefined).map(({ fact }) => fact);
    return [{ record, notKnown: [...new Set(notKnown)] }];
  });
}

/** An issue that applies, or may apply, to the instance. */
interface Candidate {
  readonly record: KnownIssue;
  readonly notKnown: readonly string[];
  readonly passed: readonly PassedRange[];
}

function endsOfRanges({ record: { affected } }: Pick<Candidate, 'record'>): readonly Version[] {
  return affected.flatMap(({ introduced, fixed = [] }) => [introduced, fixed].flat());
}

/**
 * The upgrades that an issue applies to, and the newest release on their route that it is about. Where it is partial,
 * the landing itself is meant.
 */
type Bound = Readonly<Record<'startsBefore' | 'version', Version>>;

/** A range of a record, for landings on the release that fixes it, or on a later one. */
type PassedRange = Bound & { readonly fixed: Version };

/** The ranges that count for upgrades that only pass them: none of a record that is about landings. */
function passedRanges({ when, affected }: KnownIssue, versions: Versions): readonly PassedRange[] {
  if (when === 'landing') return [];
  return affected.flatMap(({ introduced, fixed }) => {
    if (fixed === undefined) return [];
    // The release that the range names counts even if it is not in the index.
    const until = firstNotOlder(versions, fixed);
    const last = until > 0 ? versions.at(until - 1) : undefined;
    const version = last !== undefined && isOlder(introduced, last) ? last : introduced;
    // While old and new pods overlap, the running release takes part as well.
    return [{ startsBefore: when === 'overlap' ? fixed : version, version, fixed }];
  });
}

/** The issue of a landing between two such versions; undefined if it applies to no upgrade to there. */
type IssueAt = (to: Version) => IssueOfLanding | undefined;

/** Up to the next version at which a range begins or ends. A route asks it thousands of times: little is made anew. */
function issueFrom(candidate: Candidate, turn: Version): IssueAt | undefined {
  const bound = boundFrom(candidate, turn);
  if (bound === undefined) return undefined;
  const { notKnown, record } = candidate;
  const { id, summary, effect, remedy } = record;
  const appliedTo = ({ from, to }: Span): AppliedIssue => {
    const { version = to } = bound;
    const newest = isOlder(version, from) ? from : version;
    return { id, summary, version: newest, effect: effectOf(effect, { from, to }), remedy, notKnown };
  };
  const before = (startsBefore: Version) => ({ id, startsBefore, effect: effect.kind, appliedTo });
  const { startsBefore } = bound;
  if (effect.kind === 'required-stops') {
    return (to) => {
      const last = lastStart(startsBefore ?? to, effect.stops, to);
      return last && before(last);
    };
  }
  if (startsBefore === undefined) return before;
  const issue = before(startsBefore);
  return () => issue;
}

/** The widest bound for upgrades to a release; undefined if the record is about none of them. */
function boundFrom(
  { record: { affected, fromBefore }, passed }: Candidate,
  turn: Version,
): Partial<Bound> | undefined {
  const around = affected.filter((range) => holds(range, turn));
  // The landing itself: no upgrade to it starts later.
  if (around.length > 0 && fromBefore !== true) return {};
  const passing = passed.filter(({ fixed }) => !isOlder(turn, fixed));
  const starts = [
    ...around.map(({ introduced }) => introduced),
    ...passing.map((range) => range.startsBefore),
  ];
  const startsBefore = starts.reduce<Version | null>(higherVersion, null);
  if (startsBefore === null) return undefined;
  const version = passing.map((range) => range.version).reduce<Version | null>(higherVersion, null);
  return version === null ? { startsBefore } : { startsBefore, version };
}

/** Landing on a stop satisfies it, so the last stop before the landing is the last start to which the issue applies. */
function lastStart(startsBefore: Version, stops: readonly Version[], to: Version): Version | undefined {
  const stop = stops.filter((stop) => isOlder(stop, to)).at(-1);
  return stop === undefined || isOlder(stop, startsBefore) ? stop : startsBefore;
}

function effectOf(effect: KnownIssue['effect'], { from, to }: Span): IssueEffect {
  if (effect.kind !== 'required-stops') return effect;
  return { ...effect, stops: effect.stops.filter((stop) => isOlder(from, stop) && isOlder(stop, to)) };
}

/** Whether a record is about a release newer than `from` and up to `to`, by its ranges; a missing end sets no limit. */
export function isAboutReleases(
  { affected }: KnownRecord,
  { from, to }: { readonly from?: Version; readonly to?: Version },
): boolean {
  return affected.some(
    ({ introduced, fixed }) =>
      (to === undefined || !isOlder(to, introduced)) &&
      (from === undefined || fixed === undefined || isOlder(from, fixed)),
  );
}

/** Whether a record is about one release, in whatever way, and is not withdrawn. */
export function isAboutRelease(record: KnownRecord, version: Version, now: Date): boolean {
  return !isWithdrawn(record, now) && record.affected.some((range) => holds(range, version));
}

/** An issue of a release for whoever runs it, and the facts that would settle whether it applies. */
export interface RunningIssue extends Pick<KnownIssue, 'id' | 'summary' | 'remedy'> {
  readonly notKnown: readonly string[];
}

/**
 * The known issues of a release for those who run it: without issues of the way to it, and without stops on the way
 * from it.
 */
export function issuesOfRunning(
  records: readonly KnownIssue[],
  facts: Facts,
  running: Version,
  now: Date,
): readonly RunningIssue[] {
  return candidatesOf(records, facts, now).flatMap(({ record, notKnown }) => {
    const { id, summary, remedy, when, fromBefore, effect, affected } = record;
    const isOfWay = when !== 'landing' || fromBefore === true || effect.kind === 'required-stops';
    if (isOfWay || !affected.some((range) => holds(range, running))) return [];
    return [{ id, summary, remedy, notKnown }];
  });
}

/** A withdrawal may be announced: until its date, the record counts. */
export function isWithdrawn({ withdrawn }: KnownRecord, now: Date): boolean {
  return withdrawn !== undefined && Date.parse(withdrawn) <= now.getTime();
}

function holds({ introduced, fixed }: KnownIssue['affected'][number], version: Version): boolean {
  return !isOlder(version, introduced) && (fixed === undefined || isOlder(version, fixed));
}

/** Whether a condition applies to an instance; undefined if its fact is not known, which settles nothing. */
export function isMet(condition: Condition, facts: Facts): boolean | undefined {
  const value = facts.get(condition.fact as FactName);
  if (value === undefined) return undefined;
  if (isOnWord(condition)) return value === condition.is;
  const { atLeast, below } = condition;
  return (
    (atLeast === undefined || !isBelow(value, atLeast)) && (below === undefined || isBelow(value, below))
  );
}

/** Compares numbers by size and versions by SemVer: a pre-release comes before the version it leads to. */
function isBelow(value: FactValue, bound: number | Version): boolean {
  if (typeof bound === 'number') return Number(value) < bound;
  const [release = '', ...preRelease] = String(value).split('-');
  const order = compareVersions(requireVersion(release), bound);
  return order < 0 || (order === 0 && preRelease.length > 0);
}
