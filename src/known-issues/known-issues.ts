import type { HoldKnownIssues, IssueOfLanding, Versions } from '../core/index/release-safety-index.js';
import type { AppliedNote, IssueEffect } from '../core/results.js';
import { firstNewerThan, firstNotOlder, type Span } from '../core/span.js';
import { compareVersions, requireVersion, type Version } from '../core/version.js';
import type { FactName, Facts, FactValue } from '../instance/facts/fact-names.js';
import type { Condition, KnownIssue, KnownRecord, Note } from './records.js';

/**
 * The issues that apply, or may apply, to one instance. A condition whose fact is not known counts as met. A record
 * takes nothing back from the date on at which it is withdrawn.
 */
export function knownIssuesOf(records: readonly KnownIssue[], facts: Facts, now: Date): HoldKnownIssues {
  const candidates = candidatesOf(records, facts, now);
  return (versions) => {
    const placed = candidates.map((one) => placedCandidate(one, versions));
    // Between two of these, all landings have the same candidates: a route asks thousands.
    const turns = [...new Set(placed.flatMap(({ begins, ends }) => [begins, ends ?? []].flat()))];
    turns.sort(compareVersions);
    const between = turns.map((turn) =>
      placed.filter(
        ({ begins, ends }) => !isOlder(turn, begins) && (ends === undefined || isOlder(turn, ends)),
      ),
    );
    const known = new Map<Version, readonly IssueOfLanding[]>();
    return {
      ofLanding: (to) => {
        let issues = known.get(to);
        if (issues === undefined) {
          const possible = between[firstNewerThan(turns, to) - 1] ?? [];
          issues = possible.flatMap((one) => issueOfLanding(one, to) ?? []);
          known.set(to, issues);
        }
        return issues;
      },
    };
  };
}

/** The notes that apply, or may apply, to one upgrade of an instance: what they tell is so at its end, and not yet before. */
export function notesOf(
  notes: readonly Note[],
  facts: Facts,
  now: Date,
): (span: Span) => readonly AppliedNote[] {
  const candidates = candidatesOf(notes, facts, now);
  return ({ from, to }) =>
    candidates
      .flatMap(({ record, notKnown }) => {
        const range = record.affected.find((one) => holds(one, to) && isOlder(from, one.introduced));
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
  /** It is about no landing before this. */
  readonly begins: Version;
  /** Nor about this or any after it; undefined if there is no such end. */
  readonly ends: Version | undefined;
  readonly passed: readonly PassedRange[];
}

function placedCandidate<One extends Pick<Candidate, 'record' | 'notKnown'>>(
  one: One,
  versions: Versions,
): One & Candidate {
  const { affected } = one.record;
  const passed = passedRanges(one.record, versions);
  const fixed = affected.flatMap((range) => range.fixed ?? []);
  return {
    ...one,
    begins: affected.map(({ introduced }) => introduced).reduce(older),
    ends: passed.length > 0 || fixed.length < affected.length ? undefined : fixed.reduce(newer),
    passed,
  };
}

/** The upgrades that an issue applies to, and the newest release on their route that it is about. */
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

function issueOfLanding(candidate: Candidate, to: Version): IssueOfLanding | undefined {
  const { id, summary, effect, remedy } = candidate.record;
  const bound = boundOf(candidate, to);
  const startsBefore = bound && startOf(bound, effect, to);
  if (bound === undefined || startsBefore === undefined) return undefined;
  return {
    id,
    startsBefore,
    effect: effect.kind,
    appliedFrom: (from) => ({
      id,
      summary,
      version: isOlder(bound.version, from) ? from : bound.version,
      effect: effectFrom(effect, from, to),
      remedy,
      notKnown: candidate.notKnown,
    }),
  };
}

/** The widest bound for upgrades to a release; undefined if the record is about none of them. */
function boundOf({ record: { affected, fromBefore }, passed }: Candidate, to: Version): Bound | undefined {
  let widest: Bound | undefined;
  // A route asks it of every record at every landing: no list is made.
  const widen = (startsBefore: Version, version: Version) => {
    if (widest === undefined || isOlder(widest.startsBefore, startsBefore))
      widest = { startsBefore, version };
  };
  for (const range of affected) {
    if (holds(range, to)) widen(fromBefore === true ? range.introduced : to, to);
  }
  for (const { fixed, startsBefore, version } of passed) {
    if (!isOlder(to, fixed)) widen(startsBefore, version);
  }
  return widest;
}

/** Landing on a stop satisfies it, so the last stop before the landing is the last start to which the issue applies. */
function startOf({ startsBefore }: Bound, effect: KnownIssue['effect'], to: Version): Version | undefined {
  if (effect.kind !== 'required-stops') return startsBefore;
  const stop = effect.stops.filter((stop) => isOlder(stop, to)).at(-1);
  return stop === undefined || isOlder(stop, startsBefore) ? stop : startsBefore;
}

function effectFrom(effect: KnownIssue['effect'], from: Version, to: Version): IssueEffect {
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

/** A withdrawal may be announced: until its date, the record counts. */
export function isWithdrawn({ withdrawn }: KnownRecord, now: Date): boolean {
  return withdrawn !== undefined && Date.parse(withdrawn) <= now.getTime();
}

function holds({ introduced, fixed }: KnownIssue['affected'][number], version: Version): boolean {
  return !isOlder(version, introduced) && (fixed === undefined || isOlder(version, fixed));
}

function older(a: Version, b: Version): Version {
  return isOlder(a, b) ? a : b;
}

function newer(a: Version, b: Version): Version {
  return isOlder(a, b) ? b : a;
}

function isOlder(a: Version, b: Version): boolean {
  return compareVersions(a, b) < 0;
}

/** Whether a condition applies to an instance; undefined if its fact is not known, which settles nothing. */
export function isMet(condition: Condition, facts: Facts): boolean | undefined {
  const value = facts.get(condition.fact as FactName);
  if (value === undefined) return undefined;
  if ('is' in condition) return value === condition.is;
  const { atLeast, below } = condition;
  return (
    (atLeast === undefined || !isBelow(value, atLeast)) && (below === undefined || isBelow(value, below))
  );
}

/** Compares numbers by size and versions by SemVer: a pre-release comes before the version it leads to. */
function isBelow(value: FactValue, bound: number | Version): boolean {
  if (typeof value === 'number' || typeof bound === 'number') return Number(value) < Number(bound);
  const [release = '', ...preRelease] = value.split('-');
  const order = compareVersions(requireVersion(release), bound);
  return order < 0 || (order === 0 && preRelease.length > 0);
}

export function isNote(record: KnownRecord): record is Note {
  return 'kind' in record;
}

export function isIssue(record: KnownRecord): record is KnownIssue {
  return !isNote(record);
}
