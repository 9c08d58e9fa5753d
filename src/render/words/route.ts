import type { Route, RouteHop } from '../../release-safety/route.js';
import type { Palette } from '../palette.js';
import { countOf } from '../phrase.js';
import { untilMigrationsHaveRun } from './downtime.js';
import { describeHole } from './reasons.js';

/** A route in short: how many hops, and what is to be known of them. */
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

/** How long the Recreate hops of a route take, as far as the index tells; undefined where there are none. */
export function describeDowntimeOfRoute({ hops }: Pick<Route, 'hops'>): string | undefined {
  const releases = hops
    .filter(({ strategy }) => strategy === 'Recreate')
    .reduce((count, hop) => count + hop.releases.length, 0);
  return releases === 0 ? undefined : `${untilMigrationsHaveRun(releases)} (length not known)`;
}

/** The version that a target stands for, and the name that was asked for; the name alone where no step leads to it. */
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

/** What stands in the way, why a hop is not certified or is a Recreate, and why it lands where it lands. */
export function wordsOfRoute({ hops, blockedBy }: Route): string[] {
  return [
    ...(blockedBy === null ? [] : [blockedBy.kind]),
    ...hops.flatMap((hop) => [
      ...(hop.certified ? [] : [beginsBelowFloor(hop) ? 'below-index-floor' : 'missing-coverage']),
      ...(hop.unsafeVersions.length === 0 ? [] : ['unsafe-release']),
      ...(hop.unknownVersions.length === 0 ? [] : ['unknown-release']),
      ...(hop.reason === 'target' ? [] : [hop.reason]),
    ]),
  ];
}

/** Why a hop is not certified, without a full stop. */
export function whyUncertified(hop: RouteHop): string {
  const { fromVersion, toVersion, reason, missingRanges } = hop;
  if (beginsBelowFloor(hop)) {
    const floor = reason === 'index-floor' ? ` ${toVersion}` : '';
    return `${fromVersion} is older than the index floor${floor} (span rule 5)`;
  }
  return `${missingRanges.map(describeHole).join('; ')} (span rule 7)`;
}

/** Of a version that the index would hold if it were one; without a full stop. */
export function describeNoRelease(version: string): string {
  return `${version} is not a release of this index, and no commands are given for it`;
}

/** Of a route that has too many; without a full stop. */
export function describeTooManyHops({ hops }: Pick<Route, 'hops'>, maxHops: number | undefined): string {
  return `${countOf(hops.length, 'hop')}, and --max-hops allows ${maxHops}`;
}

function beginsBelowFloor({ reason, missingRanges }: RouteHop): boolean {
  return reason === 'index-floor' || missingRanges.length === 0;
}
