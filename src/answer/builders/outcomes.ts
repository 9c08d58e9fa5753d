import type { FindingInWords } from '../../checks/describe.js';
import type { RouteHop } from '../../core/route/route.js';
import type { SpanResult } from '../../core/span.js';
import { countOf } from '../../words/phrase.js';
import { firstBeforeMinimum } from '../../words/route/next.js';
import {
  describeHole,
  describeIssueInShort,
  firstIssue,
  firstStop,
  reasonsOfKind,
} from '../../words/route/reasons.js';
import type { OtherOutcome, Outcome } from '../headline.js';

interface SpanOutcomeDetails {
  /** Of the route. */
  readonly firstHop?: (() => RouteHop | undefined) | undefined;
  /** Whether an artifact contradicts the index. */
  readonly isDisputed: boolean;
}

/** What a span comes to, where the question is whether it rolls in one step (`upgrade-check`). */
export function outcomeOfSpan(result: SpanResult, { firstHop, isDisputed }: SpanOutcomeDetails): Outcome {
  const { direction, fromVersion, safe, jump } = result;
  if (safe && direction === 'same-version') return nothingToDo(fromVersion);
  if (safe) return { kind: 'rolls' };
  if (jump !== true) return outcomeOfForbidden(result, firstHop);
  const but = isDisputed ? 'index and artifacts disagree' : undefined;
  return { kind: 'downtime-only', steps: { landings: [result.toVersion], withDowntime: 1 }, but };
}

export function nothingToDo(version: string): OtherOutcome {
  return { kind: 'nothing-to-do', why: `${version} is the running version` };
}

/** Why a span is not one direct upgrade: what has to be done first, or the first reason that there is. */
function outcomeOfForbidden(result: SpanResult, firstHop?: () => RouteHop | undefined): Outcome {
  const { reasons, toVersion, missingRanges } = result;
  const first = (otherwise: string): Outcome => {
    const version = firstHop?.()?.toVersion ?? otherwise;
    return version === toVersion
      ? negativeOutcome(`${toVersion} is itself a required stop: upgrade-plan takes it as a step`)
      : { kind: 'another-first', version, orLater: false };
  };
  const [belowFloor] = reasonsOfKind(reasons, 'below-index-floor');
  if (belowFloor !== undefined) return first(belowFloor.floor);
  const [hole] = missingRanges;
  if (hole !== undefined) return negativeOutcome(describeHole(hole));
  const stop = firstStop(reasons);
  if (stop !== undefined) return first(stop);
  const [minimum] = reasonsOfKind(reasons, 'below-minimum-version');
  if (minimum !== undefined)
    return { kind: 'another-first', ...firstBeforeMinimum(minimum.minimum, firstHop?.()) };
  const issue = firstIssue(reasons);
  return negativeOutcome(
    issue === undefined ? 'it is not proven to be one direct upgrade' : describeIssueInShort(issue),
  );
}

/** The outcome where findings stop an upgrade, whatever its releases allow; undefined without any. */
export function outcomeOfStops(stops: readonly FindingInWords[]): OtherOutcome | undefined {
  const [first, ...others] = stops;
  return first && negativeOutcome(describeFirst(`${first.check}: ${first.description}`, others.length));
}

/** `replicas: … (and 2 more)` */
export function describeFirst(first: string, others: number): string {
  return others === 0 ? first : `${first} (and ${countOf(others, 'other')})`;
}

export function negativeOutcome(reason: string): OtherOutcome {
  return { kind: 'no', reason };
}
