import type { RouteHop, Work } from '../../release-safety/route.js';
import type { Version } from '../../release-safety/version.js';
import type { ReleaseWork } from './hops.js';
import { inTurn, type TimeRange } from './range.js';

/**
 * How two routes are compared for their work under Recreate: by count if no tables were seen, because then no time is
 * known.
 */
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
  const byRelease = new Map(works.map((work) => [work.version, weigh(work, by)]));
  return (version) => byRelease.get(version) ?? [1, 0, 0];
}

/** Unknown work weighs more than any known work. */
function weigh({ migrations, told, time }: ReleaseWork, by: CountedBy): Work {
  if (by === 'migrations') return [told ? 0 : 1, migrations, 0];
  const { lowSeconds, highSeconds } = time;
  return [highSeconds === null ? 1 : 0, milliseconds(highSeconds ?? 0), milliseconds(lowSeconds)];
}

/** Whole numbers have the same sum in any order. */
function milliseconds(seconds: number): number {
  return Math.round(seconds * 1000);
}

/** The work of the Recreate hops of a route. */
export function underRecreate(
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
    releasesNotTold: done.filter(({ told }) => !told).length,
    migrations: done.reduce((sum, { migrations }) => sum + migrations, 0),
    ...(by === 'migrations' ? {} : { migrationTime: inTurn(done.map(({ time }) => time)) }),
  };
}
