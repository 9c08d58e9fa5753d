import { LightspanError } from '../errors.js';
import { imageChange } from '../release-safety/pins.js';
import { describePinFinding, remedyOfPin } from '../render/words/pin-changes.js';
import { nameOfPin, type PinnedImage } from '../sources/pinned-version.js';

/**
 * Requires that a change of a pin changes only its release.
 *
 * @throws {LightspanError} `invalid-pin` if something else of the image changes
 */
export function requireSameImage(from: PinnedImage, to: PinnedImage): void {
  const change = imageChange(from, to);
  if (change === undefined) return;
  throw new LightspanError('invalid-pin', `${nameOfPin(to)}: ${describePinFinding(change)}`, {
    hint: remedyOfPin(change),
  });
}
