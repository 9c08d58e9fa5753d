import semver from 'semver';
import type { KnownIssue } from '../../src/known-issues/records.js';

/** What is known of an instance, by name. */
export type NaiveFacts = Readonly<Record<string, string | number>>;

interface Affects {
  readonly id: string;
  /** The newest release of the way that has it. */
  readonly version: string;
  readonly effect: KnownIssue['effect'];
}

/**
 * The known issues of one upgrade, written from the record's own words and as plainly as can be: it looks at every
 * release of the way, orders with the semver package, and shares no code with the real one.
 */
export function issuesNaively(
  records: readonly KnownIssue[],
  facts: NaiveFacts,
  {
    from,
    to,
    releases,
    now,
  }: { readonly from: string; readonly to: string; readonly releases: readonly string[]; readonly now: Date },
): Affects[] {
  const between = (version: string) => semver.gt(version, from) && semver.lte(version, to);
  return records.flatMap(({ id, affected, conditions, effect, fromBefore, when, withdrawn }): Affects[] => {
    if (from === to || (withdrawn !== undefined && new Date(withdrawn) <= now)) return [];
    const affects = (version: string) =>
      affected.some(
        (r) =>
          semver.gte(version, r.introduced) &&
          (!r.fixed || semver.lt(version, r.fixed)) &&
          (!fromBefore || semver.lt(from, r.introduced)),
      );
    const named = affected.map((range) => range.introduced);
    const way = [to, ...releases.filter(between), ...named.filter(between)];
    const about = { landing: [to], crossing: way, overlap: [from, ...way] }[when];
    const [version] = semver.rsort(about.filter(affects));
    if (version === undefined) return [];
    if (conditions.some((condition) => !mayHold(condition, facts))) return [];
    if (effect.kind !== 'required-stops') return [{ id, version, effect }];
    const stops = effect.stops.filter((stop) => between(stop) && stop !== to);
    return stops.length === 0 ? [] : [{ id, version, effect: { ...effect, stops } }];
  });
}

/** Whether a condition holds, or nobody knows. */
function mayHold(condition: KnownIssue['conditions'][number], facts: NaiveFacts): boolean {
  const value = facts[condition.fact];
  if (value === undefined) return true;
  if ('is' in condition) return value === condition.is;
  const { atLeast, below } = condition;
  if (typeof value === 'number')
    return value >= Number(atLeast ?? 0) && value < Number(below ?? Number.POSITIVE_INFINITY);
  return (
    (atLeast === undefined || semver.gte(value, String(atLeast))) &&
    (below === undefined || semver.lt(value, String(below)))
  );
}
