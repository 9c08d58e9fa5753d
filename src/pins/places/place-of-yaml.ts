import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isScalar, type Scalar } from 'yaml';
import { isFolder } from '../../gather/files/read-file.js';
import { envFilesIn, readAssignments } from '../../gather/files/variables.js';
import { readOr } from '../found-pin.js';
import { placeOfSetting } from '../kinds/variables.js';
import { pinOneRelease } from '../pin-tree.js';
import { withRelease } from '../written-pins.js';
import type { WrittenPlace } from '../written-place.js';
import { findLightdash } from '../yaml/lightdash-places.js';
import { locatePin } from '../yaml/locate-pin.js';
import { variablesIn } from '../yaml/open.js';
import { notThisPin, type Pin, type PinLocation } from '../yaml/pin-at.js';
import { findPlaces, readPinFile } from '../yaml/pin-documents.js';
import { movePin, nameOfPin, readPin, unquoted } from '../yaml/pinned-version.js';
import { pinInText } from '../yaml/texts-in.js';
import type { Place, PlaceRequest } from './place.js';

/** What YAML or JSON pins, with the variables of the `.env` beside a compose file. */
export async function placeOfYaml(
  name: string,
  { file, text }: Pick<Place, 'file' | 'text'>,
  request: PlaceRequest,
): Promise<Place> {
  const { option, tagSuffix, giveFrom } = request;
  const named = envFilesIn(request.env ?? {});
  const [env = join(dirname(file), '.env'), second] = named ?? [];
  const isThere = named !== undefined || (existsSync(env) && !isFolder(env));
  const hasEnv = file !== '-' && text.includes('$') && isThere;
  const envText = hasEnv ? await request.read(env) : undefined;
  const location =
    sameVariable(name, text) ?? sameImage(name, text, request) ?? locatePin(name, text, option, giveFrom);
  const shown = nameOfPin(location);
  const inText = pinInText(text, location, { tagSuffix, giveFrom });
  if (inText !== undefined) {
    const move = async (version: string) => {
      const after = inText.move(version);
      const pin = pinInText(after, location, { tagSuffix, giveFrom })?.pin;
      if (pin?.version !== version)
        throw notThisPin(`${shown}: its value comes from several places`, pinOneRelease);
      return { text: after, pin };
    };
    return { pin: inText.pin, name: shown, file, text, move };
  }
  const read = (compose: string, beside: string | undefined) =>
    readPin(
      compose,
      location,
      { tagSuffix, giveFrom },
      second === undefined ? variablesIn(beside, env) : { fault: 'COMPOSE_ENV_FILES names several files' },
    );
  const pin = read(text, envText);
  const raw = rawAt(text, location);
  const variable = raw === undefined ? undefined : variableOfTag(raw.written);
  if (raw === undefined || variable === undefined) {
    const move = async (version: string) => {
      const after = movePin(text, location, tagSuffix ?? '', version);
      return { text: after, pin: read(after, envText) };
    };
    return { pin, name: shown, file, text, move };
  }
  const setting =
    envText === undefined
      ? undefined
      : readAssignments(envText, env).find((assignment) => assignment.name === variable.name);
  const at = setting === undefined ? { file, text } : { file: env, text: envText ?? '' };
  const places =
    setting === undefined ? defaultsOf(text, file, pin, variable.name) : [placeOfSetting(at.text, setting)];
  const move = async (version: string) => {
    const isElsewhere = places.some(({ written }) => !written.includes(pin.version));
    const after = isElsewhere ? at.text : withRelease(at.text, places, pin, version);
    const now = readIfPin(() => (setting === undefined ? read(after, envText) : read(text, after)));
    if (now?.version !== version)
      throw notThisPin(`${shown}: its value comes from several places`, pinOneRelease);
    return { text: after, pin: now };
  };
  if (setting === undefined) return { pin, name: shown, ...at, move };
  const [{ written = '' } = {}] = places;
  const pinned = { ...pin, variable: { file: env, name: setting.name, written } };
  return { pin: pinned, name: `${env}#${setting.name}`, ...at, move };
}

/** What is pinned; undefined where that is no release, or other places of the image have another one. */
const readIfPin = (read: () => Pin) => readOr(read, () => undefined);

/**
 * The release wherever a compose file writes it for an image whose variable is not set: in the default of each use of
 * that variable, and in each other place of the same image.
 */
function defaultsOf(
  text: string,
  file: string,
  { scalars }: Pick<Pin, 'scalars'>,
  variable: string,
): readonly Pick<WrittenPlace, 'written' | 'offset'>[] {
  const inFile = findLightdash(readPinFile(text, file)).map(({ scalar }) => scalar);
  const places = [...inFile, ...scalars].flatMap((scalar) => rawOf(text, scalar) ?? []);
  const ofImage = new Set(scalars.map((scalar) => scalar.range?.[0]));
  const byOffset = new Map(places.map((place) => [place.offset, place]));
  return [...byOffset.values()].flatMap(({ written, offset }) => {
    const used = variableOfTag(written);
    if (used === undefined) return ofImage.has(offset) ? [{ written: unquoted(written), offset }] : [];
    if (used.name !== variable && !ofImage.has(offset)) return [];
    return [{ written: used.byDefault, offset: offset + used.offset }];
  });
}

/** The first of several places to which one variable gives the tag. */
function sameVariable(name: string, text: string): PinLocation | undefined {
  if (name.includes('#') || !text.includes('$')) return undefined;
  const places = findLightdash(readPinFile(text, name)).map(({ path, document }) => ({
    file: name,
    path,
    document,
  }));
  const names = places.map((place) => variableOfTag(rawAt(text, place)?.written ?? '')?.name);
  return names[0] !== undefined && new Set(names).size === 1 ? places[0] : undefined;
}

/** The first of several places that pin one release of one image in plain words: they move together. */
function sameImage(name: string, text: string, { tagSuffix }: PlaceRequest): PinLocation | undefined {
  if (name.includes('#')) return undefined;
  const places = findLightdash(readPinFile(text, name));
  const [first, second] = places;
  const written = new Set(places.map(({ scalar }) => String(scalar?.value)));
  if (first === undefined || second === undefined || written.size > 1) return undefined;
  const location = { file: name, path: first.path, document: first.document };
  const pin = readIfPin(() => readPin(text, location, { tagSuffix }));
  // Of places that are written alike, each is refused for the same reason: none of them is the one to name.
  if (pin === undefined) return location;
  const moved = pin.scalars;
  const offsets = new Set(moved.map((scalar) => scalar.range?.[0]));
  return places.every(({ scalar }) => offsets.has(scalar?.range?.[0])) ? location : undefined;
}

/** A scalar as it is written, before variables are filled in. */
function rawAt(text: string, location: PinLocation): Pick<WrittenPlace, 'written' | 'offset'> | undefined {
  const places = findPlaces(readPinFile(text, location.file), [location.path]);
  const place = places.find(
    ({ document }) => location.document === undefined || document === location.document,
  );
  return isScalar(place?.node) ? rawOf(text, place.node) : undefined;
}

function rawOf(
  text: string,
  scalar: Scalar | undefined,
): Pick<WrittenPlace, 'written' | 'offset'> | undefined {
  const [offset, end] = scalar?.range ?? [];
  return offset === undefined || end === undefined ? undefined : { written: text.slice(offset, end), offset };
}

/** The variable that gives the tag of an image, or all of it, and its default: `lightdash/lightdash:${V:-1.2.0}`. */
function variableOfTag(written: string) {
  const match = /\$(?:\{([A-Za-z_]\w*)(?::?-([^${}]*)|:?\?[^${}]*)?\}|([A-Za-z_]\w*))[^:$]*$/.exec(written);
  if (match === null) return undefined;
  const [whole, braced, byDefault = '', bare = ''] = match;
  return {
    name: braced ?? bare,
    byDefault,
    offset: match.index + whole.indexOf(byDefault, whole.search(/-/)),
  };
}
