import type { FactsFile } from '../../facts/facts-schema.js';
import { workOfReleases } from '../../preflight/forecast/hops.js';
import { type CountedBy, underRecreate, workOf } from '../../preflight/forecast/recreate-work.js';
import type { ReleaseSafetyIndex } from '../../release-safety/parse-index.js';
import { planRoute, type Route } from '../../release-safety/route.js';
import { withWaysBack } from '../../release-safety/way-back.js';
import type { LeastDowntime } from '../../render/plan-details.js';
import type { ShownRoute } from '../../render/shown-route.js';
import type { CommandContext } from '../context.js';
import { readWay, type WayOptions, withHopDetails } from '../look-at-hops.js';

/**
 * The route with the least work in Recreate hops, with what the artifacts on the route, and database facts, say of each
 * hop; and what it saves compared with the route with the fewest hops. Work is measured by the time of migrations if
 * facts show the tables, else by the number of migrations in the artifacts.
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
    route: withHopDetails(route, known),
    leastDowntime: {
      countedBy,
      chosen: underRecreate(route.hops, works, countedBy),
      fewestHops: underRecreate(fewestHops.hops, works, countedBy),
    },
  };
}
