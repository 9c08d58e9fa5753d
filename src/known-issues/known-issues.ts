import type { FactName } from '../facts/fact-names.js';
import type { Facts } from '../facts/facts.js';
import type { IndexEntry } from '../release-safety/index-schema.js';
import type { IssueEffect, IssueOfLanding, KnownIssues } from '../release-safety/known-issues.js';
import { firstNewerThan } from '../release-safety/span.js';
import { compareVersions, type Version } from '../release-safety/version.js';
import { statusOfCondition } from './conditions.js';
import type { KnownIssue } from './record-schema.js';

/**
 * The issues that hold, or may hold, on one instance. A condition whose fact is not known counts as met; a record that is
 * withdrawn takes nothing back.
 */
export function knownIssuesOf(records: readonly KnownIssue[], facts: Facts): KnownIssues {
  const candidates = records.flatMap((record) => {
    if (record.withdrawn !== undefined) return [];
    const statuses = record.conditions.map(
      (condition) => [condition.fact, statusOfCondition(condition, facts)] as const,
    );
    if (statuses.some(([, status]) => status === 'not-met')) return [];
    const notKnown = statuses
      .filter(([, status]) => status === 'not-known')
      .map(([fact]) => fact as FactName);
    return [{ record, notKnown: [...new Set(notKnown)] }];
  });
  return {
    ofLanding: (to, entries) =>
      candidates.flatMap(({ record, notKnown }): IssueOfLanding[] => {
        const found = boundOf(record, to, entries);
        if (found === undefined) return [];
        const { id, summary, effect, remedy } = record;
        const { startsBefore, version } = found;
        return [
          {
            startsBefore,
            effect: effect.kind,
            appliedFrom: (from) => ({
              id,
              summary,
              version: compareVersions(version, from) < 0 ? from : version,
              effect: effectFrom(effect, from, to),
              remedy,
              notKnown,
            }),
          },
        ];
      }),
  };
}

/**
 * Whether a record is about a release newer than `from` and up to `to`, as far as its ranges tell; an end that is not
 * given leaves out none.
 */
export function isAboutReleases(
  { affected }: KnownIssue,
  { from, to }: { readonly from?: Version; readonly to?: Version },
): boolean {
  return affected.some(
    ({ introduced, fixed }) =>
      (to === undefined || compareVersions(introduced, to) <= 0) &&
      (from === undefined || fixed === undefined || compareVersions(fixed, from) > 0),
  );
}

/** Whether a record is about one release, whatever it is about it, and is not withdrawn. */
export function isAboutRelease({ affected, withdrawn }: KnownIssue, version: Version): boolean {
  return withdrawn === undefined && affected.some((range) => holds(range, version));
}

/** Which upgrades to a release an issue holds of, and the newest release on their way that it is about. */
interface Bound {
  readonly startsBefore: Version;
  readonly version: Version;
}

function boundOf(
  { when, affected, effect }: KnownIssue,
  to: Version,
  entries: readonly IndexEntry[],
): Bound | undefined {
  const bound = newest(
    affected.flatMap((range): Bound[] => {
      if (holds(range, to)) return [{ startsBefore: to, version: to }];
      if (when === 'landing' || isOlder(to, range.introduced)) return [];
      const { introduced, fixed = to } = range;
      // The release that the range names counts as much where the index lacks it.
      const last = lastBefore(fixed, entries);
      const version = last !== undefined && isOlder(introduced, last) ? last : introduced;
      // While old and new pods overlap, the release that runs takes part as well.
      return [{ startsBefore: when === 'overlap' ? fixed : version, version }];
    }),
  );
  if (bound === undefined || effect.kind !== 'required-stops') return bound;
  // Landing on a stop satisfies it.
  const stop = effect.stops.filter((stop) => isOlder(stop, to)).at(-1);
  if (stop === undefined) return undefined;
  return { ...bound, startsBefore: isOlder(stop, bound.startsBefore) ? stop : bound.startsBefore };
}

function newest(bounds: readonly Bound[]): Bound | undefined {
  return bounds.reduce<Bound | undefined>(
    (best, bound) => (best === undefined || isOlder(best.startsBefore, bound.startsBefore) ? bound : best),
    undefined,
  );
}

/** The newest release of the index that is older than a version. */
function lastBefore(version: Version, entries: readonly IndexEntry[]): Version | undefined {
  const newer = firstNewerThan(entries, version);
  return entries[entries[newer - 1]?.version === version ? newer - 2 : newer - 1]?.version;
}

/** Of stops those that lie ahead. */
function effectFrom(effect: KnownIssue['effect'], from: Version, to: Version): IssueEffect {
  if (effect.kind !== 'required-stops') return effect;
  return { ...effect, stops: effect.stops.filter((stop) => isOlder(from, stop) && isOlder(stop, to)) };
}

function holds({ introduced, fixed }: KnownIssue['affected'][number], version: Version): boolean {
  return !isOlder(version, introduced) && (fixed === undefined || isOlder(version, fixed));
}

function isOlder(a: Version, b: Version): boolean {
  return compareVersions(a, b) < 0;
}
