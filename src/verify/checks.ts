import type { Answers, Check } from '../preflight/check.js';
import { invalidIndexes } from '../preflight/checks/invalid-indexes.js';
import { ledger } from '../preflight/checks/ledger.js';
import { lockAndLease } from '../preflight/checks/lock-and-lease.js';
import { parkedProbe } from '../preflight/checks/parked-probe.js';
import { primary } from '../preflight/checks/primary.js';
import { queue } from '../preflight/checks/queue.js';
import type { CheckEvidence, CheckId } from '../preflight/checks.js';
import type { FindingStatus } from '../preflight/finding.js';
import { type PodsEvidence, pods } from './pods.js';

type Status = Exclude<FindingStatus, 'not-checked'>;

/**
 * What a preflight finds counts otherwise after the upgrade. What would have gone away with it has not: an index that is
 * not valid, a lease that is not idle, jobs that are stuck. And jobs that run are as it should be.
 */
const statusAfterwards: { readonly [Kind in CheckEvidence['kind']]?: Status } = {
  'ledger-skipped': 'stop',
  'knex-lock-freed-by-target': 'stop',
  'lease-stale': 'stop',
  'lease-parked': 'stop',
  'run-parked': 'stop',
  'index-invalid': 'stop',
  'jobs-locked-too-long': 'stop',
  'jobs-not-worked': 'stop',
  'jobs-running': 'ok',
};

/**
 * The checks of a preflight that a database must pass after an upgrade too, asked of the one step from the release that
 * is to run to itself: nothing is pending then, and the ledger stands there. What a replica holds is of a while ago.
 */
const ofDatabase = [ledger, lockAndLease, parkedProbe, primary, invalidIndexes, queue].map(afterwards);

/** What is asked of an instance beside readiness, in the order of the answer. */
export const verifyChecks: readonly Check<CheckId | 'pods', CheckEvidence | PodsEvidence>[] = [
  ...ofDatabase,
  pods,
];

function afterwards(check: Check<CheckId, CheckEvidence>): Check<CheckId, CheckEvidence> {
  return {
    ...check,
    canStop: true,
    judge: (given): Answers<CheckEvidence> =>
      check
        .judge(given)
        .map((answer) =>
          'lacks' in answer
            ? answer
            : { ...answer, status: statusAfterwards[answer.evidence.kind] ?? answer.status },
        ),
  };
}

/** What another minute may settle: a migration that still runs or that another pod takes over, and a rollout that goes on. */
const passing: ReadonlySet<string> = new Set<(CheckEvidence | PodsEvidence)['kind']>([
  'ledger-behind',
  'ledger-half-applied',
  'knex-lock-freed-by-target',
  'lease-migrating',
  'lease-stale',
  'pod-of-another-release',
  'pod-not-ready',
  'workload-lacks-pods',
  'migration-job-not-ended',
]);

export function mayPass({ kind }: { readonly kind: string }): boolean {
  return passing.has(kind);
}
