import type { TimeRange } from '../../instance/forecast/work.js';
import type { Route, RouteBlock, RouteHop } from '../../release-safety/route.js';
import type { WayBack } from '../../release-safety/way-back.js';
import { countOf } from '../phrase.js';
import { describeMigrationTime } from './downtime.js';
import { describeBlock, describeHole, describeIssue, describeUnproven } from './reasons.js';
import { describeAllWaysBack, describeWayBackOfHop, describeWaysBack } from './way-back.js';

/** How long the migrations of a hop take, if known. */
interface Timed {
  readonly time?: TimeRange | undefined;
}

/** How long its migrations take, if known, and the cost of going back from it: one sentence each. */
export function hopDetails(
  { time, wayBack }: Timed & { readonly wayBack: WayBack },
  number: number,
): string[] {
  return [...describeTimeOfHop(time, number), describeWayBackOfHop(wayBack, number)];
}

/** The same for all hops; without the cost of going back if `describeAllWaysBack` covers it. */
export function describeHopDetails(hops: readonly (Timed & { readonly wayBack: WayBack })[]): string[] {
  const ways = hops.map(({ wayBack }) => wayBack);
  return [
    ...hops.flatMap(({ time }, i) => describeTimeOfHop(time, i + 1)),
    ...(describeAllWaysBack(ways) === undefined ? describeWaysBack(ways) : []),
  ];
}

function describeTimeOfHop(time: TimeRange | undefined, number: number): string[] {
  return time === undefined ? [] : [`Hop ${number}: ${describeMigrationTime(time)}.`];
}

/** The version that a target stands for, and the requested name; the name alone if no step leads to it. */
export function describeTarget({
  fromVersion,
  toVersion,
  requestedTarget,
  blockedBy,
}: Pick<Route, 'fromVersion' | 'toVersion' | 'requestedTarget' | 'blockedBy'>): string {
  if (requestedTarget === toVersion) return toVersion;
  const noStep = toVersion === fromVersion && blockedBy !== null;
  return noStep ? requestedTarget : `${toVersion} (${requestedTarget})`;
}

/** The words for what blocks the route, why a hop is not certified or is a Recreate, and why it lands where it does. */
export function wordsOfRoute({ hops, blockedBy }: Route): string[] {
  return [
    ...(blockedBy === null ? [] : [blockedBy.kind]),
    ...hops.flatMap((hop) => [
      ...(hop.belowIndexFloor ? ['below-index-floor'] : []),
      ...(!hop.belowIndexFloor && hop.missingRanges.length > 0 ? ['missing-coverage'] : []),
      ...(hop.knownIssues.length === 0 ? [] : ['known-issue']),
      ...(hop.unsafeVersions.length === 0 ? [] : ['unsafe-release']),
      ...(hop.unknownVersions.length === 0 ? [] : ['unknown-release']),
      ...(hop.reason === 'target' ? [] : [hop.reason]),
    ]),
  ];
}

/** Why a hop is not certified, one clause each: what no index covers, and the known issues that apply to it. */
export function whyUncertified(hop: RouteHop): string[] {
  return [...whyNotCovered(hop), ...issuesAgainst(hop, 'certified').map(describeIssue)];
}

/** What no index covers of a hop, one clause each. */
export function whyNotCovered({
  fromVersion,
  toVersion,
  reason,
  missingRanges,
  belowIndexFloor,
}: RouteHop): string[] {
  const floor = reason === 'index-floor' ? ` ${toVersion}` : '';
  if (belowIndexFloor) return [`${fromVersion} is older than the index floor${floor} (span rule 5)`];
  return missingRanges.length === 0 ? [] : [`${missingRanges.map(describeHole).join('; ')} (span rule 7)`];
}

/** What makes a hop a Recreate, one clause each. */
export function whyRecreate(hop: RouteHop): string[] {
  return [
    ...describeUnproven(hop.unsafeVersions, hop.unknownVersions),
    ...issuesAgainst(hop, 'rolling').map(describeIssue),
  ];
}

/** The known issues that keep a hop from being certified, or from rolling. */
export function issuesAgainst({ knownIssues }: RouteHop, what: 'certified' | 'rolling') {
  return knownIssues.filter(({ effect }) => (effect.kind === 'recreate') === (what === 'rolling'));
}

/** Why a hop lands there, if not because of a rule, one sentence each without a full stop. */
export function whyLandsThere({ landingIssues }: RouteHop, number: number): string[] {
  return landingIssues.map(
    (issue) => `Hop ${number} lands there because of an issue further on: ${describeIssue(issue)}`,
  );
}

/** What must be known of a hop besides its row, one sentence each without a full stop. */
export function notesOfHop(
  hop: RouteHop,
  number: number,
): { readonly text: string; readonly bad: boolean }[] {
  return [
    ...whyUncertified(hop).map((why) => ({ text: `Hop ${number} is not certified: ${why}`, bad: true })),
    ...whyRecreate(hop).map((why) => ({ text: `Hop ${number} is a Recreate: ${why}`, bad: false })),
    ...whyLandsThere(hop, number).map((text) => ({ text, bad: false })),
  ];
}

/** @param number of the hop, from 1 */
export function titleOfHop(
  { fromVersion, toVersion, strategy, certified }: RouteHop,
  number: number,
): string {
  return `Hop ${number}: ${fromVersion} -> ${toVersion} (${strategy}${certified ? '' : ', NOT CERTIFIED'})`;
}

/** What keeps a named target from going further, shown below the hops; without a full stop. */
export function goesNoFurther(blockedBy: RouteBlock | null): string[] {
  return blockedBy === null ? [] : [`It goes no further: ${describeBlock(blockedBy)}`];
}

/** For a version that the index would contain if it existed; without a full stop. */
export function describeNoRelease(version: string): string {
  return `${version} is not a release of this index, and no commands are given for it`;
}

/** For a route with too many hops; without a full stop. */
export function describeTooManyHops({ hops }: Pick<Route, 'hops'>, maxHops: number | undefined): string {
  return `${countOf(hops.length, 'hop')}, and --max-hops allows ${maxHops}`;
}
