import type { PinnedRelease } from '../core/pins.js';
import { parseImageReference, parseTagOrReference } from '../instance/image-reference.js';
import { type FoundPin, newPin, sideOf } from './found-pins.js';
import { patternOf } from './pin-pattern.js';
import { pinOneRelease } from './pin-tree.js';
import type { WrittenPlace } from './written-place.js';
import { notThisPin, versionOfTag } from './yaml/pinned-version.js';

/** The pins at places of a text. One whose name another has too is told apart by its number. */
export function pinsAtPlaces(
  file: string,
  text: string,
  places: readonly WrittenPlace[],
  tagSuffix: string | undefined,
): readonly FoundPin[] {
  const lineAt = linesOf(text);
  const taken = new Map<string, number>();
  return places.map(({ name, written, offset, image }) => {
    const count = (taken.get(name) ?? 0) + 1;
    taken.set(name, count);
    const id = count === 1 ? name : `${name}.${count}`;
    const side = sideOf(() => releaseIn(written, { tagSuffix, image }));
    const inputs = image ?? written;
    return newPin(patternOf(file, id.split('.')), file, side, {
      ...{ line: lineAt(offset), written, offset, inputs },
    });
  });
}

/** @throws {LightspanError} `invalid-pin` for anything but one exact release */
export function releaseIn(
  written: string,
  {
    tagSuffix = '',
    image,
    giveFrom = pinOneRelease,
  }: {
    readonly tagSuffix?: string | undefined;
    readonly image?: string | undefined;
    readonly giveFrom?: string | undefined;
  },
): PinnedRelease & { readonly tag: string } {
  const quoted = JSON.stringify(written);
  if (/[${}]/.test(written)) throw notThisPin(`${quoted} is set elsewhere`, giveFrom);
  const { tag, digest, registry, repository } = image
    ? parseImageReference(image)
    : parseTagOrReference(written);
  if (tag === undefined) {
    const why =
      digest === undefined
        ? 'has no tag, which means latest'
        : 'pins a digest, which does not show the release';
    throw notThisPin(`${quoted} ${why}`, giveFrom);
  }
  if (tag === 'latest') throw notThisPin('"latest" does not name a release', giveFrom);
  return { version: versionOfTag(tag, tagSuffix, giveFrom), tag, digest, registry, repository };
}

/** The line of an offset, from 1. */
function linesOf(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
