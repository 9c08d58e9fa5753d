import {
  isLasting,
  type LightdashContainer,
  lightdashContainers,
  servingContainers,
} from '../facts/lightdash-containers.js';
import { mayNotSee } from '../facts/may-not-see.js';
import { versionOf } from '../facts/release-tag.js';
import { type Chart, chartOf, chartWith, hasJobByDefault, isChartBefore } from './chart-eras.js';
import type { Answers, FactOf, Lacking } from './check.js';

/** What tells whether a job migrates. */
export interface JobFacts {
  readonly deployment: FactOf<'deployment'>;
  readonly helm: FactOf<'helm'> | null;
  readonly workloads: FactOf<'workloads'>;
  readonly chartValues: FactOf<'chartValues'> | null | undefined;
  readonly stated: FactOf<'stated'> | null | undefined;
}

/**
 * Whether a migration job runs with each upgrade. A job that was not seen may be there all the same: `helm get manifest`
 * leaves hooks out, and a cluster soon forgets a job that ended.
 */
export function migrationJobState(facts: JobFacts): 'on' | 'off' | 'not-told' {
  const { deployment, helm, workloads, chartValues, stated } = facts;
  const jobs = migrationJobs(workloads);
  if (deployment.kind === 'compose') return jobs.length > 0 ? 'on' : 'off';
  const told = stated?.['migration-job'];
  if (told === 'on' || told === 'off') return told;
  if (jobs.some((job) => runsAgain(job, workloads))) return 'on';
  if (helm === null) return jobs.length > 0 || mayNotSee(deployment, 'Job') ? 'not-told' : 'off';
  const chart = chartOf(helm.chartVersion);
  if (chart !== undefined && isChartBefore(chart, chartWith.migrationJob)) return 'off';
  if (chartValues != null) {
    const on = chartValues.migrationJobEnabled ?? (chart === undefined ? undefined : hasJobByDefault(chart));
    if (on !== undefined) return on ? 'on' : 'off';
  }
  if (chart !== undefined && podsMigrateAlone(chart, workloads)) return 'off';
  return deployment.origin === 'rendered' && deployment.hooksSeen === true ? 'off' : 'not-told';
}

/** A job that ended is one of this upgrade too where it was one of the release that runs; one that a clock starts is none. */
function runsAgain({ workload, container }: LightdashContainer, workloads: JobFacts['workloads']): boolean {
  const { kind, hook, succeeded, failed } = workload;
  if (kind === 'CronJob') return false;
  if (hook !== null || ((succeeded ?? 0) === 0 && (failed ?? 0) === 0)) return true;
  const version = versionOf(container);
  return (
    version !== undefined && servingContainers(workloads).some((one) => versionOf(one.container) === version)
  );
}

/** With the job on, such a chart replaces the entrypoint of the backend unless values replace it otherwise. */
function podsMigrateAlone(chart: Chart, workloads: JobFacts['workloads']): boolean {
  return (
    !isChartBefore(chart, chartWith.jobAlone) &&
    lightdashContainers(workloads).some(
      ({ workload, container }) =>
        workload.role === 'backend' && container.starts === 'entrypoint' && !container.entrypointReplaced,
    )
  );
}

/** What migrates apart from the pods that serve. */
export function migrationJobs(workloads: JobFacts['workloads']): readonly LightdashContainer[] {
  return lightdashContainers(workloads).filter(({ workload }) => workload.role === 'migration');
}

/** What serves or works, and migrates whenever it starts. */
export function bootMigrators(workloads: JobFacts['workloads']): readonly LightdashContainer[] {
  return lightdashContainers(workloads).filter(
    ({ workload, container: { starts } }) =>
      isLasting(workload) && (starts === 'entrypoint' || starts === 'migration'),
  );
}

/**
 * What a check says of the migration job as values make it, where it is a hook that was not seen. Nothing where a job was
 * seen, which is judged by itself, or where it is off.
 */
export function judgeUnseenJob<Evidence>(
  facts: JobFacts,
  judge: (values: FactOf<'chartValues'>) => Answers<Evidence>,
): Answers<Evidence> {
  const { workloads, chartValues: values } = facts;
  if (migrationJobs(workloads).length > 0) return [];
  const state = migrationJobState(facts);
  if (state === 'off') return [];
  if (state === 'not-told') return [{ lacks: 'migration-job' }];
  return values == null ? [{ lacks: 'chartValues', why: 'not-asked' }] : judge(values);
}

/** That nothing tells which variables that job is given. */
export const lackingUnseenJobVariables: Lacking = {
  lacks: 'variables',
  why: 'not-asked',
  detail: 'those of the migration job, which is a hook that was not seen',
};
