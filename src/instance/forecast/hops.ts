import type { RouteHop, Work } from '../../core/route/route.js';
import type { Version } from '../../core/version.js';
import { pendingWork } from '../backfills/pending.js';
import type { ObservedFacts } from '../facts/facts-schema.js';
import { seenValue } from '../facts/needs.js';
import { pendingMigrations } from '../ledger.js';
import { type Edition, listsMigrations, type ReleaseLine } from '../release-line.js';
import { forecast } from './forecast.js';
import { inTurn, type TimeRange, unbounded } from './work-time.js';

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
  hops: readonly Pick<RouteHop, 'releases' | 'missingRanges'>[],
  known: LineFacts,
): readonly TimeRange[] {
  const works = workOfReleases(known);
  return hops.map(({ releases, missingRanges }) => {
    const worksOfHop = works.filter(({ version }) => releases.includes(version));
    return joinTimes(
      worksOfHop.map(({ time }) => time),
      missingRanges.length > 0,
    );
  });
}

/** What a release does to the database of an instance. */
export interface ReleaseWork {
  readonly version: Version;
  /** How many of its migrations may have to run. */
  readonly migrations: number;
  /** Whether its artifact lists its migrations, and no release right before it is missing from the index. */
  readonly listed: boolean;
  /** How long they take, without waits for locks. */
  readonly time: TimeRange;
}

/**
 * The work of each release; a hop does what its releases do together. What the running release has left to do counts
 * for the first release, what is missing from the index for the release after it. Without a ledger, a migration may
 * have run: then it takes no time, otherwise its full time.
 */
export function workOfReleases({ line, edition, facts }: LineFacts): readonly ReleaseWork[] {
  const { span, missingRanges } = line;
  const ledger = seenValue(facts.ledger);
  // Without tables no time is known, and routes are compared by what artifacts count.
  const pendingOf = facts.tables === undefined ? pendingMigrations : pendingWork;
  const pending = pendingOf({
    line: ledger === undefined ? { ...line, before: [] } : line,
    edition,
    facts: { ledger: ledger ?? [] },
  });
  const forecasts = forecast(pending, {
    tables: seenValue(facts.tables) ?? null,
    indexes: seenValue(facts.indexes) ?? null,
    backfillRows: seenValue(facts.backfillRows) ?? null,
    readRate: seenValue(facts.readRate) ?? null,
    sortRate: seenValue(facts.sortRate) ?? null,
  }).map((forecast) => (ledger === undefined ? { ...forecast, lowSeconds: 0 } : forecast));
  const versions = new Set(span.map(({ version }) => version));
  const releaseOf = (version: Version) => (versions.has(version) ? version : span[0]?.version);
  const behindGap = new Set(missingRanges.map(({ beforeVersion }) => releaseOf(beforeVersion)));
  return span.map((release) => {
    const { version } = release;
    const times = forecasts.filter((forecast) => releaseOf(forecast.version) === version);
    const listed = listsMigrations(release) && !behindGap.has(version);
    return { version, migrations: times.length, listed, time: joinTimes(times, !listed) };
  });
}

function joinTimes(forecasts: readonly TimeRange[], hasGap: boolean): TimeRange {
  return inTurn(hasGap ? [...forecasts, unbounded(0, 'release-not-told')] : forecasts);
}

/** How routes are compared for their work under Recreate: by count if no tables were seen, and so no time is known. */
export type CountedBy = 'migration-time' | 'migrations';

/** What Recreate hops do while Lightdash is down. */
export interface RecreateWork {
  readonly hops: number;
  readonly releases: number;
  /** How many of their releases do not list their migrations. */
  readonly releasesNotTold: number;
  readonly migrations: number;
  /** Present if routes are compared by it. */
  readonly migrationTime?: TimeRange;
}

/** The work of each release, for comparing routes. Nothing is known of a release that is not in `works`. */
export function workOf(works: readonly ReleaseWork[], by: CountedBy): (version: Version) => Work {
  const byRelease = new Map(works.map((work) => [work.version, weightOf(work, by)]));
  return (version) => byRelease.get(version) ?? [1, 0, 0];
}

/** Unknown work weighs more than any known work. In milliseconds: whole numbers have the same sum in any order. */
function weightOf({ migrations, listed, time }: ReleaseWork, by: CountedBy): Work {
  if (by === 'migrations') return [listed ? 0 : 1, migrations, 0];
  const { lowSeconds, highSeconds } = time;
  return [highSeconds === null ? 1 : 0, Math.round((highSeconds ?? 0) * 1000), Math.round(lowSeconds * 1000)];
}

/** The work of the Recreate hops of a route. */
export function workUnderRecreate(
  hops: readonly Pick<RouteHop, 'strategy' | 'releases'>[],
  works: readonly ReleaseWork[],
  by: CountedBy,
): RecreateWork {
  const recreate = hops.filter(({ strategy }) => strategy === 'Recreate');
  const crossed = new Set(recreate.flatMap(({ releases }) => releases));
  const done = works.filter(({ version }) => crossed.has(version));
  return {
    hops: recreate.length,
    releases: done.length,
    releasesNotTold: done.filter(({ listed }) => !listed).length,
    migrations: done.reduce((sum, { migrations }) => sum + migrations, 0),
    ...(by === 'migrations' ? {} : { migrationTime: inTurn(done.map(({ time }) => time)) }),
  };
}
