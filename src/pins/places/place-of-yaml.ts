import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isScalar } from 'yaml';
import { isFolder } from '../../read/files/read-file.js';
import { envFilesIn, readAssignments, readVariables } from '../../read/files/variables.js';
import { faultOfPin } from '../found-pin.js';
import { placeOfSetting } from '../kinds/variables.js';
import { pinOneRelease } from '../pin-tree.js';
import { withRelease } from '../written-pins.js';
import type { WrittenPlace } from '../written-place.js';
import { findLightdash, locatePin } from '../yaml/lightdash-places.js';
import { notThisPin, type PinLocation } from '../yaml/pin-at.js';
import { type ComposeVariables, findPlaces, readPinFile } from '../yaml/pin-documents.js';
import { movePin, nameOfPin, readPin } from '../yaml/pinned-version.js';
import type { FileText, Place, PlaceRequest } from './place.js';

/** What YAML or JSON pins, with the variables of the `.env` beside a compose file. */
export async function placeOfYaml(
  name: string,
  { file, text }: FileText,
  request: PlaceRequest,
): Promise<Place> {
  const { option, tagSuffix, giveFrom } = request;
  const named = envFilesIn(request.env ?? {});
  const [env = join(dirname(file), '.env'), second] = named ?? [];
  const isThere = named !== undefined || (existsSync(env) && !isFolder(env));
  const hasEnv = file !== '-' && text.includes('$') && isThere;
  const envText = hasEnv ? await request.read(env) : undefined;
  const location = sameVariable(name, text) ?? locatePin(name, text, option);
  const shown = nameOfPin(location);
  const read = (compose: string, beside: string | undefined) =>
    readPin(
      compose,
      location,
      { tagSuffix, giveFrom },
      second === undefined ? variablesOf(beside, env) : { fault: 'COMPOSE_ENV_FILES names several files' },
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
      : readAssignments(envText, env).find((one) => one.name === variable.name);
  const at = setting === undefined ? { file, text } : { file: env, text: envText ?? '' };
  const place =
    setting === undefined
      ? { written: variable.byDefault, offset: raw.offset + variable.offset }
      : placeOfSetting(at.text, setting);
  const move = async (version: string) => {
    const after = withRelease(at.text, [place], pin, version);
    const now = setting === undefined ? read(after, envText) : read(text, after);
    if (now.version !== version)
      throw notThisPin(`${shown}: its value comes from several places`, pinOneRelease);
    return { text: after, pin: now };
  };
  if (setting === undefined) return { pin, name: shown, ...at, move };
  const pinned = { ...pin, variable: { file: env, name: setting.name, written: place.written } };
  return { pin: pinned, name: `${env}#${setting.name}`, ...at, move };
}

function variablesOf(text: string | undefined, file: string): ComposeVariables {
  if (text === undefined) return { variables: new Map() };
  try {
    return { variables: readVariables(text, file) };
  } catch (error) {
    return { fault: faultOfPin(error).message };
  }
}

/** The first of several places to which one variable gives the tag. */
function sameVariable(name: string, text: string): PinLocation | undefined {
  if (name.includes('#') || !text.includes('$')) return undefined;
  const found = findLightdash(readPinFile(text, name)).map(({ path, document }) => ({
    file: name,
    path,
    document,
  }));
  const names = found.map((place) => variableOfTag(rawAt(text, place)?.written ?? '')?.name);
  return names[0] !== undefined && new Set(names).size === 1 ? found[0] : undefined;
}

/** A scalar as it is written, before variables are filled in. */
function rawAt(text: string, location: PinLocation): Pick<WrittenPlace, 'written' | 'offset'> | undefined {
  const found = findPlaces(readPinFile(text, location.file), [location.path]);
  const place = found.find(
    ({ document }) => location.document === undefined || document === location.document,
  );
  const [offset, end] = isScalar(place?.node) ? (place.node.range ?? []) : [];
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
