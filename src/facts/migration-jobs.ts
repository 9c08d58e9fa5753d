import type { WorkloadFact } from './deployment-facts.js';
import type { ObservedFacts } from './facts-schema.js';
import { type LightdashContainer, lightdashContainers, servingContainers } from './lightdash-containers.js';
import { isOtherChart } from './publisher-names.js';
import { versionOf } from './release-tag.js';
import { mayNotSee, seenValue } from './seen-value.js';

/** What migrates apart from the pods that serve, at whatever time. */
export function migrationJobs(workloads: readonly WorkloadFact[]): readonly LightdashContainer[] {
  return lightdashContainers(workloads).filter(({ workload }) => workload.role === 'migration');
}

/**
 * The jobs that an upgrade runs. Excluded are CronJobs, suspended jobs, hooks of other events than an upgrade and, of the
 * jobs that ended, all except the hooks of a chart and those of the running release.
 */
export function upgradeJobs(workloads: readonly WorkloadFact[]): readonly LightdashContainer[] {
  return migrationJobs(workloads).filter(({ workload, container }) => {
    const { kind, hook, suspended, succeeded, failed } = workload;
    if (kind === 'CronJob' || suspended === true) return false;
    if (hook !== null) return hook.events.some((event) => event.endsWith('-upgrade'));
    if ((succeeded ?? 0) === 0 && (failed ?? 0) === 0) return true;
    const version = versionOf(container);
    return (
      version !== undefined &&
      servingContainers(workloads).some((one) => versionOf(one.container) === version)
    );
  });
}

/**
 * Whether an upgrade runs a job that migrates: by the objects that were seen, and by the values of the chart; undefined
 * if they do not say. A job that is not listed may still exist: `helm get manifest` omits hooks, and a cluster soon
 * removes a job that ended. If the two differ, the caller decides which counts.
 */
export function observedMigrationJob(facts: ObservedFacts): {
  readonly byObjects: boolean | undefined;
  readonly byValues: boolean | undefined;
} {
  const { deployment, workloads, helm, chartValues } = facts;
  const all = seenValue(workloads);
  const listed = all !== undefined && upgradeJobs(all).length > 0;
  const where = seenValue(deployment);
  const sees = all !== undefined && where?.hooksSeen === true && !mayNotSee(where, 'Job');
  return {
    byObjects: listed ? true : sees ? false : undefined,
    byValues: isOtherChart(seenValue(helm)?.chart)
      ? undefined
      : (seenValue(chartValues)?.migrationJobEnabled ?? undefined),
  };
}
