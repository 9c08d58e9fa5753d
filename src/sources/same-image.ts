import type { ImagePlace } from './image-places.js';

/** Parts of a chart's values that run other programs, and often have a tag without its repository. */
const otherPrograms = new Set([
  'postgresql',
  'browserless-chrome',
  'nats',
  'minio',
  'redis',
  'scaleDownWorkloads',
]);

/** How the parts of Lightdash are named, in charts and compose files. */
const partOfLightdash = /lightdash|backend|scheduler|worker|migrat/i;

/**
 * Whether another place of a file pins the same image as `pin`, whatever its tag: the registry may differ, the name of
 * the repository may not. Where a place does not tell its repository the chart does, and it counts as the same image
 * unless it is plainly another program: beside the pin, or named as a part of Lightdash is.
 */
export function isSameImage(pin: Omit<ImagePlace, 'scalar'>, other: Omit<ImagePlace, 'scalar'>): boolean {
  if (other.image.repository !== undefined) {
    // That is a chart, at an address.
    if (other.image.repository.includes('://')) return false;
    // What the chart fills in where a pin does not tell its repository.
    return nameOf(other.image.repository) === nameOf(pin.image.repository ?? 'lightdash/lightdash');
  }
  if (other.path.some((key) => otherPrograms.has(key))) return false;
  // `lightdash.image.tag` is in the part `lightdash`, and so is `lightdash.scheduler.image.tag`.
  const part = pin.path.slice(0, pin.path.at(-2) === 'image' ? -2 : -1);
  return part.every((key, i) => other.path[i] === key) || other.path.some((key) => partOfLightdash.test(key));
}

/** The last part of a repository, such as `lightdash`, which mirrors keep. */
function nameOf(repository: string): string {
  return /[^/]*$/.exec(repository.replace(/[:@][^/]*$/, ''))?.[0] ?? '';
}
