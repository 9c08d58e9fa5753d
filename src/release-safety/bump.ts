import {
  type Evidence,
  type Findings,
  judgeSpan,
  mayRecreate,
  provenIndex,
  type SpanJudgement,
} from './judge.js';
import { planRoute, type RouteBlock } from './route.js';
import type { RouteTarget } from './route-target.js';
import type { Version } from './version.js';

export interface BumpRequest {
  readonly pinnedVersion: Version;
  /** A version is pinned itself; of a name, the next landing on the route to what it stands for. */
  readonly to: RouteTarget;
  /** Whether a hop that is certified but not rolling is allowed too. */
  readonly allowRecreate: boolean;
}

export interface Bump<Preflight extends Findings = Findings> {
  /**
   * For the hop from the pinned version to the one to pin. If there is no such hop, for the span to the release that
   * blocks.
   */
  readonly result: SpanJudgement['result'];
  /** The findings in the instance for which the answer is no. */
  readonly stops: SpanJudgement<Preflight>['stops'];
  /** What is accepted, and found here. */
  readonly accepted: SpanJudgement['accepted'];
  /** `at-target`: the pin is already there. */
  readonly decision: 'rolling' | 'recreate' | 'at-target' | 'refused';
  /** Why a named target leads nowhere; null if it leads on. */
  readonly blockedBy: RouteBlock | null;
}

/**
 * Decides where a pin moves. It moves by one hop only, because the release of a landing must run before the next hop.
 *
 * @throws {ReleaseSafetyError} `downgrade` for a version older than the pinned one
 */
export function planBump<Preflight extends Findings>(
  evidence: Evidence<Preflight>,
  request: BumpRequest,
): Bump<Preflight> {
  const { pinnedVersion: from, allowRecreate } = request;
  const { toVersion: to, blockedBy } = findLanding(evidence, request);
  const judgement = judgeSpan(evidence, { from, to });
  const { result, stops, accepted } = judgement;
  const decide = (): Bump['decision'] => {
    if (result.safe) return from === to ? 'at-target' : 'rolling';
    const isAllowed = allowRecreate || judgement.acceptedToRoll;
    return isAllowed && mayRecreate(evidence, judgement) ? 'recreate' : 'refused';
  };
  return { result, stops, accepted, decision: decide(), blockedBy };
}

function findLanding(
  evidence: Evidence,
  { pinnedVersion: from, to, allowRecreate }: BumpRequest,
): { readonly toVersion: Version; readonly blockedBy: RouteBlock | null } {
  if (to !== 'latest-rolling' && to !== 'latest') return { toVersion: to, blockedBy: null };
  const index = provenIndex(evidence, { from, to: 'latest' });
  if (to === 'latest-rolling') {
    const { hops, blockedBy } = planRoute(index, { from, to });
    const [hop] = hops;
    if (hop !== undefined) return { toVersion: hop.toVersion, blockedBy: null };
    if (blockedBy !== null && !allowRecreate) return { toVersion: blockedBy.version, blockedBy };
  }
  const whole = planRoute(index, { from, to: 'latest' });
  const { blockedBy } = whole;
  // Only as far as the index leads: a block further on does not forbid the first hop.
  const route = blockedBy === null ? whole : planRoute(index, { from, to: blockedBy.reachableVersion });
  const [hop] = route.hops;
  if (hop !== undefined) return { toVersion: hop.toVersion, blockedBy: null };
  return { toVersion: blockedBy?.version ?? from, blockedBy };
}
