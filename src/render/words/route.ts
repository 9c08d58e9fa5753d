import { inTurn, type TimeRange } from '../../preflight/forecast/range.js';
import type { Route, RouteBlock, RouteHop } from '../../release-safety/route.js';
import type { WayBack } from '../../release-safety/way-back.js';
import type { Palette } from '../palette.js';
import { countOf } from '../phrase.js';
import { untilMigrationsHaveRun } from './downtime.js';
import { describeMigrationTime, describeTime, lockWaits } from './forecast.js';
import { describeBlock, describeHole, describeIssue } from './reasons.js';
import { describeAllWaysBack, describeWayBackOfHop, describeWaysBack } from './way-back.js';

/** A route in short: how many hops, and what must be known of them. */
export function describeRoute(
  { hops, certified, recreateHops }: Route,
  { good, bad, warn }: Palette,
): string {
  if (hops.length === 0) return certified ? good('nothing to do') : bad('none');
  const number = countOf(hops.length, 'hop');
  if (!certified) return bad(`${number}, NOT CERTIFIED`);
  if (recreateHops === 0) return good(`${number}, rolling all the way`);
  return warn(`${number}, ${recreateHops} Recreate (a downtime${recreateHops === 1 ? '' : ' each'})`);
}

/**
 * How long the Recreate hops of a route take, as far as the index shows, or by the times of their migrations; undefined
 * if there are none.
 */
export function describeDowntimeOfRoute(
  hops: readonly (Pick<RouteHop, 'strategy' | 'releases' | 'missingRanges'> & Timed)[],
): string | undefined {
  const recreate = hops.filter(({ strategy }) => strategy === 'Recreate');
  const releases = recreate.reduce((count, hop) => count + hop.releases.length, 0);
  if (releases === 0) return undefined;
  const known = recreate.flatMap(({ time }) => time ?? []);
  const length =
    known.length < recreate.length ? 'length not known' : `${describeTime(inTurn(known))}; ${lockWaits}`;
  const whole = recreate.every(({ missingRanges }) => missingRanges.length === 0);
  return `${untilMigrationsHaveRun({ releases, whole })} (${length})`;
}

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

/** Why a hop is not certified, one clause each: the known issues that apply to it, and what no index covers. */
export function whyUncertified(hop: RouteHop): string[] {
  const { fromVersion, toVersion, reason, missingRanges, belowIndexFloor } = hop;
  const floor = reason === 'index-floor' ? ` ${toVersion}` : '';
  return [
    ...(belowIndexFloor ? [`${fromVersion} is older than the index floor${floor} (span rule 5)`] : []),
    ...(!belowIndexFloor && missingRanges.length > 0
      ? [`${missingRanges.map(describeHole).join('; ')} (span rule 7)`]
      : []),
    ...hop.knownIssues.filter(({ effect }) => effect.kind !== 'recreate').map(describeIssue),
  ];
}

/** What makes a hop that may roll a Recreate, one clause each. */
export function whyRecreate({ knownIssues }: RouteHop): string[] {
  return knownIssues.filter(({ effect }) => effect.kind === 'recreate').map(describeIssue);
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
