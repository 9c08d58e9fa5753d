import { LightspanError } from '../../core/lightspan-error.js';
import { shellWord } from '../../core/text/quoted-words.js';
import { type InputRequest, readInputText } from '../../gather/files/read-file.js';
import type { Pin } from '../yaml/pin-at.js';
import { nameOfPin } from '../yaml/pinned-version.js';
import type { Place, PlaceRequest } from './place.js';
import { readPlace } from './read-place.js';

interface PinsRequest extends Pick<InputRequest, 'stdin'>, Pick<PlaceRequest, 'env'> {
  readonly tagSuffix: string | undefined;
  /** The hint if a file does not show the version; by default, to pass it with `--from`. */
  readonly giveOtherwise?: string;
  /** The option that names the places; by default `--from-file`. */
  readonly option?: string;
}

/**
 * Reads what several places pin, each `<file>#<path.to.value>`, or `<file>` if it pins Lightdash in one place. A file
 * that is named twice is read once.
 *
 * @param places one or more
 * @throws {LightspanError} `usage`, `invalid-pin` if one cannot be read or two pin different releases, and the errors
 * of reading a file
 */
export async function readAgreeingPins(
  places: readonly string[],
  { stdin, env = {}, tagSuffix, giveOtherwise, option = '--from-file' }: PinsRequest,
): Promise<readonly [Pin, ...Pin[]]> {
  const texts = new Map<string, Promise<string>>();
  const read = (file: string) => {
    const text = texts.get(file) ?? readInputText({ source: file, stdin, what: 'file' });
    texts.set(file, text);
    return text;
  };
  const pins: Pin[] = [];
  for (const place of places) {
    pins.push((await readPlace(place, { read, option, env, tagSuffix, giveFrom: giveOtherwise })).pin);
  }
  const first = pins[0] === undefined ? '' : shellWord(nameOfPin(pins[0]));
  return requireAgreement(pins, `${option} ${first}, or pass the running version with --from instead`);
}

/**
 * @param example how those of one instance are named
 * @throws {LightspanError} `invalid-pin` if two pin different releases
 */
function requireAgreement(pins: readonly Pin[], example: string): readonly [Pin, ...Pin[]] {
  const [first, ...others] = pins;
  if (first === undefined) throw new LightspanError('usage', 'no place that pins a version is given');
  const hint = `Pin the same version in all of them, or name those of one instance, as in ${example}.`;
  for (const pin of others) {
    const names = new Set([first.repository, pin.repository].filter((name) => name !== undefined));
    // Tag and digest of one image; of images under different names, only the release.
    const pinned = ({ version, tag, digest }: Pin) =>
      names.size > 1 ? version : digest === undefined ? tag : `${tag}@${digest}`;
    if (pinned(first) === pinned(pin)) continue;
    throw new LightspanError(
      'invalid-pin',
      `${nameOfPin(first)} is ${pinned(first)}, but ${nameOfPin(pin)} is ${pinned(pin)}`,
      { hint },
    );
  }
  return [first, ...others];
}

/** A place, and the name it was found by, which differs where a compose file takes its tag from a variable. */
interface FoundPlace extends Place {
  readonly foundBy: string;
}

/** Places that pin the same release, without those that another one moves with it. */
export async function readAgreeingPlaces(
  names: readonly string[],
  request: PlaceRequest,
): Promise<readonly [FoundPlace, ...FoundPlace[]]> {
  const places: FoundPlace[] = [];
  for (const name of names) places.push({ ...(await readPlace(name, request)), foundBy: name });
  requireAgreement(
    places.map(({ pin }) => pin),
    `${request.option} ${places[0]?.foundBy}`,
  );
  const isMovedBy = ({ file, pin }: Place, { name }: Place) =>
    pin.otherPlaces.some((otherPlace) => name === `${file}#${otherPlace}`);
  const [first, ...others] = places;
  if (first === undefined) throw new Error('they agree, so there is one');
  const kept = [first];
  for (const place of others) {
    if (!kept.some((keptPlace) => keptPlace.name === place.name || isMovedBy(keptPlace, place)))
      kept.push(place);
  }
  return [first, ...kept.slice(1)];
}

/** The files of places with another release in each, and what they then pin. */
export async function moveAll(
  places: readonly FoundPlace[],
  version: string,
  request: PlaceRequest,
): Promise<{ readonly moved: ReadonlyMap<string, string>; readonly pins: readonly Pin[] }> {
  const moved = new Map<string, string>();
  const read = async (file: string) => moved.get(file) ?? request.read(file);
  const pins: Pin[] = [];
  for (const { foundBy } of places) {
    const place = await readPlace(foundBy, { ...request, read });
    const { text, pin } = await place.move(version);
    moved.set(place.file, text);
    pins.push(pin);
  }
  return { moved, pins };
}
