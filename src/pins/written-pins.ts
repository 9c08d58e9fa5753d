import { LineCounter } from 'yaml';
import type { PinnedRelease } from '../core/pins.js';
import { parseImageReference, parseTagOrReference } from '../instance/image-reference.js';
import { type FoundPin, newPin, sideOf } from './found-pin.js';
import type { PinSource } from './kinds/kind.js';
import { patternOf } from './pin-pattern.js';
import { idsOf, pinOneRelease } from './pin-tree.js';
import type { WrittenPlace } from './written-place.js';
import { notThisPin, type Pin, type PinReading, versionOfTag } from './yaml/pin-at.js';

/** The pins at places of a text. */
export function pinsAtPlaces(
  { file, text, tree, tagSuffix }: Pick<PinSource, 'file' | 'text' | 'tree' | 'tagSuffix'>,
  places: readonly WrittenPlace[],
): readonly FoundPin[] {
  const lineAt = linesOf(text);
  return numbered(places).map((place) => {
    const { name, written, offset, image, fault, isOther = false } = place;
    const side = sideOf(() => releaseIn(place, { tagSuffix }));
    const inputs = fault === undefined ? (image ?? written) : idsOf(tree, [file]);
    const at = { line: lineAt(offset), written, offset, inputs, isOther };
    return newPin(patternOf(file, name.split('.')), file, side, at);
  });
}

/** Makes names unique: the second place of a name gets `.2` behind it, the third `.3`. */
export function numbered(places: readonly WrittenPlace[]): readonly WrittenPlace[] {
  const taken = new Map<string, number>();
  return places.map((place) => {
    const count = (taken.get(place.name) ?? 0) + 1;
    taken.set(place.name, count);
    return count === 1 ? place : { ...place, name: `${place.name}.${count}` };
  });
}

/** @throws {LightspanError} `invalid-pin` for anything but one exact release */
export function releaseIn(
  { written, image, fault }: Pick<WrittenPlace, 'written' | 'image' | 'fault'>,
  { tagSuffix = '', giveFrom = pinOneRelease }: PinReading,
): PinnedRelease & { readonly tag: string } {
  if (fault !== undefined) throw notThisPin(fault, pinOneRelease);
  const quoted = JSON.stringify(written);
  if (/[${}]/.test(written)) throw notThisPin(`${quoted} is set elsewhere`, giveFrom);
  const { tag, digest, registry, repository } = referenceIn({ written, image });
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

export function referenceIn({ written, image }: Pick<WrittenPlace, 'written' | 'image'>) {
  return image ? parseImageReference(image) : parseTagOrReference(written);
}

/**
 * A text with another release at some places of it. Only the digits of the version change.
 *
 * @throws {LightspanError} `invalid-pin` where the release is not written as such
 */
export function withRelease(
  text: string,
  places: readonly Pick<WrittenPlace, 'written' | 'offset'>[],
  { version: from, digest, suffix }: Pick<Pin, 'version' | 'digest' | 'suffix'>,
  to: string,
): string {
  if (digest !== undefined) {
    throw notThisPin(
      `it pins the digest ${digest} too, which cannot be updated here`,
      'The digest decides what runs: change tag and digest together, or pin the tag alone.',
    );
  }
  // From the last to the first, so that earlier positions stay valid.
  return places
    .toSorted((a, b) => b.offset - a.offset)
    .reduce((now, { written, offset }) => {
      const at = written.lastIndexOf(from, written.length - suffix.length - from.length);
      if (at < 0) throw notThisPin(`${JSON.stringify(written)} does not have ${from} in it`, pinOneRelease);
      const start = offset + at;
      return `${now.slice(0, start)}${to}${now.slice(start + from.length)}`;
    }, text);
}

/** The line of an offset, from 1. */
function linesOf(text: string): (offset: number) => number {
  const counter = new LineCounter();
  counter.addNewLine(0);
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) counter.addNewLine(at + 1);
  return (offset) => counter.linePos(offset).line;
}
