import { parseVersion, type Version } from './version.js';

/**
 * Targets that the index resolves: `latest` is its newest release, `latest-rolling` the newest that rolling hops alone
 * reach.
 */
export const routeTargetNames = ['latest', 'latest-rolling'] as const;

/** What a route should reach: a release, or a name that the index resolves. */
export type RouteTarget = Version | (typeof routeTargetNames)[number];

/**
 * Reads a target: an exact name from `routeTargetNames`, else a version as `parseVersion` reads it.
 *
 * @throws {ReleaseSafetyError} `invalid-version`
 */
export function parseRouteTarget(text: string): RouteTarget {
  return routeTargetNames.find((name) => name === text) ?? parseVersion(text);
}

/**
 * Which of the possible routes to take: the one with the fewest hops, or the one with the least work in Recreate hops.
 */
export const routePreferences = ['fewest-hops', 'least-downtime'] as const;

export type RoutePreference = (typeof routePreferences)[number];
