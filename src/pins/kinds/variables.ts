import { parseImageReference } from '../../instance/image-reference.js';
import { readSettings, type Setting } from '../../read/files/variables.js';
import { isValuesFile, isVariablesFile } from '../pin-pattern.js';
import { folderOf, readText } from '../pin-tree.js';
import type { WrittenPlace } from '../written-place.js';
import { isNamedLightdash } from '../yaml/image-places.js';
import { findLightdash, isPinOfLightdash } from '../yaml/lightdash-places.js';
import { readIfYaml } from '../yaml/open.js';
import type { TextKind, TextSource } from './kind.js';

/** Files of variables: by the name of a variable, by its image, or as a compose file around them uses it. */
export const variablesKind: TextKind = {
  matches: isVariablesFile,
  places: async (source) => {
    const { file, text, alsoAt } = source;
    const settings = readSettings(text, file);
    const used = await imagesAround(source);
    const isOwn = ({ name, value }: Setting) =>
      isPinOfLightdash(name) ||
      isImageOfLightdash(value ?? '') ||
      used.some((image) => new RegExp(`\\$\\{?${name}\\b`).test(image));
    const own = new Set(settings.filter(isOwn).map(({ name }) => name));
    const names = new Set([...own, ...alsoAt.map((path) => path.join('.'))]);
    return [...names].flatMap((name) => {
      const [first, second] = settings.filter((one) => one.name === name);
      if (first === undefined) return [];
      const twice = second && `it is set twice, on line ${first.line} and on line ${second.line}`;
      const place = placeOfSetting(text, first);
      return [{ ...place, fault: twice ?? place.fault, isOther: !own.has(name) }];
    });
  },
};

export function placeOfSetting(text: string, { name, value, line }: Setting): WrittenPlace {
  let start = 0;
  for (let i = 1; i < line; i += 1) start = text.indexOf('\n', start) + 1;
  const offset = text.indexOf(value ?? '', text.indexOf('=', start) + 1);
  const place = { name, written: value ?? '', offset };
  if (value === null) return { ...place, fault: 'its value is not a single plain word' };
  return value === '' ? { ...place, fault: 'it is empty' } : place;
}

function isImageOfLightdash(value: string): boolean {
  const { repository, tag } = parseImageReference(value);
  return tag !== undefined && /^v?\d+\.\d|[a-z]/.test(tag) && isNamedLightdash(repository ?? '');
}

/** The images of Lightdash in compose files and values in the folder of a file and above it. */
async function imagesAround({ file, tree }: TextSource): Promise<readonly string[]> {
  const images: string[] = [];
  for (const one of tree.files.keys()) {
    if (!file.startsWith(folderOf(one)) || !(isComposeFile(one) || isValuesFile(one))) continue;
    const read = readIfYaml((await readText(tree, one)) ?? '', one);
    const places = read === undefined ? [] : findLightdash(read);
    images.push(...places.filter(({ isTagless }) => !isTagless).map(({ scalar }) => String(scalar?.value)));
  }
  return images;
}

export function isComposeFile(file: string): boolean {
  return /(^|\/)(?:docker-)?compose[^/]*\.ya?ml$/i.test(file);
}

/** The file that docker compose reads for the compose files next to it. */
export function isEnv(file: string): boolean {
  return file === `${folderOf(file)}.env`;
}
