import { hasTooManyHops } from '../../release-safety/route.js';
import type { RoutePreference } from '../../release-safety/version.js';
import type { DeepReadonly } from '../../shared/deep-readonly.js';
import type { PlanDetails } from '../plan-details.js';
import type { ShownRoute } from '../shown-route.js';
import type { JudgedBy } from '../words/judged-by.js';
import type { LeftOut } from '../words/left-out.js';
import type { FindingFields } from './answer-schemas.js';
import { renderDocument } from './document.js';
import type { UpgradePlanResult } from './upgrade-plan-schema.js';

export interface UpgradePlanJsonOptions extends PlanDetails {
  readonly index: DeepReadonly<UpgradePlanResult['index']>;
  /** Where the current version was found. */
  readonly fromSource: string;
  readonly prefer: RoutePreference;
  readonly leftOut: LeftOut;
  readonly judgedBy: JudgedBy;
  readonly stops: readonly FindingFields[];
}

/**
 * The plan for a program: one line, with its own schemaVersion. `safe` is `rolling`, in no more hops than are allowed:
 * a plan with Recreate hops can be `certified`, but is not safe to roll.
 */
export function renderUpgradePlanJson(
  route: ShownRoute,
  {
    index,
    fromSource,
    prefer,
    leftOut,
    judgedBy,
    stops,
    leastDowntime,
    maxHops,
    renderedHops,
    scripts,
  }: UpgradePlanJsonOptions,
): string {
  const { fromVersion, toVersion, requestedTarget, hops, certified, rolling, recreateHops, blockedBy } =
    route;
  return renderDocument<UpgradePlanResult>({
    safe: rolling && !hasTooManyHops(route, maxHops) && stops.length === 0,
    fromVersion,
    fromSource,
    toVersion,
    requestedTarget,
    prefer,
    index,
    ...leftOut,
    judgedBy,
    stops,
    certified,
    hops: hops.map(({ time, ...hop }, i) => {
      const rendered = renderedHops?.[i];
      const timed = time === undefined ? hop : { ...hop, migrationTime: time };
      if (rendered === undefined) return timed;
      const script = scripts?.[i];
      return {
        ...timed,
        steps: rendered.steps,
        block: rendered.block,
        ...(script === undefined ? {} : { script }),
      };
    }),
    rolling,
    recreateHops,
    ...(leastDowntime === undefined ? {} : { underRecreate: leastDowntime }),
    blockedBy,
  });
}
