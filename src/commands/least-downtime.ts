import type { Preflight } from '../checks/checks.js';
import {
  type CountedBy,
  type LineFacts,
  underRecreate,
  workOf,
  workOfReleases,
} from '../instance/forecast/hops.js';
import { judgeRoute, type RouteJudgement } from '../release-safety/judge.js';
import type { Route } from '../release-safety/route.js';
import type { LeastDowntime } from '../render/words/downtime.js';
import type { SeenEvidence } from './evidence.js';

/**
 * The route with the least work in Recreate hops, and what it saves compared with the route with the fewest hops. Work
 * is measured by the time of migrations if facts show the tables, else by the number of migrations in the artifacts.
 */
export function judgeLeastDowntime(
  evidence: SeenEvidence,
  known: LineFacts,
  fewestHops: Route,
): RouteJudgement<Preflight> & { readonly leastDowntime: LeastDowntime } {
  const countedBy: CountedBy = known.facts.tables?.status === 'seen' ? 'migration-time' : 'migrations';
  const works = workOfReleases(known);
  const { fromVersion: from, requestedTarget: to, hops } = fewestHops;
  const judgement = judgeRoute(evidence, { from, to, workOf: workOf(works, countedBy) });
  return {
    ...judgement,
    leastDowntime: {
      countedBy,
      chosen: underRecreate(judgement.route.hops, works, countedBy),
      fewestHops: underRecreate(hops, works, countedBy),
    },
  };
}
