import type { ContainerFact, ImageFact, WorkloadFact } from './deployment-facts.js';

/** A container that runs Lightdash, and the workload that has it. */
export interface LightdashContainer {
  readonly workload: WorkloadFact;
  readonly container: ContainerFact;
}

/** The containers that run Lightdash: of the backend, its workers, and what migrates for them. */
export function lightdashContainers(workloads: readonly WorkloadFact[]): readonly LightdashContainer[] {
  return workloads
    .filter(runsLightdash)
    .flatMap((workload) => ownContainers(workload.containers).map((container) => ({ workload, container })));
}

/** Those that serve or work until they are stopped, and so are there while an upgrade goes on. */
export function servingContainers(workloads: readonly WorkloadFact[]): readonly LightdashContainer[] {
  return lightdashContainers(workloads).filter(
    ({ workload, container }) => isLasting(workload) && !container.init,
  );
}

/** Whether a workload is of Lightdash: its backend, a worker, or what migrates for them. */
export function runsLightdash({ role }: Pick<WorkloadFact, 'role'>): boolean {
  return role === 'backend' || role === 'worker' || role === 'migration';
}

/** Whether its pods stay until something ends them. */
export function isLasting({ kind, role }: Pick<WorkloadFact, 'kind' | 'role'>): boolean {
  return kind !== 'Job' && kind !== 'CronJob' && role !== 'migration';
}

/**
 * Those containers of a workload of Lightdash, or of a pod of one, that run it: what stands beside them, such as a proxy
 * to the database, may come first and may have any name. Images that were copied to a registry of one's own keep the name
 * as a rule; where none has it, the names of the chart tell, and where they do not, every container may be one.
 *
 * That the workload runs Lightdash is known, so that a name which is merely like it counts: what is left out is not
 * looked at by anyone.
 */
export function ownContainers<Container extends Pick<ContainerFact, 'name' | 'image'>>(
  containers: readonly Container[],
): readonly Container[] {
  const told = containers.filter(
    ({ name, image }) => name === 'lightdash' || /lightdash/i.test(image.repository ?? image.reference),
  );
  if (told.length > 0) return told;
  const ofJob = containers.filter(({ name }) => name === 'migrate');
  return ofJob.length > 0 ? ofJob : containers;
}

/**
 * Lightdash, by the name that mirrors keep, and most who make an image from it. So strict is who does not know what runs
 * it: `lightdash-cli` and `lightdash-proxy` are something else.
 */
export function isLightdashImage({ repository }: Pick<ImageFact, 'repository'>): boolean {
  return /(?:^|[-_./])lightdash$/.test(repository ?? '');
}
