import { parseImageReference } from '../../instance/image-reference.js';
import { readSettings } from '../../read/files/variables.js';
import { findVariable, readIfYaml } from '../found-pins.js';
import { isValuesFile, isVariablesFile, patternOf } from '../pin-pattern.js';
import { folderOf, readText } from '../pin-tree.js';
import { isNamedLightdash } from '../yaml/image-places.js';
import { findLightdash, isPinOfLightdash } from '../yaml/lightdash-places.js';
import type { Kind, PinSource } from './kind.js';

/** Files of variables: by the name of a variable, by its image, or as a compose file around them uses it. */
export const variablesKind: Kind = {
  matches: (file) => isVariablesFile(file),
  read: async (source) => {
    const { file, text, tagSuffix, alsoAt } = source;
    const settings = readSettings(text, file);
    const used = await imagesAround(source);
    const isOwn = ({ name, value }: (typeof settings)[number]) =>
      isPinOfLightdash(name) ||
      isImageOfLightdash(value ?? '') ||
      used.some((image) => new RegExp(`\\$\\{?${name}\\b`).test(image));
    const own = new Set(settings.filter(isOwn).map(({ name }) => name));
    const names = new Set([...own, ...alsoAt.map((path) => path.join('.'))]);
    return [...names].flatMap((name) =>
      findVariable(patternOf(file, [name]), text, file, tagSuffix).map((pin) => ({
        ...pin,
        isOther: !own.has(name),
      })),
    );
  },
};

function isImageOfLightdash(value: string): boolean {
  const { repository, tag } = parseImageReference(value);
  return tag !== undefined && /^v?\d+\.\d|[a-z]/.test(tag) && isNamedLightdash(repository ?? '');
}

/** The images of Lightdash in compose files and values in the folder of a file and above it. */
async function imagesAround({ file, tree }: PinSource): Promise<readonly string[]> {
  const images: string[] = [];
  for (const one of tree.files.keys()) {
    if (!file.startsWith(folderOf(one)) || !(isComposeFile(one) || isValuesFile(one))) continue;
    const read = readIfYaml((await readText(tree, one)) ?? '', one);
    const places = read === undefined ? [] : findLightdash(read);
    images.push(
      ...places.map(({ path, document }) => String(read?.documents[document]?.document.getIn(path))),
    );
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
