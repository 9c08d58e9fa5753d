import type { Verdict } from '../../release-safety/index-schema.js';
import type { Route, RouteHop } from '../../release-safety/route.js';
import { describeBlock } from '../text/route-reasons.js';
import { describeUnproven, type GateAnswer, type GateQuestion } from './answer.js';

/** A question for the route as a whole, and one for every hop of it. */
export function gateAnswerOfPlan(
  route: Route,
  { requireRolling }: { readonly requireRolling: boolean },
): GateAnswer {
  const { fromVersion, toVersion, requestedTarget, hops, certified, rolling, blockedBy } = route;
  const target = requestedTarget === toVersion ? toVersion : `${requestedTarget} (${toVersion})`;
  const questions: GateQuestion[] = [
    {
      name: 'Certified route',
      yes: certified,
      why: blockedBy === null ? [] : [describeBlock(blockedBy)],
    },
    ...hops.map((hop, i) => ({
      name: `Hop ${i + 1}: ${hop.fromVersion} -> ${hop.toVersion} (${hop.strategy})`,
      yes: hop.certified && (!requireRolling || hop.strategy === 'RollingUpdate'),
      why: describeHop(hop),
    })),
  ];
  return {
    title: `upgrade-plan ${fromVersion} -> ${target}`,
    yes: questions.every((question) => question.yes),
    safe: rolling,
    verdict: composeHops(route),
    strategy: rolling ? 'RollingUpdate' : 'Recreate',
    hops,
    questions,
  };
}

function describeHop({ certified, unsafeVersions, unknownVersions }: RouteHop): string[] {
  return [
    ...(certified ? [] : ['the index does not cover it (span rules 5 and 7)']),
    ...describeUnproven(unsafeVersions, unknownVersions),
  ];
}

/** Span rule 2, over the hops; where there is no route, nothing is proven. */
function composeHops({ hops, rolling }: Route): Verdict {
  if (rolling) return true;
  return hops.some(({ verdict }) => verdict === false) ? false : 'unknown';
}
