import type { ReleaseSafetyIndex } from './parse-index.js';
import { isOneCertifiedHop, planRoute, type RouteBlock } from './route.js';
import { evaluateSpan, type SpanResult } from './span.js';
import { parseVersion, type Version } from './version.js';

/**
 * Where a pin may be moved to, beside a version: `latest-rolling` is the next landing on the way to the newest release
 * that rolling hops alone reach, `next-hop` the next landing on the way to the newest release of all.
 */
export const bumpTargetNames = ['latest-rolling', 'next-hop'] as const;

export type BumpTarget = Version | (typeof bumpTargetNames)[number];

export interface BumpRequest {
  readonly pinnedVersion: Version;
  readonly to: BumpTarget;
  /** A hop that is certified and not rolling may be taken too. */
  readonly allowRecreate: boolean;
}

export interface Bump {
  /** Of the hop from the pinned version to the one to pin; where there is none, to what stands in the way. */
  readonly result: SpanResult;
  /** `at-target`: there is nothing to move. */
  readonly decision: 'rolling' | 'recreate' | 'at-target' | 'refused';
  /** Why a named target leads nowhere; null where it leads on. */
  readonly blockedBy: RouteBlock | null;
}

/**
 * Reads a target of a bump.
 *
 * @throws {ReleaseSafetyError} `invalid-version`
 */
export function parseBumpTarget(text: string): BumpTarget {
  return bumpTargetNames.find((name) => name === text) ?? parseVersion(text);
}

/**
 * Decides where a pin moves: by one hop, for the release that it lands on must run before the next.
 *
 * @throws {ReleaseSafetyError} `downgrade` for a version older than the pinned one
 */
export function planBump(index: ReleaseSafetyIndex, request: BumpRequest): Bump {
  const { pinnedVersion: from, allowRecreate } = request;
  const { toVersion: to, blockedBy } = findLanding(index, request);
  const result = evaluateSpan(index, { from, to });
  const decide = (): Bump['decision'] => {
    if (result.safe) return from === to ? 'at-target' : 'rolling';
    if (!allowRecreate) return 'refused';
    return isOneCertifiedHop(index, { from, to }) ? 'recreate' : 'refused';
  };
  return { result, decision: decide(), blockedBy };
}

function findLanding(
  index: ReleaseSafetyIndex,
  { pinnedVersion: from, to, allowRecreate }: BumpRequest,
): { readonly toVersion: Version; readonly blockedBy: RouteBlock | null } {
  if (to === 'latest-rolling') {
    const { hops, blockedBy } = planRoute(index, { from, to });
    const [hop] = hops;
    if (hop !== undefined) return { toVersion: hop.toVersion, blockedBy: null };
    if (blockedBy !== null && !allowRecreate) return { toVersion: blockedBy.version, blockedBy };
  }
  if (to !== 'latest-rolling' && to !== 'next-hop') return { toVersion: to, blockedBy: null };
  const whole = planRoute(index, { from, to: 'latest' });
  const { blockedBy } = whole;
  // As far as the index leads: what is in the way further on does not forbid the first hop.
  const route = blockedBy === null ? whole : planRoute(index, { from, to: blockedBy.reachableVersion });
  const [hop] = route.hops;
  if (hop !== undefined) return { toVersion: hop.toVersion, blockedBy: null };
  return { toVersion: blockedBy?.version ?? from, blockedBy };
}
