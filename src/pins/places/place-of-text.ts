import { parseVersion } from '../../core/version.js';
import { readOr } from '../found-pin.js';
import { isEnv } from '../kinds/variables.js';
import { referenceIn, releaseIn, withRelease } from '../written-pins.js';
import type { WrittenPlace } from '../written-place.js';
import { giveRunningVersion, notThisPin, type Pin } from '../yaml/pin-at.js';
import type { FileText, Place, PlaceRequest } from './place.js';

/**
 * The place of one or more pins found by one name. All must pin the same release, because each of them decides what runs.
 * Those of `others` that have the same image must too, and are moved with it.
 */
export function placeOfText(
  name: string,
  { file, text }: FileText,
  places: readonly WrittenPlace[],
  request: PlaceRequest,
  others: readonly WrittenPlace[] = [],
): Place {
  const shown = name.includes('#') ? name : `${name}#${places[0]?.name}`;
  const refuse = (why: string, hint: string | undefined) => notThisPin(`${shown}: ${why}`, hint);
  const { tagSuffix = '', giveFrom = giveRunningVersion } = request;
  const releaseAt = (place: WrittenPlace, where = '') =>
    readOr(
      () => releaseIn(place, { tagSuffix, giveFrom }),
      ({ message, hint }) => {
        throw refuse(`${where}${message}`, hint);
      },
    );
  const named = places.map((place) => releaseAt(place));
  const [first] = named;
  if (first === undefined)
    throw refuse('there is nothing at that place', 'Check the name or the expression.');
  const isSame = (place: WrittenPlace) =>
    first.repository !== undefined && referenceIn(place).repository === first.repository;
  const withIt = others.filter(isSame);
  const releases = [...named, ...withIt.map((place) => releaseAt(place, `${place.name} in the same file: `))];
  const differing = releases.find(({ tag, digest }) => tag !== first.tag || digest !== first.digest);
  if (differing !== undefined)
    throw refuse(
      `it is ${first.tag} here, but ${differing.tag} elsewhere in the file`,
      'Pin the same in both.',
    );
  const path = shown.slice(file.length + 1).split('.');
  const images = releases.map(({ registry, repository }) => ({ registry, repository }));
  const more = {
    service: undefined,
    isOfCompose: isEnv(file),
    scalars: [],
    otherPlaces: withIt.map((place) => place.name),
  };
  const pin: Pin = { file, path, suffix: tagSuffix, ...first, images, ...more };
  const move = async (to: string) => {
    const version = parseVersion(to);
    const now = { ...pin, version, tag: pin.tag.replace(pin.version, version) };
    return { text: withRelease(text, [...places, ...withIt], pin, version), pin: now };
  };
  return { pin, name: shown, file, text, move };
}
