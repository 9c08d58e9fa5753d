import type { ObservedFacts } from '../../facts/facts-schema.js';
import { seenValue } from '../../facts/seen-value.js';
import type { RouteHop } from '../../release-safety/results.js';
import { compareVersions, type Version } from '../../release-safety/version.js';
import { pendingMigrations } from '../pending.js';
import { type Edition, listsMigrations, type ReleaseLine } from '../release-line.js';
import { forecast, type MigrationForecast } from './forecast.js';
import { inTurn, type TimeRange, unbounded } from './range.js';

/** The facts that show how long the releases of a line take. */
export interface LineFacts {
  /** The releases of all hops. */
  readonly line: ReleaseLine;
  readonly edition: Edition;
  readonly facts: ObservedFacts;
}

/**
 * How long the migrations of each hop take, without waits for locks. Those of the running release that have not run,
 * run in the first hop. Without a ledger, each migration of the hops may have run or not.
 */
export function forecastHops(
  hops: readonly Pick<RouteHop, 'toVersion' | 'releases' | 'missingRanges'>[],
  known: LineFacts,
): readonly TimeRange[] {
  const forecasts = forecastPending(known);
  const notReported = notReportedOf(known.line);
  return hops.map(({ toVersion, releases, missingRanges }, i) => {
    const start = hops[i - 1]?.toVersion;
    const ofHop = forecasts.filter(
      ({ version }) =>
        (start === undefined || compareVersions(version, start) > 0) &&
        compareVersions(version, toVersion) <= 0,
    );
    const gaps = missingRanges.length > 0 || releases.some((version) => notReported.has(version));
    return joinTimes(ofHop, gaps);
  });
}

/** What a release does to the database of an instance. */
export interface ReleaseWork {
  readonly version: Version;
  /** How many of its migrations may have to run. */
  readonly migrations: number;
  /** Whether its artifact lists its migrations, and no release right before it is missing from the index. */
  readonly told: boolean;
  /** How long they take, without waits for locks. */
  readonly time: TimeRange;
}

/**
 * The work of each release; a hop does what its releases do together. What the running release has left to do counts
 * for the first release, what is missing from the index for the release after it.
 */
export function workOfReleases(known: LineFacts): readonly ReleaseWork[] {
  const { span, missingRanges } = known.line;
  const first = span[0]?.version;
  const byRelease = new Map(span.map(({ version }) => [version, [] as MigrationForecast[]]));
  const placeOf = (version: Version) => (byRelease.has(version) ? version : first);
  for (const one of forecastPending(known)) byRelease.get(placeOf(one.version) ?? one.version)?.push(one);
  const notReported = notReportedOf(known.line);
  const behindGap = new Set(missingRanges.map(({ beforeVersion }) => placeOf(beforeVersion)));
  return [...byRelease].map(([version, forecasts]) => {
    const told = !notReported.has(version) && !behindGap.has(version);
    return { version, migrations: forecasts.length, told, time: joinTimes(forecasts, !told) };
  });
}

/** Without a ledger, a migration may have run: then it takes no time, otherwise its full time. */
function forecastPending({ line, edition, facts }: LineFacts): readonly MigrationForecast[] {
  const ledger = seenValue(facts.ledger);
  const pending = pendingMigrations({
    line: ledger === undefined ? { ...line, before: [] } : line,
    edition,
    facts: { ledger: ledger ?? [] },
  });
  const forecasts = forecast(pending, {
    tables: seenValue(facts.tables) ?? null,
    indexes: seenValue(facts.indexes) ?? null,
    readRate: seenValue(facts.readRate) ?? null,
    sortRate: seenValue(facts.sortRate) ?? null,
  });
  return ledger === undefined ? forecasts.map((one) => ({ ...one, lowSeconds: 0 })) : forecasts;
}

function notReportedOf({ span }: ReleaseLine): Set<Version> {
  return new Set(span.filter((one) => !listsMigrations(one)).map(({ version }) => version));
}

function joinTimes(forecasts: readonly MigrationForecast[], gaps: boolean): TimeRange {
  return inTurn([...forecasts, ...(gaps ? [unbounded(0, 'release-not-told')] : [])]);
}
