import type { TimeRange } from '../../preflight/forecast/range.js';
import { countOf } from '../phrase.js';
import { describeTime, lockWaits } from './forecast.js';

/**
 * How long a Recreate over so many releases takes, as far as index and artifacts tell, or by the time of its migrations.
 * Without a full stop.
 */
export function describeDowntime(releases: number, time?: TimeRange): string {
  if (releases === 0) return 'a downtime';
  const length = time === undefined ? 'their length is not known' : `${describeTime(time)}; ${lockWaits}`;
  return `downtime ${untilMigrationsHaveRun(releases)}; ${length}`;
}

export function untilMigrationsHaveRun(releases: number): string {
  return `until the migrations of ${countOf(releases, 'release')} have run`;
}
