import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isScalar } from 'yaml';
import { LightspanError } from '../core/lightspan-error.js';
import { parseVersion } from '../core/version.js';
import { isFolder, readFileText } from '../read/files/read-file.js';
import { envFilesIn, readSettings, readVariables } from '../read/files/variables.js';
import { placesOfExpression, splitExpression } from './expression.js';
import { faultOfPin } from './found-pin.js';
import { placesInText } from './kinds/kinds.js';
import { isComposeFile, placeOfSetting } from './kinds/variables.js';
import { isYaml } from './kinds/yaml.js';
import { isVariablesFile } from './pin-pattern.js';
import { folderOf, type PinTree, pinOneRelease, treeOfTexts } from './pin-tree.js';
import { numbered, releaseIn } from './written-pins.js';
import type { WrittenPlace } from './written-place.js';
import { findLightdash, locatePin } from './yaml/lightdash-places.js';
import { readIfYaml } from './yaml/open.js';
import { notThisPin, type Pin, type PinLocation } from './yaml/pin-at.js';
import { type ComposeVariables, findPlaces, readPinFile } from './yaml/pin-documents.js';
import { movePin, nameOfPin, parsePinLocation, readPin } from './yaml/pinned-version.js';

/** A place that pins a release, as every command reads it. */
export interface Place {
  readonly pin: Pin;
  /** What is written, and where: in the file of the pin, or in the `.env` beside a compose file. */
  readonly name: string;
  readonly file: string;
  readonly text: string;
  /** The text of that file with another release, as the index writes it, and what it then pins. */
  readonly move: (version: string) => Promise<Pick<Place, 'text' | 'pin'>>;
}

export interface PlaceRequest {
  readonly read: (file: string) => Promise<string>;
  /** The option that names it, for messages. */
  readonly option: string;
  /** Where `COMPOSE_ENV_FILES` may name the file of variables that docker compose reads. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly tagSuffix?: string | undefined;
  readonly giveFrom?: string | undefined;
}

/**
 * The place that `<file>#<path>`, `<file>#/<expression>/` or `<file>` names: in YAML and JSON, a file of variables, a
 * Dockerfile, Terraform, or any text with a comment `lightspan: pin`.
 *
 * @throws {LightspanError} `usage` if the file has none or several; `invalid-pin` for anything but one exact release
 */
export async function readPlace(name: string, request: PlaceRequest): Promise<Place> {
  const expressed = splitExpression(name);
  const file = expressed?.file ?? (name.includes('#') ? parsePinLocation(name).file : name);
  const text = await request.read(file);
  if (expressed !== undefined) {
    const places = await placesOfExpression(expressed.expression, text);
    return placeOfText(name, { file, text }, places, request);
  }
  const path = name.includes('#') ? name.slice(file.length + 1) : undefined;
  const tree = await treeBeside(file, text);
  const alsoAt = path === undefined ? [] : [path.split('.')];
  const found = numbered(await placesInText({ file, text, tree, alsoAt }));
  const named = found.filter((place) => (path === undefined ? !place.isOther : place.name === path));
  const isText = isVariablesFile(file) || (found.length > 0 && !isYaml(file));
  // In YAML, a comment marks what is no image of Lightdash by itself.
  if (isText || (named.length > 0 && (path !== undefined || !hasPlaces(text, file)))) {
    return placeOfText(name, { file, text }, onlyOf(name, named, request.option), request);
  }
  return placeOfYaml(name, { file, text }, request);
}

function hasPlaces(text: string, file: string): boolean {
  const read = readIfYaml(text, file);
  return read !== undefined && findLightdash(read).length > 0;
}

/** A file with the compose files beside it, which show what a file of variables is for. */
async function treeBeside(file: string, text: string): Promise<PinTree> {
  const folder = dirname(file);
  const names = isVariablesFile(file) && isFolder(folder) ? readdirSync(folder).filter(isComposeFile) : [];
  const texts: Record<string, string> = { [file]: text };
  for (const name of names) texts[`${folderOf(file)}${name}`] = await readFileText(join(folder, name));
  return treeOfTexts(texts);
}

/** The only place of a file, where none is named. */
function onlyOf(name: string, places: readonly WrittenPlace[], option: string): readonly WrittenPlace[] {
  const [only, second] = places;
  if (only === undefined && name.includes('#')) return [];
  if (only !== undefined && second === undefined) return places;
  const named = places.map((place) => `${option} '${name}#${place.name}'`);
  const message = `${name} ${only === undefined ? 'does not show where it pins Lightdash' : `pins Lightdash in ${places.length} places`}`;
  throw new LightspanError('usage', message, {
    hint:
      only === undefined
        ? `Mark the line with a comment: lightspan: pin; or write an expression after the file: ${option} '${name}#/lightdash:(\\S+)/'.`
        : `Name one of them: ${named.join(' or ')}`,
  });
}

interface FileText {
  readonly file: string;
  readonly text: string;
}

/** Where several are found by one name, all must pin the same: each of them decides what runs. */
function placeOfText(
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
    throw refuse('there is nothing at that place', 'Check the name, or the expression.');
  const other = releases.find(({ tag, digest }) => tag !== first.tag || digest !== first.digest);
  if (other !== undefined)
    throw refuse(`it is ${first.tag}, and ${other.tag} elsewhere in the file`, 'Pin the same in both.');
  const path = shown.slice(file.length + 1).split('.');
  const images = releases.map(({ registry, repository }) => ({ registry, repository }));
  const none = { service: undefined, scalars: [], otherPlaces: [] };
  const pin: Pin = { file, path, suffix: tagSuffix, ...first, images, ...none };
  const move = async (to: string) => {
    const version = parseVersion(to);
    const now = { ...pin, version, tag: pin.tag.replace(pin.version, version) };
    return { text: moved({ file, text }, places, pin, version), pin: now };
  };
  return { pin, name: shown, file, text, move };
}

/** @throws {LightspanError} `invalid-pin` where the release is not written as such */
export function moved(
  { text }: FileText,
  places: readonly Pick<WrittenPlace, 'written' | 'offset'>[],
  { version: from, digest }: Pick<Pin, 'version' | 'digest'>,
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
      const at = written.lastIndexOf(from);
      if (at < 0) throw notThisPin(`${JSON.stringify(written)} does not have ${from} in it`, pinOneRelease);
      const start = offset + at;
      return `${now.slice(0, start)}${to}${now.slice(start + from.length)}`;
    }, text);
}

/** What YAML or JSON pins, with the variables of the `.env` beside a compose file. */
async function placeOfYaml(name: string, { file, text }: FileText, request: PlaceRequest): Promise<Place> {
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
    envText === undefined ? undefined : readSettings(envText, env).find((one) => one.name === variable.name);
  const at = setting === undefined ? { file, text } : { file: env, text: envText ?? '' };
  const place =
    setting === undefined
      ? { written: variable.byDefault, offset: raw.offset + variable.offset }
      : placeOfSetting(at.text, setting);
  const move = async (version: string) => {
    const after = moved(at, [place], pin, version);
    const now = setting === undefined ? read(after, envText) : read(text, after);
    if (now.version !== version)
      throw notThisPin(`${shown}: it is filled in from several places`, pinOneRelease);
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
