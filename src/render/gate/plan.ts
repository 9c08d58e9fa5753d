import type { Verdict } from '../../release-safety/index-schema.js';
import { hasTooManyHops, type RouteHop } from '../../release-safety/route.js';
import type { PlanDetails } from '../plan-details.js';
import type { ShownRoute } from '../shown-route.js';
import { describeLeastDowntime } from '../words/least-downtime.js';
import { describeUnproven } from '../words/questions.js';
import { describeBlock } from '../words/reasons.js';
import {
  describeDowntimeOfRoute,
  describeNoRelease,
  describeTarget,
  describeTooManyHops,
  hopDetails,
  titleOfHop,
  whyLandsThere,
  whyRecreate,
  whyUncertified,
} from '../words/route.js';
import { type GateAnswer, type GateQuestion, listReleases, questionOfInstance } from './answer.js';

/** A question for the route as a whole, and one for every hop of it. */
export function gateAnswerOfPlan(
  route: ShownRoute,
  {
    requireRolling,
    maxHops,
    startIsNoRelease,
    renderedHops = [],
    scripts = [],
    leastDowntime,
    instance,
  }: PlanDetails & { readonly requireRolling: boolean },
): GateAnswer {
  const { fromVersion, hops, certified, rolling, blockedBy } = route;
  const tooManyHops = hasTooManyHops(route, maxHops);
  const safe = rolling && !tooManyHops && instance?.answer !== 'no';
  const downtime = describeDowntimeOfRoute(hops);
  const questions: GateQuestion[] = [
    {
      name: 'Certified route',
      yes: certified,
      why: [
        ...(startIsNoRelease ? [describeNoRelease(fromVersion)] : []),
        ...(blockedBy === null ? [] : [describeBlock(blockedBy)]),
      ],
      notes: [
        ...(downtime === undefined ? [] : [`Downtime: ${downtime}.`]),
        ...(leastDowntime === undefined ? [] : [`Preferred: ${describeLeastDowntime(leastDowntime)}`]),
      ],
    },
    ...(maxHops === undefined
      ? []
      : [
          {
            name: 'Few enough hops',
            yes: !tooManyHops,
            why: tooManyHops ? [describeTooManyHops(route, maxHops)] : [],
          },
        ]),
    ...questionOfInstance(instance),
    ...hops.map((hop, i) => ({
      name: titleOfHop(hop, i + 1),
      yes: hop.certified && (!requireRolling || hop.strategy === 'RollingUpdate'),
      why: describeHop(hop),
      notes: [...whyLandsThere(hop, i + 1).map((text) => `${text}.`), ...hopDetails(hop, i + 1)],
    })),
  ];
  return {
    title: `upgrade-plan ${fromVersion} -> ${describeTarget(route)}`,
    yes: questions.every((question) => question.yes),
    safe,
    verdict: composeHops(route),
    strategy: safe ? 'RollingUpdate' : 'Recreate',
    hops,
    questions,
    commands: renderedHops.map(({ before, steps, block }, i) => ({
      ...{ before, steps, block },
      script: scripts[i],
    })),
  };
}

function describeHop(hop: RouteHop): string[] {
  return [
    ...whyUncertified(hop),
    ...whyRecreate(hop),
    ...describeUnproven(hop.unsafeVersions, hop.unknownVersions, listReleases),
  ];
}

/** Span rule 2, over the hops; without a route, nothing is proven. */
function composeHops({ hops, rolling }: ShownRoute): Verdict {
  if (rolling) return true;
  return hops.some(({ verdict }) => verdict === false) ? false : 'unknown';
}
