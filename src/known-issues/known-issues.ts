import type { FactName } from '../facts/fact-names.js';
import type { Facts } from '../facts/facts.js';
import type { AppliedIssue, IssueEffect, KnownIssues, Step } from '../release-safety/known-issues.js';
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
    ofStep: (step) =>
      candidates.flatMap(({ record, notKnown }): AppliedIssue[] => {
        const version = affectedVersion(record, step);
        const effect = effectOn(record, step);
        if (version === undefined || effect === undefined) return [];
        const { id, summary, remedy } = record;
        return [{ id, summary, version, effect, remedy, notKnown }];
      }),
  };
}

/** The newest release of the step that a record is about; undefined where it is about none. */
function affectedVersion({ when, affected }: KnownIssue, { from, to, entries }: Step): Version | undefined {
  if (from === to) return undefined;
  const isAffected = (version: Version) => affected.some((range) => holds(range, version));
  if (isAffected(to)) return to;
  if (when === 'landing') return undefined;
  // Ranges name releases; one that the index lacks counts as much as one that it has.
  const named = affected
    .map(({ introduced }) => introduced)
    .filter((version) => isInside(version, { from, to }));
  const passed = entries
    .slice(firstNewerThan(entries, from), firstNewerThan(entries, to))
    .map(({ version }) => version);
  const newest = [...named, ...passed.filter(isAffected)].sort(compareVersions).at(-1);
  // While old and new pods overlap, the release that runs takes part as well.
  return newest ?? (when === 'overlap' && isAffected(from) ? from : undefined);
}

/** The effect as far as it concerns a step: stops that lie outside it are none of it. Landing on a stop satisfies it. */
function effectOn({ effect }: KnownIssue, step: Step): IssueEffect | undefined {
  if (effect.kind !== 'required-stops') return effect;
  const stops = effect.stops.filter((stop) => stop !== step.to && isInside(stop, step));
  return stops.length === 0 ? undefined : { kind: 'required-stops', stops };
}

function holds({ introduced, fixed }: KnownIssue['affected'][number], version: Version): boolean {
  return (
    compareVersions(version, introduced) >= 0 && (fixed === undefined || compareVersions(version, fixed) < 0)
  );
}

function isInside(version: Version, { from, to }: Pick<Step, 'from' | 'to'>): boolean {
  return compareVersions(version, from) > 0 && compareVersions(version, to) <= 0;
}
