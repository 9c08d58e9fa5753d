import { parseVersion, type Version } from './version.js';

/**
 * Targets that the index resolves: `latest` is its newest release, `latest-rolling` the newest one that rolling hops
 * alone reach.
 */
export const routeTargetNames = ['latest', 'latest-rolling'] as const;

export type RouteTarget = Version | (typeof routeTargetNames)[number];

/**
 * Reads a target: a name from `routeTargetNames` as it is, else a version as `parseVersion` does.
 *
 * @throws {ReleaseSafetyError} `invalid-version`
 */
export function parseRouteTarget(text: string): RouteTarget {
  return routeTargetNames.find((name) => name === text) ?? parseVersion(text);
}

/**
 * Which route to take of all that there are: the one with the fewest hops, or the one that leaves the least work to
 * Recreate hops.
 */
export const routePreferences = ['fewest-hops', 'least-downtime'] as const;

export type RoutePreference = (typeof routePreferences)[number];
