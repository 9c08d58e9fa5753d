import type { Version } from '../../release-safety/version.js';
import { type Answers, defineCheck, ok, stop, warn } from '../check.js';
import { firstWith, isOlder } from '../runtime-eras.js';

interface Parked {
  readonly version: string;
  readonly migration: string | null;
}

export type ParkedProbeEvidence =
  | ({ readonly kind: 'probe-fails-on-parked'; readonly from: string } & Parked)
  | ({ readonly kind: 'probe-would-fail-on-parked'; readonly to: string } & Parked)
  | ({ readonly kind: 'run-parked' } & Parked)
  | { readonly kind: 'no-run-parked' };

/**
 * Whether the newest run of migrations is parked. Releases from 1.129.0 to before 1.169.1 then report every pod as not
 * ready, which takes the old pods out of service too.
 */
export const parkedProbe = defineCheck({
  id: 'parked-probe',
  group: 'database',
  canStop: true,
  needs: [],
  needsOrAbsent: ['runs'],
  needsArtifacts: false,
  judge({ from, to, facts: { runs } }): Answers<ParkedProbeEvidence> {
    const newest = runs?.newest[0];
    if (newest?.outcome !== 'parked') {
      return [ok({ kind: 'no-run-parked' })];
    }
    const subject = 'migration_run_ledger';
    const parked = { version: newest.appVersion, migration: newest.failingMigration };
    if (failsOnParked(from)) {
      return [stop(subject, { kind: 'probe-fails-on-parked', from, ...parked })];
    }
    return [
      failsOnParked(to)
        ? stop(subject, { kind: 'probe-would-fail-on-parked', to, ...parked })
        : warn(subject, { kind: 'run-parked', ...parked }),
    ];
  },
});

function failsOnParked(version: Version): boolean {
  return !isOlder(version, firstWith.readyz) && isOlder(version, firstWith.readyzWarns);
}
