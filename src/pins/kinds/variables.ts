import { groupBy } from '../../core/common/group-by.js';
import { memoize, memoizeByObject } from '../../core/common/memoize.js';
import { isLightdashRepository, isNameOfPin } from '../../core/lightdash-name.js';
import { readAssignments, type Setting } from '../../gather/files/variables.js';
import { parseImageReference } from '../../instance/image-reference.js';
import { isValuesFile, isVariablesFile } from '../pin-pattern.js';
import { folderOf, foldersAround, type PinTree } from '../pin-tree.js';
import type { WrittenPlace } from '../written-place.js';
import { findLightdash } from '../yaml/lightdash-places.js';
import { openIfYaml } from '../yaml/open.js';
import type { TextKind, TextSource } from './kind.js';

/** Files of variables: by the name of a variable, by its image, or as a compose file around them uses it. */
export const variablesKind: TextKind = {
  matches: isVariablesFile,
  places: async (source) => {
    const { file, text, alsoAt } = source;
    const settings = readAssignments(text, file);
    const used = new Set((await imagesAround(source)).flatMap(variablesIn));
    const isOwn = ({ name, value }: Setting) =>
      isNameOfPin(name) || isImageOfLightdash(value ?? '') || used.has(name);
    const ownNames = new Set(settings.filter(isOwn).map(({ name }) => name));
    const names = new Set([...ownNames, ...alsoAt.map(({ path }) => path.join('.'))]);
    const byName = groupBy(settings, ({ name }) => name);
    return [...names].flatMap((name) => {
      const [first, second] = byName.get(name) ?? [];
      if (first === undefined) return [];
      const twice = second && `it is set twice, on line ${first.line} and on line ${second.line}`;
      const place = placeOfSetting(text, first);
      return [{ ...place, fault: twice ?? place.fault, isOther: !ownNames.has(name) }];
    });
  },
};

/** The variables that an image takes its tag from, also where what follows a name may be a part of it. */
function variablesIn(image: string): readonly string[] {
  return [...image.matchAll(/\$\{?([A-Za-z_]\w*)([\w.-]*)/g)].flatMap(([, name = '', more = '']) => [
    name,
    `${name}${more}`,
  ]);
}

export function placeOfSetting(text: string, { name, value, start }: Setting): WrittenPlace {
  const offset = text.indexOf(value ?? '', text.indexOf('=', start) + 1);
  const place = { name, written: value ?? '', offset };
  if (value === null) return { ...place, fault: 'its value is not a single plain word' };
  return value === '' ? { ...place, fault: 'it is empty' } : place;
}

function isImageOfLightdash(value: string): boolean {
  const { repository, tag } = parseImageReference(value);
  return tag !== undefined && /^v?\d+\.\d|[a-z]/.test(tag) && isLightdashRepository(repository ?? '');
}

/** The images of Lightdash in compose files and values in the folder of a file and above it. */
async function imagesAround({ file, tree }: TextSource): Promise<readonly string[]> {
  const { byFolder, imagesIn } = imagesOfSide(tree);
  const images = foldersAround(file).flatMap((folder) => (byFolder.get(folder) ?? []).map(imagesIn));
  return (await Promise.all(images)).flat();
}

/** The files of a side that may have them, each of which is read once. */
const imagesOfSide = memoizeByObject((tree: PinTree) => ({
  byFolder: groupBy(
    [...tree.files.keys()].filter((file) => isComposeFile(file) || isValuesFile(file)),
    folderOf,
  ),
  imagesIn: memoize(async (file): Promise<readonly string[]> => {
    const read = await openIfYaml(tree, file);
    const places = read === undefined ? [] : findLightdash(read);
    return places.filter(({ isTagless }) => !isTagless).map(({ scalar }) => String(scalar?.value));
  }),
}));

export function isComposeFile(file: string): boolean {
  return /(^|\/)(?:docker-)?compose[^/]*\.ya?ml$/i.test(file);
}

/** The file that docker compose reads for the compose files next to it. */
export function isEnv(file: string): boolean {
  return file === `${folderOf(file)}.env`;
}
