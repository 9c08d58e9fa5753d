import type { DeploymentFact, WorkloadFact } from '../facts/deployment-facts.js';
import { servingContainers } from '../facts/lightdash-containers.js';
import { mayNotSee } from '../facts/may-not-see.js';
import type { FactOf, Lacking } from './check.js';

/** The name by which a person looks for it: `Deployment lightdash-backend`. */
export function nameOf({ kind, name }: Pick<WorkloadFact, 'kind' | 'name'>): string {
  return `${kind} ${name}`;
}

/** Reports services with settings that `docker compose` ignores and Swarm follows: which of the two runs them is not known. */
export function lackingSwarm(serving: readonly WorkloadFact[], what: string): readonly Lacking[] {
  const ofSwarm = serving.filter(({ kind, strategy }) => kind === 'service' && strategy !== null);
  const detail = `whether Swarm, which ${what}, or docker compose runs ${ofSwarm.map(nameOf).join(' and ')}`;
  return ofSwarm.length === 0 ? [] : [{ lacks: 'workloads', why: 'failed', detail }];
}

/** The autoscaler that sets how many pods a workload has. */
export function scalerOf(
  { kind, name }: Pick<WorkloadFact, 'kind' | 'name'>,
  autoscalers: FactOf<'autoscalers'> | null | undefined,
): FactOf<'autoscalers'>[number] | undefined {
  return autoscalers?.find(({ targetKind, targetName }) => targetKind === kind && targetName === name);
}

/**
 * Reports that workloads may not be read, or that none of those that were read serves Lightdash: then nothing is known
 * of it.
 */
export function lackingWorkloads(
  deployment: DeploymentFact,
  workloads: readonly WorkloadFact[],
): readonly Lacking[] {
  if (mayNotSee(deployment, 'Deployment', 'StatefulSet', 'DaemonSet')) {
    return [{ lacks: 'workloads', why: 'not-permitted' }];
  }
  return servingContainers(workloads).some(({ workload }) => workload.role === 'backend')
    ? []
    : [{ lacks: 'workloads', why: 'absent' }];
}
