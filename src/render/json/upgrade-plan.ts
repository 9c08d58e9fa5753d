import { hasTooManyHops, type Route } from '../../release-safety/route.js';
import type { RenderedHop } from '../deployment/hop-block.js';
import { renderDocument, type Written } from './document.js';
import type { UpgradePlanResult } from './upgrade-plan-schema.js';

export interface UpgradePlanJsonOptions {
  readonly index: Written<UpgradePlanResult['index']>;
  /** Where the current version was found. */
  readonly fromSource: string;
  /** The most hops that the answer may have to be a yes; undefined where any number will do. */
  readonly maxHops: number | undefined;
  /** What to do for each hop; undefined where it was not asked for. */
  readonly renderedHops: readonly RenderedHop[] | undefined;
  /** The files that hold the scripts, a hop each. */
  readonly scripts: readonly string[] | undefined;
}

/**
 * The plan for a program: one line, with a schemaVersion of its own. `safe` is `rolling`, in no more hops than
 * are allowed: a plan with Recreate hops can be `certified`, and is not safe to roll.
 */
export function renderUpgradePlanJson(
  route: Route,
  { index, fromSource, maxHops, renderedHops, scripts }: UpgradePlanJsonOptions,
): string {
  const { fromVersion, toVersion, requestedTarget, hops, certified, rolling, recreateHops, blockedBy } =
    route;
  return renderDocument<UpgradePlanResult>({
    safe: rolling && !hasTooManyHops(route, maxHops),
    fromVersion,
    fromSource,
    toVersion,
    requestedTarget,
    index,
    certified,
    hops: hops.map((hop, i) => {
      const rendered = renderedHops?.[i];
      if (rendered === undefined) return hop;
      const script = scripts?.[i];
      return {
        ...hop,
        steps: rendered.steps,
        block: rendered.block,
        ...(script === undefined ? {} : { script }),
      };
    }),
    rolling,
    recreateHops,
    blockedBy,
  });
}
