import { type LightdashContainer, servingContainers } from '../../facts/lightdash-containers.js';
import type { Version } from '../../release-safety/version.js';
import {
  type Answers,
  defineCheck,
  type FactOf,
  foundOrOk,
  type Judgement,
  ok,
  stop,
  warn,
} from '../check.js';
import { bootMigrators, migrationJobState } from '../migration-job.js';
import { firstWith, isOlder } from '../runtime-eras.js';
import { lackingWorkloads, nameOf, scalerOf } from '../workloads.js';

export type MigratorsEvidence =
  | { readonly kind: 'job-and-pods-migrate'; readonly pods: readonly string[]; readonly to: string }
  | { readonly kind: 'pods-wait-for-job'; readonly pods: readonly string[] }
  | {
      readonly kind: 'several-migrate-at-start';
      readonly pods: readonly string[];
      /** The maximum; null for one on every node. */
      readonly replicas: number | null;
      readonly to: string;
    }
  | { readonly kind: 'nobody-would-migrate'; readonly pods: readonly string[] }
  | { readonly kind: 'job-migrates' }
  | { readonly kind: 'pods-migrate'; readonly pods: readonly string[] };

/** What runs the migrations: the job of the chart, or the pods when they start; not both, and not nothing. */
export const migrators = defineCheck({
  id: 'migrators',
  group: 'deployment',
  canStop: true,
  needs: ['deployment', 'workloads'],
  needsOrAbsent: ['helm'],
  mayNeed: ['migration-job', 'chartValues', 'stated', 'autoscalers'],
  needsArtifacts: false,
  judge({ to, facts }): Answers<MigratorsEvidence> {
    const { deployment, workloads, autoscalers } = facts;
    const lacking = lackingWorkloads(deployment, workloads);
    if (lacking.length > 0) return lacking;
    const boots = bootMigrators(workloads);
    const pods = namesOf(boots);
    const job = migrationJobState(facts);
    if (boots.length === 0) return judgeWithoutBoot(job, workloads);

    const together = job === 'on' ? [jobAndPods(pods, to)] : [];
    const notReported: Answers<MigratorsEvidence> = job === 'not-told' ? [{ lacks: 'migration-job' }] : [];
    return foundOrOk([...together, ...notReported, ...judgeReplicas(boots, to, autoscalers)], {
      kind: 'pods-migrate',
      pods,
    });
  },
});

function jobAndPods(pods: readonly string[], to: Version): Judgement<MigratorsEvidence> {
  const subject = pods[0] ?? null;
  return isOlder(to, firstWith.lease)
    ? stop(subject, { kind: 'job-and-pods-migrate', pods, to })
    : warn(subject, { kind: 'pods-wait-for-job', pods });
}

/** Before the lease, only a lock in the database keeps two of them apart, and one that is killed leaves it locked. */
function judgeReplicas(
  boots: readonly LightdashContainer[],
  to: Version,
  autoscalers: FactOf<'autoscalers'> | null | undefined,
): Answers<MigratorsEvidence> {
  if (!isOlder(to, firstWith.lease)) return [];
  if (autoscalers === undefined) return [{ lacks: 'autoscalers' }];
  const replicas = boots.map(({ workload }) => {
    if (workload.kind === 'DaemonSet') return null;
    const scaler = scalerOf(workload, autoscalers);
    return scaler === undefined ? (workload.replicas ?? 1) : scaler.maxReplicas;
  });
  const most = replicas.reduce(
    (sum: number | null, count) => (sum === null || count === null ? null : sum + count),
    0,
  );
  if (most !== null && most < 2) return [];
  const pods = namesOf(boots);
  return [warn(pods[0] ?? null, { kind: 'several-migrate-at-start', pods, replicas: most, to })];
}

function judgeWithoutBoot(
  job: ReturnType<typeof migrationJobState>,
  workloads: FactOf<'workloads'>,
): Answers<MigratorsEvidence> {
  const serving = servingContainers(workloads);
  const notReported = serving.filter(({ container }) => container.starts === 'other');
  if (job === 'on') return [ok({ kind: 'job-migrates' })];
  if (job === 'not-told') return [{ lacks: 'migration-job' }];
  if (notReported.length > 0) {
    const detail = `what ${namesOf(notReported).join(' and ')} starts cannot be told`;
    return [{ lacks: 'workloads', why: 'failed', detail }];
  }
  const pods = namesOf(serving.filter(({ workload }) => workload.role === 'backend'));
  return [stop(pods[0] ?? null, { kind: 'nobody-would-migrate', pods })];
}

function namesOf(of: readonly LightdashContainer[]): readonly string[] {
  return [...new Set(of.map(({ workload }) => nameOf(workload)))];
}
