import type { Route, RouteHop } from '../../release-safety/route.js';
import type { RenderedStep } from '../deployment-steps.js';

export interface UpgradePlanJsonOptions {
  readonly index: {
    readonly source: string;
    /** ISO 8601. */
    readonly generatedAt: string;
    readonly latestVersion: string | null;
    /** Hex. */
    readonly sha256: string;
  };
  /** Where the current version was found. */
  readonly fromSource: string;
  readonly stepsOf: ((hop: RouteHop) => readonly RenderedStep[]) | undefined;
}

/**
 * The plan for a program: one line, with a schemaVersion of its own. `safe` is `rolling`: a plan with Recreate hops can
 * be `certified`, and is not safe to roll.
 */
export function renderUpgradePlanJson(
  route: Route,
  { index, fromSource, stepsOf }: UpgradePlanJsonOptions,
): string {
  const { fromVersion, toVersion, requestedTarget, hops, certified, rolling, recreateHops, blockedBy } =
    route;
  return `${JSON.stringify({
    schemaVersion: '1',
    safe: rolling,
    fromVersion,
    fromSource,
    toVersion,
    requestedTarget,
    index,
    certified,
    hops: stepsOf === undefined ? hops : hops.map((hop) => ({ ...hop, steps: stepsOf(hop) })),
    rolling,
    recreateHops,
    blockedBy,
  })}\n`;
}
