import type { ContainerFact, ImageFact, PodFact, WorkloadFact } from './deployment-facts.js';

/** A container that runs Lightdash, and its workload. */
export interface LightdashContainer {
  readonly workload: WorkloadFact;
  readonly container: ContainerFact;
}

/** The containers that run Lightdash: the backend, its workers, and what migrates for them. */
export function lightdashContainers(workloads: readonly WorkloadFact[]): readonly LightdashContainer[] {
  return workloads
    .filter(runsLightdash)
    .flatMap((workload) => ownContainers(workload.containers).map((container) => ({ workload, container })));
}

/** The containers that serve or work until they are stopped, and so exist during an upgrade. */
export function servingContainers(workloads: readonly WorkloadFact[]): readonly LightdashContainer[] {
  return lightdashContainers(workloads).filter(
    ({ workload, container }) => isLasting(workload) && !container.init,
  );
}

/** Containers with an image of Lightdash that neither serve, work nor migrate, such as those of a CronJob that exports. */
export function otherContainers(workloads: readonly WorkloadFact[]): readonly LightdashContainer[] {
  return workloads
    .filter((workload) => !runsLightdash(workload))
    .flatMap((workload) =>
      workload.containers
        .filter(({ image }) => isLightdashImage(image))
        .map((container) => ({ workload, container })),
    );
}

/** The pods that serve or work: those of such a workload, and those of no workload that was seen, by their images. */
export function servingPods(
  workloads: readonly WorkloadFact[],
  pods: readonly PodFact[],
): readonly PodFact[] {
  const serving = new Set(servingContainers(workloads).map(({ workload }) => workload));
  const namesOf = (isServing: boolean) =>
    new Set(workloads.filter((one) => serving.has(one) === isServing).map(({ name }) => name));
  const [own, others] = [namesOf(true), namesOf(false)];
  return pods.filter(
    ({ workload, containers }) =>
      own.has(workload ?? '') || (!others.has(workload ?? '') && containers.some(mayRunLightdash)),
  );
}

/** For a pod whose workload is not known: everything named after Lightdash, by the chart, the image or only its registry. */
function mayRunLightdash({ name, image }: PodFact['containers'][number]): boolean {
  return name === 'lightdash' || /lightdash/i.test(image.reference);
}

/** Whether a workload belongs to Lightdash: its backend, a worker, or what migrates for them. */
export function runsLightdash({ role }: Pick<WorkloadFact, 'role'>): boolean {
  return role === 'backend' || role === 'worker' || role === 'migration';
}

/** Whether its pods run until something stops them. */
export function isLasting({ kind, role }: Pick<WorkloadFact, 'kind' | 'role'>): boolean {
  return kind !== 'Job' && kind !== 'CronJob' && role !== 'migration';
}

/**
 * The containers that run Lightdash, in a workload of Lightdash or one of its pods. Others next to them, such as a
 * proxy to the database, may come first and may have any name. Images that were copied to a private registry usually
 * keep their name. If none has it, the names of the chart decide; failing that, every container may be one.
 *
 * The workload is known to run Lightdash, so a name that is only similar counts as well: no check sees what is left out
 * here.
 */
export function ownContainers<Container extends Pick<ContainerFact, 'name' | 'image'>>(
  containers: readonly Container[],
): readonly Container[] {
  const named = containers.filter(
    ({ name, image }) => name === 'lightdash' || /lightdash/i.test(image.repository ?? image.reference),
  );
  if (named.length > 0) return named;
  const ofJob = containers.filter(({ name }) => name === 'migrate');
  return ofJob.length > 0 ? ofJob : containers;
}

/**
 * Lightdash, by the name that mirrors keep, as do most custom images built from it. This strict match is for pods and
 * workloads that are not known to run it: `lightdash-cli` and `lightdash-proxy` are something else.
 */
export function isLightdashImage({ repository }: Pick<ImageFact, 'repository'>): boolean {
  return /(?:^|[-_./])lightdash$/.test(repository ?? '');
}
