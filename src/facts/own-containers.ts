import type { ContainerFact, ImageFact } from './deployment-facts.js';

/**
 * Lightdash, by the name that mirrors keep, and most who make an image from it. So strict is who does not know what runs
 * it: `lightdash-cli` and `lightdash-proxy` are something else.
 */
export function isLightdashImage({ repository }: Pick<ImageFact, 'repository'>): boolean {
  return /(?:^|[-_./])lightdash$/.test(repository ?? '');
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
