import { LightspanError } from '../errors.js';
import { nameOfPin, type PinnedImage } from './pinned-version.js';

/**
 * Holds a change of a pin to a change of its release: what the index says is about one image, and a digest decides what
 * runs, whatever the tag beside it says.
 *
 * @throws {LightspanError} `invalid-pin` where something else of the image changes
 */
export function requireSameImage(from: PinnedImage, to: PinnedImage): void {
  const refuse = (what: string, hint: string) =>
    new LightspanError('invalid-pin', `${nameOfPin(to)}: ${what}`, { hint });
  if (nameOfImage(from) !== nameOfImage(to)) {
    throw refuse(
      `the image changes too, from ${nameOfImage(from)} to ${nameOfImage(to)}`,
      'Only a change of the release can be judged: change the image on its own, looked at by hand.',
    );
  }
  const sameRelease = from.version === to.version;
  if (sameRelease && from.digest !== to.digest) {
    throw refuse(
      `the digest changes from ${from.digest ?? 'none'} to ${to.digest ?? 'none'}, and the release stays ${to.version}`,
      'One release has one image: look by hand at what the digest is of.',
    );
  }
  if (!sameRelease && from.digest !== undefined && from.digest === to.digest) {
    throw refuse(
      `the release changes from ${from.version} to ${to.version}, and the digest stays ${to.digest}`,
      'The digest decides what runs: renew it with the tag.',
    );
  }
}

function nameOfImage({ registry, repository }: PinnedImage): string {
  if (repository === undefined && registry === undefined) return 'one that the file does not name';
  return [registry, repository].filter((part) => part !== undefined).join('/');
}
