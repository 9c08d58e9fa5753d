import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseVersion } from '../../core/version.js';
import { isFolder, readFileText } from '../../gather/files/read-file.js';
import { placesOfExpression, splitExpression } from '../expression.js';
import { readOr } from '../found-pin.js';
import { placesNamed } from '../kinds/kinds.js';
import { isComposeFile, isEnv } from '../kinds/variables.js';
import { isVariablesFile } from '../pin-pattern.js';
import { folderOf, type PinTree, treeOfTexts } from '../pin-tree.js';
import { referenceIn, releaseIn, withRelease } from '../written-pins.js';
import type { WrittenPlace } from '../written-place.js';
import { findLightdash } from '../yaml/lightdash-places.js';
import { notOnePlace } from '../yaml/locate-pin.js';
import { readIfYaml } from '../yaml/open.js';
import { giveRunningVersion, notThisPin, type Pin } from '../yaml/pin-at.js';
import { parsePinLocation } from '../yaml/pinned-version.js';
import type { Place, PlaceRequest } from './place.js';
import { placeOfYaml } from './place-of-yaml.js';

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
  const { named, others, isText } = await placesNamed({ file, text, tree }, path);
  // In YAML, a comment marks what is no image of Lightdash by itself.
  if (isText || (named.length > 0 && (path !== undefined || !hasPlaces(text, file)))) {
    return placeOfText(name, { file, text }, onlyOf(name, named, request.option), request, others);
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
  const names = places.map((place) => place.name);
  const hint = `Mark the line with a comment: lightspan: pin; or write an expression after the file: ${option} '${name}#/lightdash:(\\S+)/'.`;
  throw notOnePlace(name, names, option, hint);
}

/**
 * The place of one or more pins found by one name. All must pin the same release, because each of them decides what runs.
 * Those of `others` that have the same image must too, and are moved with it.
 */
function placeOfText(
  name: string,
  { file, text }: Pick<Place, 'file' | 'text'>,
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
