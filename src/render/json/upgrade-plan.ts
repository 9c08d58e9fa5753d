import type { Route, RouteHop } from '../../release-safety/route.js';
import type { RenderedStep } from '../deployment-steps.js';
import { renderDocument, type Written } from './document.js';
import type { UpgradePlanResult } from './upgrade-plan-schema.js';

export interface UpgradePlanJsonOptions {
  readonly index: Written<UpgradePlanResult['index']>;
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
  return renderDocument<UpgradePlanResult>({
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
  });
}
