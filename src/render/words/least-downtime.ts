import type { CountedBy, RecreateWork } from '../../instance/forecast/hops.js';
import { countOf, number } from '../phrase.js';
import { describeTime } from './downtime.js';

/** The work of Recreate hops on the route of least downtime, and on the route with the fewest hops. */
export interface LeastDowntime {
  readonly countedBy: CountedBy;
  readonly chosen: RecreateWork;
  readonly fewestHops: RecreateWork;
}

const countedByWords: Record<CountedBy, string> = {
  'migration-time': 'least downtime by the time of migrations',
  migrations: 'least downtime by the number of migrations, because no facts of a database tell their time',
};

/** What the preference for the least downtime saves, and how that is counted: a sentence. */
export function describeLeastDowntime({ countedBy, chosen, fewestHops }: LeastDowntime): string {
  const preferred = countedByWords[countedBy];
  if (fewestHops.hops === 0) return `${preferred}. Every hop rolls.`;
  const most = describeWork(fewestHops);
  // Routes with the same work are the same route.
  return JSON.stringify(chosen) === JSON.stringify(fewestHops)
    ? `${preferred}. No route leaves less to Recreate hops: ${most}.`
    : `${preferred}. Recreate hops are left with ${describeWork(chosen)}; with the fewest hops, ${most}.`;
}

function describeWork({ releases, releasesNotTold, migrations, migrationTime }: RecreateWork): string {
  if (releases === 0) return 'nothing';
  const time = migrationTime === undefined ? '' : ` (${describeTime(migrationTime)})`;
  const all = countOf(releases, 'release');
  const [list, theirs] = releasesNotTold === 1 ? ['does not list', 'its'] : ['do not list', 'their'];
  if (releasesNotTold === releases) return `${all} that ${list} ${theirs} migrations${time}`;
  const notReported =
    releasesNotTold === 0 ? '' : `, ${number(releasesNotTold)} of which ${list} ${theirs} own`;
  return `${countOf(migrations, 'migration')} of ${all}${notReported}${time}`;
}
