import type { MigrationForecast } from '../../preflight/forecast/forecast.js';
import type { TimeRange, Unbounded } from '../../preflight/forecast/range.js';
import { describeSeconds } from './measures.js';

/** Why there is no upper limit, as a clause. */
const unboundedWords: Record<Unbounded, string> = {
  'tables-not-told': 'an artifact does not name the tables it works on',
  'work-not-told': 'an artifact does not say what is done to the tables',
  'rows-not-told': 'no artifact says how many rows are changed',
  'size-not-seen': 'the size of a table was not seen',
  'rate-not-measured': 'the server was not measured',
  'release-not-told': 'a release has no artifact',
};

/** What no range includes. */
export const lockWaits = 'waits for locks come on top';

/**
 * How long something takes, as a clause: `under 1 s`, `4 to 40 min`, `at least 4 min; no upper limit can be given
 * because …`. Rounded outwards; waits for locks are never included.
 */
export function describeTime(time: TimeRange): string {
  const { highSeconds, because } = time;
  return highSeconds === null
    ? `${describeTimeInShort(time)}; no upper limit can be given because ${because.map((one) => unboundedWords[one]).join(', and ')}`
    : describeTimeInShort(time);
}

/** The same without the reason for a missing upper limit. */
export function describeTimeInShort({ lowSeconds, highSeconds }: TimeRange): string {
  if (highSeconds === null) {
    return lowSeconds < 1 ? 'under 1 s or more' : `at least ${describeSeconds(lowSeconds, Math.floor)}`;
  }
  const high = describeSeconds(Math.max(highSeconds, 1), Math.ceil);
  if (lowSeconds < 1) return highSeconds <= 1 ? 'under 1 s' : `under 1 s to ${high}`;
  const low = describeSeconds(lowSeconds, Math.floor);
  if (low === high) return high;
  const [lowNumber, lowUnit] = low.split(' ');
  return high.endsWith(` ${lowUnit}`) ? `${lowNumber} to ${high}` : `${low} to ${high}`;
}

/** How long the migrations of a hop take, as a clause. */
export function describeMigrationTime(time: TimeRange): string {
  return `migrations take ${describeTime(time)}; ${lockWaits}`;
}

/** The same for one migration, with the time it takes if it changes every row. */
export function describeForecast(forecast: MigrationForecast): string {
  const { everyRowSeconds, lowSeconds } = forecast;
  const ofAll =
    everyRowSeconds === null || everyRowSeconds < 1 || everyRowSeconds <= lowSeconds
      ? ''
      : `; if it changes every row, at least ${describeSeconds(everyRowSeconds, Math.floor)}`;
  return `${describeTime(forecast)}${ofAll}`;
}
