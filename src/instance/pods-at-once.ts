import type { WorkloadFact } from './facts/deployment-facts.js';
import { servingContainers } from './facts/lightdash-containers.js';
import type { FactOf } from './facts/needs.js';
import { scalerOf } from './workloads.js';

type Autoscalers = FactOf<'autoscalers'> | null | undefined;

/** How many pods of a workload are started beyond its replicas, or stopped below them, while it rolls. */
interface Rolling {
  readonly surge: number;
  readonly unavailable: number;
}

/** As Kubernetes computes it: a surge is rounded up, what may be missing down; if both are 0, one may be missing. */
export function rollingOf({ rollout }: Pick<WorkloadFact, 'rollout'>, replicas: number): Rolling {
  const surge = podsOf(rollout?.maxSurge ?? '25%', replicas, Math.ceil);
  const unavailable = podsOf(rollout?.maxUnavailable ?? '25%', replicas, Math.floor);
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

function podsOf(numberOrPercentage: string, replicas: number, rounded: (pods: number) => number): number {
  const amount = Number(numberOrPercentage.replace('%', ''));
  return numberOrPercentage.endsWith('%') ? rounded((amount * replicas) / 100) : amount;
}

/** The most pods that a workload has at once during an upgrade; undefined for one on every node. */
export function podsAtOnce(
  workload: WorkloadFact,
  autoscalers: Autoscalers,
  rolls: boolean,
): number | undefined {
  const { kind, strategy } = workload;
  if (kind === 'DaemonSet') return undefined;
  const replicas = scalerOf(workload, autoscalers)?.maxReplicas ?? workload.replicas ?? 1;
  const overlaps = rolls && kind === 'Deployment' && strategy !== 'Recreate';
  return replicas === 0 || !overlaps ? replicas : replicas + rollingOf(workload, replicas).surge;
}

/**
 * The most connections that Lightdash opens at once during an upgrade, with every autoscaler at its maximum: its pods
 * times the size of their pool. Undefined if one of them does not say how large its pool is (PGMAXCONNECTIONS).
 */
export function connectionsAtOnce(
  workloads: readonly WorkloadFact[],
  autoscalers: Autoscalers,
  rolls: boolean,
): { readonly pods: number; readonly connections: number } | undefined {
  let [pods, connections] = [0, 0];
  for (const { workload, container } of servingContainers(workloads)) {
    const podsOfWorkload = podsAtOnce(workload, autoscalers, rolls);
    if (podsOfWorkload === 0) continue;
    if (podsOfWorkload === undefined || container.poolSize === undefined) return undefined;
    pods += podsOfWorkload;
    connections += podsOfWorkload * container.poolSize;
  }
  return pods === 0 ? undefined : { pods, connections };
}
