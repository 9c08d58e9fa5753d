import type { Route, RouteHop } from '../../../core/route/route.js';
import { countOf } from '../../../words/phrase.js';
import { describeBlock } from '../../../words/route/reasons.js';
import { whyUncertified } from '../../../words/route/route.js';
import type { Outcome } from '../../headline.js';
import { negativeOutcome, nothingToDo } from '../outcomes.js';

/** The outcome of a route, where the question is whether there is one (`upgrade-plan`). */
export function outcomeOfRoute({
  hops,
  certified,
  blockedBy,
  fromVersion,
}: Pick<Route, 'hops' | 'certified' | 'blockedBy' | 'fromVersion'>): Outcome {
  if (hops.length === 0 && certified) return nothingToDo(fromVersion);
  if (hops.length === 0)
    return negativeOutcome(blockedBy === null ? 'there is no route' : describeBlock(blockedBy));
  const open = hops.find((hop) => !hop.certified);
  if (open !== undefined || !certified) {
    const why = open === undefined ? [] : whyUncertified(open);
    const more = why.length > 1 ? `, and ${countOf(why.length - 1, 'other reason')}` : '';
    return negativeOutcome(
      `${[`nothing proves the step to ${open?.toVersion ?? 'the target'}`, ...why.slice(0, 1)].join(': ')}${more}`,
    );
  }
  return { kind: 'route', steps: stepsOf(hops) };
}

export function stepsOf(hops: readonly RouteHop[]) {
  return {
    landings: hops.map(({ toVersion }) => toVersion),
    withDowntime: hops.filter(({ strategy }) => strategy !== 'RollingUpdate').length,
  };
}
