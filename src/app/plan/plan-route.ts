import type { Preflight } from '../../checks/checks.js';
import { judgeRoute, type RouteJudgement, rollsInOneStep } from '../../core/judge.js';
import type { Route } from '../../core/results.js';
import type { RouteRequest } from '../../core/route/route.js';
import { withWaysBack } from '../../core/route/way-back.js';
import type { RoutePreference, Version } from '../../core/version.js';
import {
  type CountedBy,
  type LineFacts,
  workOf,
  workOfReleases,
  workUnderRecreate,
} from '../../instance/forecast/hops.js';
import type { LeastDowntime } from '../../words/route/downtime.js';
import type { ShownRoute } from '../../words/route/route.js';
import { type EvidenceSource, judgeGivenRoute, type SeenEvidence } from '../evidence.js';

interface PlannedRoute extends RouteJudgement<Preflight> {
  readonly route: ShownRoute;
  /** What the route saves compared with the one with the fewest hops, if another route was preferred. */
  readonly leastDowntime?: LeastDowntime;
  /** The newest release that is proven to roll from the start in one step, where one is. */
  readonly rollsTo?: () => Version | undefined;
}

/** The route that is preferred, with what is known of each hop and of the way back. */
export async function planRoute(
  source: EvidenceSource,
  request: RouteRequest,
  prefer: RoutePreference,
): Promise<PlannedRoute> {
  // If there is no route at all, nothing more is read.
  const alone = judgeRoute<Preflight>({ index: source.index }, request);
  if (alone.route.hops.length === 0) return { ...alone, route: withWaysBack(alone.route) };
  const fewestHops = await judgeGivenRoute(source, request, alone);
  const { evidence, route } = fewestHops;
  const { known } = evidence;
  const rollsTo = () => rollsInOneStep(evidence, request.from);
  if (known === undefined || route.hops.length === 0)
    return { ...fewestHops, route: withWaysBack(route), rollsTo };
  const { withHopDetails } = await import('../../answer/builders/route/hop-details.js');
  const preferred = prefer === 'least-downtime' ? judgeLeastDowntime(evidence, known, route) : fewestHops;
  return { ...preferred, route: withHopDetails(preferred.route, known), rollsTo };
}

/**
 * The route with the least work in Recreate hops, and what it saves compared with the route with the fewest hops. Work
 * is measured by the time of migrations if facts show the tables, else by the number of migrations in the artifacts.
 */
function judgeLeastDowntime(
  evidence: SeenEvidence,
  known: LineFacts,
  { fromVersion: from, requestedTarget: to, hops }: Route,
): RouteJudgement<Preflight> & { readonly leastDowntime: LeastDowntime } {
  const countedBy: CountedBy = known.facts.tables?.status === 'seen' ? 'migration-time' : 'migrations';
  const works = workOfReleases(known);
  const judgement = judgeRoute(evidence, { from, to, workOf: workOf(works, countedBy) });
  const chosen = workUnderRecreate(judgement.route.hops, works, countedBy);
  const fewestHops = workUnderRecreate(hops, works, countedBy);
  return { ...judgement, leastDowntime: { countedBy, chosen, fewestHops } };
}
