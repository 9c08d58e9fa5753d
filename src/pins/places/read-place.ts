import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isFolder, readFileText } from '../../gather/files/read-file.js';
import { placesOfExpression, splitExpression } from '../expression.js';
import { placesNamed } from '../kinds/kinds.js';
import { isComposeFile } from '../kinds/variables.js';
import { isVariablesFile } from '../pin-pattern.js';
import { folderOf, type PinTree, treeOfTexts } from '../pin-tree.js';
import type { WrittenPlace } from '../written-place.js';
import { findLightdash } from '../yaml/lightdash-places.js';
import { notOnePlace } from '../yaml/locate-pin.js';
import { readIfYaml } from '../yaml/open.js';
import { parsePinLocation } from '../yaml/pinned-version.js';
import type { Place, PlaceRequest } from './place.js';
import { placeOfText } from './place-of-text.js';
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
