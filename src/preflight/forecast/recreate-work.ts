import type { RouteHop, Work } from '../../release-safety/route.js';
import type { Version } from '../../release-safety/version.js';
import type { ReleaseWork } from './hops.js';
import { inTurn, type TimeRange } from './range.js';

/** What tells which of two routes does less under Recreate: where no tables were seen, no time can be told. */
export type CountedBy = 'migration-time' | 'migrations';

/** What Recreate hops do while Lightdash is down. */
export interface RecreateWork {
  readonly hops: number;
  readonly releases: number;
  /** How many of them do not tell their migrations. */
  readonly releasesNotTold: number;
  readonly migrations: number;
  /** Where they are counted by it. */
  readonly migrationTime?: TimeRange;
}

/** The work of each release, as routes are compared by it. Of one that is not among them nothing is known. */
export function workOf(works: readonly ReleaseWork[], by: CountedBy): (version: Version) => Work {
  const byRelease = new Map(works.map((work) => [work.version, weigh(work, by)]));
  return (version) => byRelease.get(version) ?? [1, 0, 0];
}

/** What is not known is more than all that is. */
function weigh({ migrations, told, time }: ReleaseWork, by: CountedBy): Work {
  if (by === 'migrations') return [told ? 0 : 1, migrations, 0];
  const { lowSeconds, highSeconds } = time;
  return [highSeconds === null ? 1 : 0, milliseconds(highSeconds ?? 0), milliseconds(lowSeconds)];
}

/** Whole numbers add up to the same in any order. */
function milliseconds(seconds: number): number {
  return Math.round(seconds * 1000);
}

/** What the Recreate hops of a route do. */
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
