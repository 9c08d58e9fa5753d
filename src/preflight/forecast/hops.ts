import type { ObservedFacts } from '../../facts/facts-schema.js';
import type { RouteHop } from '../../release-safety/results.js';
import { compareVersions } from '../../release-safety/version.js';
import type { FactKey, FactOf } from '../check.js';
import { pendingMigrations } from '../pending.js';
import { type Edition, type ReleaseLine, tellsMigrations } from '../release-line.js';
import { forecast } from './forecast.js';
import { inTurn, type TimeRange, unbounded } from './range.js';

/**
 * How long the migrations of each hop take, lock waits left out. What has not run of the release that runs, runs at the
 * first hop. Without a ledger all that the hops bring may run, or have run.
 *
 * @param line of the releases of all hops
 */
export function forecastHops(
  hops: readonly Pick<RouteHop, 'toVersion' | 'releases' | 'missingRanges'>[],
  { line, edition, facts }: { line: ReleaseLine; edition: Edition; facts: ObservedFacts },
): readonly TimeRange[] {
  const ledger = seenValue(facts, 'ledger');
  const pending = pendingMigrations({
    line: ledger === null ? { ...line, before: [] } : line,
    edition,
    facts: { ledger: ledger ?? [] },
  });
  const forecasts = forecast(pending, {
    tables: seenValue(facts, 'tables'),
    indexes: seenValue(facts, 'indexes'),
    readRate: seenValue(facts, 'readRate'),
    sortRate: seenValue(facts, 'sortRate'),
  });
  const untold = new Set(line.span.filter((one) => !tellsMigrations(one)).map(({ version }) => version));
  return hops.map(({ toVersion, releases, missingRanges }, i) => {
    const start = hops[i - 1]?.toVersion;
    const ofHop = forecasts.filter(
      ({ version }) =>
        (start === undefined || compareVersions(version, start) > 0) &&
        compareVersions(version, toVersion) <= 0,
    );
    const gaps = missingRanges.length > 0 || releases.some((version) => untold.has(version));
    const range = inTurn([...ofHop, ...(gaps ? [unbounded(0, 'release-not-told')] : [])]);
    return ledger === null ? { ...range, lowSeconds: 0 } : range;
  });
}

function seenValue<Key extends FactKey>(facts: ObservedFacts, key: Key): FactOf<Key> | null {
  const fact = facts[key];
  return fact?.status === 'seen' ? (fact.value as FactOf<Key>) : null;
}
