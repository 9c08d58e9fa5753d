import { type Chart, chartOf, chartWith, hasJobByDefault, isChartBefore } from './chart-eras.js';
import type { FactOf } from './check.js';
import { type Deployed, deployedOf, isLasting, mayNotSee } from './deployed.js';

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
  if (migrationJobs(workloads).length > 0) return 'on';
  if (deployment.kind === 'compose') return 'off';
  const told = stated?.['migration-job'];
  if (told === 'on' || told === 'off') return told;
  if (helm === null) return mayNotSee(deployment, 'Job') ? 'not-told' : 'off';
  const chart = chartOf(helm.chartVersion);
  if (chart !== undefined && isChartBefore(chart, chartWith.migrationJob)) return 'off';
  if (chartValues != null) {
    const on = chartValues.migrationJobEnabled ?? (chart === undefined ? undefined : hasJobByDefault(chart));
    if (on !== undefined) return on ? 'on' : 'off';
  }
  if (chart !== undefined && podsMigrateAlone(chart, workloads)) return 'off';
  return deployment.origin === 'rendered' && deployment.hooksSeen === true ? 'off' : 'not-told';
}

/** With the job on, such a chart replaces the entrypoint of the backend unless values replace it otherwise. */
function podsMigrateAlone(chart: Chart, workloads: JobFacts['workloads']): boolean {
  return (
    !isChartBefore(chart, chartWith.jobAlone) &&
    deployedOf(workloads).some(
      ({ workload, container }) => workload.role === 'backend' && container.starts === 'entrypoint',
    )
  );
}

/** What migrates apart from the pods that serve. */
export function migrationJobs(workloads: JobFacts['workloads']): readonly Deployed[] {
  return deployedOf(workloads).filter(({ workload }) => workload.role === 'migration');
}

/** What serves or works, and migrates whenever it starts. */
export function bootMigrators(workloads: JobFacts['workloads']): readonly Deployed[] {
  return deployedOf(workloads).filter(
    ({ workload, container: { starts } }) =>
      isLasting(workload) && (starts === 'entrypoint' || starts === 'migration'),
  );
}
