import type { TimeRange } from '../../preflight/forecast/range.js';
import { countOf } from '../phrase.js';
import { describeTime, lockWaits } from './forecast.js';

/** The releases whose migrations run; if the index has a gap among them, there are more. */
interface Released {
  readonly releases: number;
  readonly whole: boolean;
}

/**
 * How long a Recreate over these releases takes, as far as index and artifacts show, or by the time of its migrations.
 * Without a full stop.
 */
export function describeDowntime(released: Released, time?: TimeRange): string {
  if (released.releases === 0) return 'a downtime';
  const length = time === undefined ? 'their length is not known' : `${describeTime(time)}; ${lockWaits}`;
  return `downtime ${untilMigrationsHaveRun(released)}; ${length}`;
}

export function untilMigrationsHaveRun({ releases, whole }: Released): string {
  return `until the migrations of ${whole ? '' : 'at least '}${countOf(releases, 'release')} have run`;
}
