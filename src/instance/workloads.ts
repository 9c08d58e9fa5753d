import type { ContainerFact, DeploymentFact, KeptIn, WorkloadFact } from './facts/deployment-facts.js';
import {
  isLasting,
  isOtherChart,
  type LightdashContainer,
  lightdashContainers,
  migrationJobs,
  servingContainers,
  upgradeJobs,
  type VariableState,
  variableState,
} from './facts/lightdash-containers.js';
import { type FactOf, lacks, mayNotSee, type UnmetNeed } from './facts/needs.js';
import { chartOf, chartOfRelease, chartWith, hasJobByDefault, isChartBefore } from './first-versions.js';

/** As a person looks for it: `Deployment lightdash-backend`. */
export function workloadName({ kind, name }: Pick<WorkloadFact, 'kind' | 'name'>): string {
  return `${kind} ${name}`;
}

/**
 * Reports services with settings that `docker compose` ignores and Swarm follows: which of the two runs them is not
 * known.
 */
export function swarmNotSeen(serving: readonly WorkloadFact[], what: string): readonly UnmetNeed[] {
  const services = serving.filter(({ kind, strategy }) => kind === 'service' && strategy !== null);
  const detail = `whether Swarm, which ${what}, or docker compose runs ${services.map(workloadName).join(' and ')}`;
  return services.length === 0 ? [] : [lacks('workloads', { why: 'failed', detail })];
}

/** The autoscaler that sets how many pods a workload has. */
export function scalerOf(
  { kind, name }: Pick<WorkloadFact, 'kind' | 'name'>,
  autoscalers: FactOf<'autoscalers'> | null | undefined,
): FactOf<'autoscalers'>[number] | undefined {
  return autoscalers?.find(({ targetKind, targetName }) => targetKind === kind && targetName === name);
}

/** Reports that workloads may not be read, or that none of those that were read serves Lightdash. */
export function workloadsNotSeen(
  deployment: DeploymentFact,
  workloads: readonly WorkloadFact[],
): readonly UnmetNeed[] {
  if (mayNotSee(deployment, 'Deployment', 'StatefulSet', 'DaemonSet')) {
    return [lacks('workloads', { why: 'not-permitted' })];
  }
  return servingContainers(workloads).some(({ workload }) => workload.role === 'backend')
    ? []
    : [lacks('workloads', { why: 'absent' })];
}

/**
 * Whether a variable of a container is set. A variable whose value was not seen counts as set: a reference to a key of
 * a Secret is meant to set it, and Secrets are not read unless you ask for it.
 */
export function stateOfVariable(container: ContainerFact, name: string): Exclude<VariableState, 'given'> {
  const state = variableState(container, name);
  return state === 'given' ? 'set' : state;
}

/** The object that a variable comes from; undefined if its value is written out, or nothing that was seen sets it. */
export function objectOfVariable(container: ContainerFact, name: string): string | undefined {
  const variable = container.variables.findLast((variable) => variable.name === name);
  if (variable !== undefined) return variable.object ?? undefined;
  return container.variablesFrom.findLast(
    ({ prefix, keys }) => name.startsWith(prefix) && keys?.includes(name.slice(prefix.length)),
  )?.object;
}

/** Reports that the variables of some containers are not known, by the objects that set them and were not seen. */
export function variablesNotSeen(of: readonly LightdashContainer[]): UnmetNeed {
  const objects = new Set(
    of.flatMap(({ workload, container }) =>
      container.variablesFrom
        .filter(({ keys }) => keys === null)
        .map(({ origin, object }) => `${origin} ${object}, for ${workloadName(workload)}`),
    ),
  );
  return lacks('variables', { why: 'not-asked', detail: [...objects].join('; ') });
}

/** Whether a replaced container finds its data again; undefined if that is not known. */
export function keepsData({ data }: Pick<WorkloadFact, 'data'>): boolean | undefined {
  return data === undefined || data.keptIn === 'not-told' ? undefined : data.keptIn === 'volume';
}

const placesOfData: Record<KeptIn, string> = {
  volume: 'in a volume',
  'container-volume': 'in an anonymous volume',
  'pod-volume': 'in a volume that ends with its pod',
  memory: 'in memory',
  container: 'in the container itself',
  'not-told': 'at a place that was not seen',
};

/** `Service db has its data (/var/lib/postgresql/data) in memory`. */
export function placeOfData(workload: string, { folder, keptIn }: NonNullable<WorkloadFact['data']>): string {
  return `${workload} has its data (${folder}) ${placesOfData[keptIn]}`;
}

/** Whether Lightdash is seen to use a database, or an object store, outside the deployment, and nothing inside it. */
export function usesOutside(workloads: readonly WorkloadFact[], what: 'databaseHost' | 'storeHost'): boolean {
  const places = lightdashContainers(workloads).flatMap(({ container }) => container[what] ?? []);
  return places.length > 0 && places.every((place) => place === 'outside');
}

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

export interface JobFacts extends ValuesFacts {
  readonly deployment: FactOf<'deployment'>;
  readonly helm: FactOf<'helm'> | null;
  readonly workloads: FactOf<'workloads'>;
  readonly stated: FactOf<'stated'> | null | undefined;
}

/**
 * Whether a migration job runs with each upgrade. A job that was not seen may still exist: `helm get manifest` omits
 * hooks, and a cluster soon removes a job that ended.
 */
export function migrationJobState(facts: JobFacts): 'on' | 'off' | 'not-seen' {
  const { deployment, helm, workloads, stated } = facts;
  const byOperator = stated?.['migration-job'];
  if (byOperator === 'on' || byOperator === 'off') return byOperator;
  if (upgradeJobs(workloads).length > 0) return 'on';
  const byChart = jobByChart(facts);
  if (byChart !== undefined) return byChart ? 'on' : 'off';
  // Without a chart there are no hooks.
  const seesAll = deployment.origin !== 'cluster' && (helm === null || deployment.hooksSeen === true);
  const isAbsent = seesAll && migrationJobs(workloads).length === 0 && !mayNotSee(deployment, 'Job');
  return isAbsent ? 'off' : 'not-seen';
}

/** The meaning of values and versions is known only for the publisher's chart. */
function jobByChart({ helm, workloads, chartValues }: JobFacts): boolean | undefined {
  if (helm === null || isOtherChart(helm.chart)) return undefined;
  const chart = chartOf(helm.chartVersion);
  if (chart !== undefined && isChartBefore(chart, chartWith.migrationJob)) return false;
  const byValues = chartValues && (chartValues.migrationJobEnabled ?? (chart && hasJobByDefault(chart)));
  if (byValues != null) return byValues;
  if (chart === undefined || isChartBefore(chart, chartWith.jobAlone)) return undefined;
  // With the job on, such a chart replaces the entrypoint of the backend, unless values replace it with something else.
  const migratesAtStart = lightdashContainers(workloads).some(
    ({ workload: { role }, container: { starts, entrypointReplaced } }) =>
      role === 'backend' && starts === 'entrypoint' && !entrypointReplaced,
  );
  return migratesAtStart ? false : undefined;
}

/** What serves or works, and migrates whenever it starts. */
export function bootMigrators(workloads: JobFacts['workloads']): readonly LightdashContainer[] {
  return lightdashContainers(workloads).filter(
    ({ workload, container: { starts } }) =>
      isLasting(workload) && (starts === 'entrypoint' || starts === 'migration'),
  );
}

/**
 * What a check says of the variables of the migration job as the values define it, if the job is a hook that was not
 * seen. Empty if a job that the upgrade runs was seen, which is judged itself; if no job is on; or if the job inherits
 * the variables of the pods (helm PR#155).
 */
export function judgeUnseenJob<Answer>(
  facts: JobFacts,
  judge: (values: FactOf<'chartValues'>, mayInherit: boolean) => readonly Answer[],
): readonly (Answer | UnmetNeed)[] {
  const { helm, workloads, chartValues: values } = facts;
  if (upgradeJobs(workloads).length > 0) return [];
  const state = migrationJobState(facts);
  if (state === 'off') return [];
  if (state === 'not-seen') return [lacks('migration-job')];
  if (isOtherChart(helm?.chart)) return [jobVariablesNotSeen];
  if (values == null) return [lacks('chartValues', { why: 'not-asked' })];
  if (values.migrationJobInheritsGlobalEnv !== true) return judge(values, false);
  const chart = chartOfRelease(helm);
  if (chart === undefined) return judge(values, true);
  return isChartBefore(chart, chartWith.inheritedVariables) ? judge(values, false) : [];
}

/** It is not known which variables that job has. */
export const jobVariablesNotSeen = lacks('variables', {
  why: 'not-asked',
  detail: 'those of the migration job, which is a hook that was not seen',
});
