import { isLasting, type LightdashContainer, lightdashContainers } from '../facts/lightdash-containers.js';
import { migrationJobs, upgradeJobs } from '../facts/migration-jobs.js';
import type { FactOf, Lacking } from '../facts/needs.js';
import { isOtherChart } from '../facts/publisher-names.js';
import { mayNotSee } from '../facts/seen-value.js';
import {
  type Chart,
  chartOf,
  chartOfRelease,
  chartWith,
  hasJobByDefault,
  isChartBefore,
} from './chart-eras.js';

/** The facts that show whether a job migrates. */
export interface JobFacts {
  readonly deployment: FactOf<'deployment'>;
  readonly helm: FactOf<'helm'> | null;
  readonly workloads: FactOf<'workloads'>;
  readonly chartValues: FactOf<'chartValues'> | null | undefined;
  readonly stated: FactOf<'stated'> | null | undefined;
}

/**
 * Whether a migration job runs with each upgrade. A job that was not seen may still exist: `helm get manifest` omits
 * hooks, and a cluster soon removes a job that ended.
 */
export function migrationJobState(facts: JobFacts): 'on' | 'off' | 'not-told' {
  const { deployment, helm, workloads, chartValues, stated } = facts;
  const jobs = migrationJobs(workloads);
  const told = stated?.['migration-job'];
  if (told === 'on' || told === 'off') return told;
  if (upgradeJobs(workloads).length > 0) return 'on';
  // The meaning of values and versions is known only for the publisher's chart.
  const isPublishers = helm !== null && !isOtherChart(helm.chart);
  const byChart = isPublishers ? toldByChart(helm, workloads, chartValues) : undefined;
  if (byChart !== undefined) return byChart;
  // Without a chart there are no hooks.
  const seesAll = deployment.origin !== 'cluster' && (helm === null || deployment.hooksSeen === true);
  return seesAll && jobs.length === 0 && !mayNotSee(deployment, 'Job') ? 'off' : 'not-told';
}

function toldByChart(
  { chartVersion }: FactOf<'helm'>,
  workloads: JobFacts['workloads'],
  values: JobFacts['chartValues'],
): 'on' | 'off' | undefined {
  const chart = chartOf(chartVersion);
  if (chart !== undefined && isChartBefore(chart, chartWith.migrationJob)) return 'off';
  if (values != null) {
    const on = values.migrationJobEnabled ?? (chart === undefined ? undefined : hasJobByDefault(chart));
    if (on !== undefined) return on ? 'on' : 'off';
  }
  return chart !== undefined && podsMigrateAlone(chart, workloads) ? 'off' : undefined;
}

/**
 * With the job on, such a chart replaces the entrypoint of the backend, unless values replace it with something else.
 */
function podsMigrateAlone(chart: Chart, workloads: JobFacts['workloads']): boolean {
  return (
    !isChartBefore(chart, chartWith.jobAlone) &&
    lightdashContainers(workloads).some(
      ({ workload, container }) =>
        workload.role === 'backend' && container.starts === 'entrypoint' && !container.entrypointReplaced,
    )
  );
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
): readonly (Answer | Lacking)[] {
  const { helm, workloads, chartValues: values } = facts;
  if (upgradeJobs(workloads).length > 0) return [];
  const state = migrationJobState(facts);
  if (state === 'off') return [];
  if (state === 'not-told') return [{ lacks: 'migration-job' }];
  if (isOtherChart(helm?.chart)) return [lackingUnseenJobVariables];
  if (values == null) return [{ lacks: 'chartValues', why: 'not-asked' }];
  if (values.migrationJobInheritsGlobalEnv !== true) return judge(values, false);
  const chart = chartOfRelease(helm);
  if (chart === undefined) return judge(values, true);
  return isChartBefore(chart, chartWith.inheritedVariables) ? judge(values, false) : [];
}

/** It is not known which variables that job has. */
export const lackingUnseenJobVariables: Lacking = {
  lacks: 'variables',
  why: 'not-asked',
  detail: 'those of the migration job, which is a hook that was not seen',
};
