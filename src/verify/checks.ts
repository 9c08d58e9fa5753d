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
 * Findings of a preflight that have another status after the upgrade. What the upgrade should have cleared is still
 * there: an invalid index, a lease that is not idle, stuck jobs. And running jobs are as they should be.
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
 * The checks of a preflight that a database must also pass after an upgrade, for the step from the new release to
 * itself: then nothing is pending, and the ledger is at that release. The content of a replica may be out of date.
 */
const ofDatabase = [ledger, lockAndLease, parkedProbe, primary, invalidIndexes, queue].map(afterwards);

/** The checks of an instance besides readiness, in the order of the answer. */
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

/**
 * What may change within a minute: a migration that still runs or that another pod takes over, and a rollout in
 * progress.
 */
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
