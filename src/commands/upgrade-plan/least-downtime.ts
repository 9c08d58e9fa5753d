import type { FactsFile } from '../../facts/facts-schema.js';
import { workOfReleases } from '../../preflight/forecast/hops.js';
import { type CountedBy, underRecreate, workOf } from '../../preflight/forecast/recreate-work.js';
import type { ReleaseSafetyIndex } from '../../release-safety/parse-index.js';
import { planRoute, type Route } from '../../release-safety/route.js';
import { withWaysBack } from '../../release-safety/way-back.js';
import type { LeastDowntime } from '../../render/plan-details.js';
import type { ShownRoute } from '../../render/shown-route.js';
import type { CommandContext } from '../context.js';
import { readWay, tellHops, type WayOptions } from '../look-at-hops.js';

/**
 * The route that leaves the least to Recreate hops, with what the artifacts of the way, and facts of a database, tell of
 * each hop; and what it spares beside the one with the fewest hops. It goes by the time of migrations where facts tell of
 * the tables, else by how many migrations the artifacts tell.
 */
export async function planLeastDowntime(
  fewestHops: Route,
  index: ReleaseSafetyIndex,
  file: FactsFile | undefined,
  options: WayOptions,
  context: CommandContext,
): Promise<{ readonly route: ShownRoute; readonly leastDowntime: LeastDowntime | undefined }> {
  if (fewestHops.hops.length === 0) return { route: withWaysBack(fewestHops), leastDowntime: undefined };
  const known = await readWay(fewestHops, index, file?.facts ?? {}, options, context);
  const countedBy: CountedBy = known.facts.tables?.status === 'seen' ? 'migration-time' : 'migrations';
  const works = workOfReleases(known);
  const route = planRoute(index, {
    from: fewestHops.fromVersion,
    to: fewestHops.requestedTarget,
    workOf: workOf(works, countedBy),
  });
  return {
    route: tellHops(route, known),
    leastDowntime: {
      countedBy,
      chosen: underRecreate(route.hops, works, countedBy),
      fewestHops: underRecreate(fewestHops.hops, works, countedBy),
    },
  };
}
