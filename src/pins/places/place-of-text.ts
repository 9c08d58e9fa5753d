import { parseVersion } from '../../core/version.js';
import { faultOfPin } from '../found-pin.js';
import { releaseIn, withRelease } from '../written-pins.js';
import type { WrittenPlace } from '../written-place.js';
import { notThisPin, type Pin } from '../yaml/pin-at.js';
import type { FileText, Place, PlaceRequest } from './place.js';

/** Where several are found by one name, all must pin the same: each of them decides what runs. */
export function placeOfText(
  name: string,
  { file, text }: FileText,
  places: readonly WrittenPlace[],
  request: PlaceRequest,
): Place {
  const shown = name.includes('#') ? name : `${name}#${places[0]?.name}`;
  const refuse = (why: string, hint: string | undefined) => notThisPin(`${shown}: ${why}`, hint);
  const { tagSuffix = '', giveFrom = 'Give the running version with --from instead.' } = request;
  const releases = places.map((place) => {
    try {
      return releaseIn(place, { tagSuffix, giveFrom });
    } catch (error) {
      const { message, hint } = faultOfPin(error);
      throw refuse(message, hint);
    }
  });
  const [first] = releases;
  if (first === undefined)
    throw refuse('there is nothing at that place', 'Check the name or the expression.');
  const other = releases.find(({ tag, digest }) => tag !== first.tag || digest !== first.digest);
  if (other !== undefined)
    throw refuse(`it is ${first.tag} here, but ${other.tag} elsewhere in the file`, 'Pin the same in both.');
  const path = shown.slice(file.length + 1).split('.');
  const images = releases.map(({ registry, repository }) => ({ registry, repository }));
  const none = { service: undefined, scalars: [], otherPlaces: [] };
  const pin: Pin = { file, path, suffix: tagSuffix, ...first, images, ...none };
  const move = async (to: string) => {
    const version = parseVersion(to);
    const now = { ...pin, version, tag: pin.tag.replace(pin.version, version) };
    return { text: withRelease(text, places, pin, version), pin: now };
  };
  return { pin, name: shown, file, text, move };
}
