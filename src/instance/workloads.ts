import type { ContainerFact, DeploymentFact, WorkloadFact } from '../facts/deployment-facts.js';
import { type GivenVariable, givenVariable } from '../facts/given-variable.js';
import { type LightdashContainer, servingContainers } from '../facts/lightdash-containers.js';
import type { FactOf, Lacking } from '../facts/needs.js';
import { isOtherChart } from '../facts/publisher-names.js';
import { mayNotSee } from '../facts/seen-value.js';

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

/**
 * Whether a variable of a container is set. A variable whose value was not seen counts as set: a reference to a key of
 * a Secret is meant to set it, and Secrets are not read unless you ask for it.
 */
export function stateOfVariable(container: ContainerFact, name: string): Exclude<GivenVariable, 'given'> {
  const state = givenVariable(container, name);
  return state === 'given' ? 'set' : state;
}

/** The object that a variable comes from; undefined if its value is written out, or nothing that was seen sets it. */
export function objectOfVariable(container: ContainerFact, name: string): string | undefined {
  const own = container.variables.findLast((variable) => variable.name === name);
  if (own !== undefined) return own.object ?? undefined;
  return container.variablesFrom.findLast(
    ({ prefix, keys }) => name.startsWith(prefix) && keys?.includes(name.slice(prefix.length)),
  )?.object;
}

/** Objects that set variables of a container, and were not seen. */
export function unseenObjects({ variablesFrom }: ContainerFact): readonly string[] {
  return variablesFrom.filter(({ keys }) => keys === null).map(({ origin, object }) => `${origin} ${object}`);
}

/** Reports that the variables of some containers are not known. */
export function lackingVariables(of: readonly LightdashContainer[]): Lacking {
  const objects = new Set(
    of.flatMap(({ workload, container }) =>
      unseenObjects(container).map((object) => `${object}, for ${nameOf(workload)}`),
    ),
  );
  return { lacks: 'variables', why: 'not-asked', detail: [...objects].join('; ') };
}

/** The facts that show where the values of a workload are. */
export interface ValuesFacts {
  readonly helm: FactOf<'helm'> | null | undefined;
  readonly chartValues: FactOf<'chartValues'> | null | undefined;
}

/**
 * The keys under which `lightdashBackend` is in the values: empty if it is at the top level, or no values were read.
 * Null if it does not affect the workload: for a worker, and if the publisher's chart was not seen to have deployed it.
 */
export function pathOfBackendValues(
  { role }: Pick<WorkloadFact, 'role'>,
  { helm, chartValues }: ValuesFacts,
): readonly string[] | null {
  if (role !== 'backend' || helm == null || isOtherChart(helm.chart)) return null;
  return chartValues?.path ?? [];
}
