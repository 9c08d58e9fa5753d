import type { RouteHop } from '../../core/results.js';
import { compact } from '../../core/text/compact.js';
import type { MigrationForecast } from '../../instance/forecast/forecast.js';
import type { CountedBy, RecreateWork } from '../../instance/forecast/hops.js';
import { inTurn, type TimeRange, type UnboundedReason } from '../../instance/forecast/work-time.js';
import type { MigrationHistory } from '../../instance/migration-history.js';
import type { MeasuredHop } from '../../instance/rehearsed.js';
import { countOf, describeSeconds } from '../phrase.js';

/** What would have to be known for an upper limit, as a clause. */
const missingWords: Record<UnboundedReason, string> = {
  'tables-not-told': 'an artifact does not name the tables it works on',
  'work-not-told': 'an artifact does not say what it does to the tables',
  'rows-not-told': 'no artifact says how many rows change',
  'size-not-seen': 'the size of a table is not known',
  'rate-not-measured': 'the server was not measured (--no-measure, or no table may be read)',
  'release-not-told': 'a release has no artifact',
  'may-not-end': 'it may never end',
};

/**
 * How long something takes, as a clause: `under 1 second`, `4 to 40 minutes`, `at least 4 minutes; how much longer is
 * not known: …`, `not known: …`. Rounded outwards; waits for locks are never included.
 *
 * @param time undefined if the tables of the database were not seen
 */
export function describeTime(time: TimeRange | undefined): string {
  const short = describeTimeInShort(time);
  if (time === undefined) return `${short}: no facts about database tables`;
  const missing = time.because.map((reason) => missingWords[reason]).join(', and ');
  if (time.highSeconds !== null) return short;
  return isKnown(time) ? `${short}; the upper limit is not known: ${missing}` : `${short}: ${missing}`;
}

export function describeTimeInShort(time: TimeRange | undefined): string {
  if (time === undefined || !isKnown(time)) return 'not known';
  const { lowSeconds, highSeconds } = time;
  const low = describeSeconds(lowSeconds, Math.floor);
  if (highSeconds === null) return `at least ${low}`;
  const high = describeSeconds(Math.max(highSeconds, 1), Math.ceil);
  if (lowSeconds < 1) return highSeconds <= 1 ? `under ${high}` : `up to ${high}`;
  if (low === high) return high;
  const [lowNumber, lowUnit = ''] = low.split(' ');
  return high.split(' ')[1]?.startsWith(lowUnit) ? `${lowNumber} to ${high}` : `${low} to ${high}`;
}

/** Whether there is an upper limit, or a lower one that says anything. */
function isKnown({ lowSeconds, highSeconds }: TimeRange): boolean {
  return highSeconds !== null || lowSeconds >= 1;
}

/** The same with what no time includes, if it says more than that it is not known. */
export function describeWithLocks(time: TimeRange | undefined, until = ''): string {
  const isShown = time !== undefined && isKnown(time);
  return `${describeTime(time)}${until}${isShown ? '; waiting for locks adds to that' : ''}`;
}

/**
 * What this server really took, beside a forecast: no pending migration is the same, but it shows how large the
 * instance is, and how fast.
 */
export function describeBefore(longest: MigrationHistory['longest']): string {
  if (longest === null || longest.seconds < 1) return '';
  return `; the longest that ran here took up to ${describeSeconds(longest.seconds, Math.ceil)} (${longest.migration})`;
}

export function describeMigrationTime(time: TimeRange | undefined): string {
  return `time of migrations: ${describeWithLocks(time)}`;
}

/** What a rehearsal has measured, with its day and its machine: it is no forecast for another. A clause. */
export function describeMeasured({ seconds, day, machine, backup }: MeasuredHop): string {
  return (
    `its migrations took ${describeSeconds(seconds)} on a copy, with the rows of the backup of ${backup} ` +
    `(rehearsed on ${day}, on ${machine})`
  );
}

/** How long the way back took there; undefined if it was not measured. A clause. */
export function describeRestore({ restoreSeconds, day, machine, backup }: MeasuredHop): string | undefined {
  if (restoreSeconds === null) return undefined;
  return `the backup of ${backup} was restored in ${describeSeconds(restoreSeconds)} (rehearsed on ${day}, on ${machine})`;
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

/** A hop, or a span as if it were one. `time` is that of its migrations; undefined if it is not known. */
type Downed = Pick<RouteHop, 'releases' | 'missingRanges'> & { readonly time?: TimeRange | undefined };

/** How long Lightdash is down in these hops: as long as their migrations take. A clause. */
export function describeDowntime(hops: readonly Downed[]): string {
  const knownTimes = hops.flatMap(({ time }) => time ?? []);
  const time = knownTimes.length < hops.length ? undefined : inTurn(knownTimes);
  const releases = hops.reduce((count, hop) => count + hop.releases.length, 0);
  const isCovered = hops.every(({ missingRanges }) => missingRanges.length === 0);
  const least = isCovered ? '' : 'at least ';
  if (releases === 0) return time === undefined ? 'unknown' : describeWithLocks(time);
  return time === undefined
    ? `as long as ${least}${countOf(releases, 'release migrates', 'releases migrate')}; upgrade-preflight estimates it`
    : describeWithLocks(time, `; until the migrations of ${least}${countOf(releases, 'release')} finish`);
}

/** The work of Recreate hops on the route of least downtime, and on the route with the fewest hops. */
export interface LeastDowntime {
  readonly countedBy: CountedBy;
  readonly chosen: RecreateWork;
  readonly fewestHops: RecreateWork;
}

const countedByWords: Record<CountedBy, string> = {
  'migration-time': 'least downtime by migration time',
  migrations: 'least downtime by the number of migrations, because no database facts show how long they take',
};

/** What the preference for the least downtime saves, and how that is counted: a sentence. */
export function describeLeastDowntime({ countedBy, chosen, fewestHops }: LeastDowntime): string {
  return (
    `${countedByWords[countedBy]}. Recreate hops run ${describeWork(chosen)}; with the fewest hops, they would ` +
    `run ${describeWork(fewestHops)}.`
  );
}

function describeWork({ releases, releasesNotTold, migrations, migrationTime }: RecreateWork): string {
  const listed = releases - releasesNotTold;
  const work = compact(
    listed > 0 && `${countOf(migrations, 'migration')} of ${countOf(listed, 'release')}`,
    releasesNotTold > 0 && `whatever ${countOf(releasesNotTold, 'release')} may migrate`,
  ).join(' and ');
  return `${work || 'no migrations'}${migrationTime === undefined ? '' : ` (${describeTime(migrationTime)})`}`;
}
