import { countOf } from '../phrase.js';

/** How long a Recreate over so many releases takes, as far as index and artifacts tell. Without a full stop. */
export function describeDowntime(releases: number): string {
  return releases === 0
    ? 'a downtime'
    : `downtime ${untilMigrationsHaveRun(releases)}; their length is not known`;
}

export function untilMigrationsHaveRun(releases: number): string {
  return `until the migrations of ${countOf(releases, 'release')} have run`;
}
