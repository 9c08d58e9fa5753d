import { describe, expect, it } from 'vitest';
import type { RecreateWork } from '../../src/instance/forecast/hops.js';
import { describeLeastDowntime } from '../../src/words/downtime.js';

const work = (fields: Partial<RecreateWork>): RecreateWork => ({
  hops: 1,
  releases: 1,
  releasesNotTold: 0,
  migrations: 1,
  ...fields,
});

describe('what the preference for the least downtime spares', () => {
  const most = work({ releases: 1200, migrations: 60 });

  it.each<[chosen: RecreateWork, fewestHops: RecreateWork, told: string]>([
    [work({ hops: 0, releases: 0 }), work({ hops: 0, releases: 0 }), 'Every hop rolls.'],
    [most, most, 'No route leaves less to Recreate hops: 60 migrations of 1,200 releases.'],
    [
      work({}),
      most,
      'Recreate hops are left with 1 migration of 1 release; with the fewest hops, 60 migrations of 1,200 releases.',
    ],
    [
      work({ hops: 0, releases: 0, migrations: 0 }),
      work({ releases: 3, releasesNotTold: 2 }),
      'Recreate hops are left with nothing; with the fewest hops, 1 migration of 3 releases, 2 of which do not list their own.',
    ],
    [
      work({ releasesNotTold: 1, migrations: 0 }),
      work({ releases: 3, releasesNotTold: 3, migrations: 0 }),
      'Recreate hops are left with 1 release that does not list its migrations; with the fewest hops, 3 releases that do not list their migrations.',
    ],
    [
      work({ releases: 2, releasesNotTold: 1 }),
      work({ releases: 2, releasesNotTold: 1 }),
      'No route leaves less to Recreate hops: 1 migration of 2 releases, 1 of which does not list its own.',
    ],
  ])('%j, and %j', (chosen, fewestHops, told) => {
    expect(describeLeastDowntime({ countedBy: 'migrations', chosen, fewestHops })).toBe(
      `least downtime by the number of migrations, because no facts of a database tell their time. ${told}`,
    );
  });

  it('is told as time where that was seen, with what is missing for a limit', () => {
    const chosen = work({ migrationTime: { lowSeconds: 50, highSeconds: 90, because: [] } });
    const fewestHops = work({
      releases: 2,
      migrations: 2,
      migrationTime: { lowSeconds: 240, highSeconds: null, because: ['work-not-told'] },
    });
    expect(describeLeastDowntime({ countedBy: 'migration-time', chosen, fewestHops })).toBe(
      'least downtime by the time of migrations. Recreate hops are left with 1 migration of 1 release (50 to 90 seconds); with the fewest hops, 2 migrations of 2 releases (at least 4 minutes; how much longer is not known: an artifact does not say what is done to the tables).',
    );
  });
});
