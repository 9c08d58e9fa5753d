import type { ContainerFact, DeploymentFact, ImageFact, WorkloadFact } from '../facts/deployment-facts.js';
import { ownContainers } from '../facts/own-containers.js';
import { runsLightdash } from '../facts/runs-lightdash.js';
import { isVersion, type Version } from '../release-safety/version.js';
import type { Lacking } from './check.js';

/** A container that runs Lightdash, and the workload that has it. */
export interface Deployed {
  readonly workload: WorkloadFact;
  readonly container: ContainerFact;
}

/** The containers that run Lightdash: the backend, its workers, and what migrates for them. */
export function deployedOf(workloads: readonly WorkloadFact[]): readonly Deployed[] {
  return workloads
    .filter(runsLightdash)
    .flatMap((workload) => ownContainers(workload.containers).map((container) => ({ workload, container })));
}

/** Those of Lightdash that serve or work until they are stopped, and so are there while an upgrade goes on. */
export function servingOf(workloads: readonly WorkloadFact[]): readonly Deployed[] {
  return deployedOf(workloads).filter(({ workload, container }) => isLasting(workload) && !container.init);
}

/** Whether its pods stay until something ends them. */
export function isLasting({ kind, role }: WorkloadFact): boolean {
  return kind !== 'Job' && kind !== 'CronJob' && role !== 'migration';
}

/** The tag of a release: `1.2.3`, perhaps with a `v` before it and a suffix behind it. */
export interface ReleaseTag {
  readonly version: Version;
  readonly suffix: string;
}

/** Undefined where the tag is not that of one release, such as `latest` or `1`. */
export function releaseTagOf({ tag }: Pick<ImageFact, 'tag'>): ReleaseTag | undefined {
  const [, version, suffix = ''] = /^v?(\d+[.]\d+[.]\d+)([-_.+].*)?$/i.exec(tag ?? '') ?? [];
  return isVersion(version) ? { version, suffix } : undefined;
}

/** The release that a container runs; undefined where its image does not tell. */
export function versionOf({ image }: Pick<ContainerFact, 'image'>): Version | undefined {
  return releaseTagOf(image)?.version;
}

/** As a person looks for it: `Deployment lightdash-backend`. */
export function nameOf({ kind, name }: Pick<WorkloadFact, 'kind' | 'name'>): string {
  return `${kind} ${name}`;
}

/** Whether objects of a kind were asked for and may not be read. */
export function mayNotSee({ unseenKinds }: DeploymentFact, ...kinds: readonly string[]): boolean {
  const wanted = new Set(kinds.map(plainKind));
  return unseenKinds.some((kind) => wanted.has(plainKind(kind)));
}

/** A kind may be written as a resource: `deployments.apps`. */
function plainKind(kind: string): string {
  return kind
    .toLowerCase()
    .replace(/[.].*$/, '')
    .replace(/s$/, '');
}

/** That workloads may not be read, or that none of those that were read serves Lightdash: then nothing is known of it. */
export function lackingWorkloads(
  deployment: DeploymentFact,
  workloads: readonly WorkloadFact[],
): readonly Lacking[] {
  if (mayNotSee(deployment, 'Deployment', 'StatefulSet', 'DaemonSet')) {
    return [{ lacks: 'workloads', why: 'not-permitted' }];
  }
  return servingOf(workloads).some(({ workload }) => workload.role === 'backend')
    ? []
    : [{ lacks: 'workloads', why: 'absent' }];
}
