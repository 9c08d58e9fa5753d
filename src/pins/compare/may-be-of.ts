import { isNameOfAnother } from '../names/other-programs.js';
import { namesLightdash } from '../names/reference.js';
import { isValuesFile } from '../pin-pattern.js';
import type { PinTree } from '../pin-tree.js';

/** Whether a file may be of Lightdash although it does not have the word: values of a chart that has no name here. */
export function mayBeOfLightdash(file: string, trees: readonly PinTree[]): boolean {
  if (namesLightdash(file)) return true;
  if (!isValuesFile(file) || isNameOfAnother(file)) return false;
  return !trees.some((tree) => hasSiblingOfLightdash(tree, file));
}

const siblings = new WeakMap<PinTree, ReadonlySet<string>>();

/** Whether folders beside that of a file have the name of Lightdash: then the others are of other programs. */
function hasSiblingOfLightdash(tree: PinTree, file: string): boolean {
  let parents = siblings.get(tree);
  if (parents === undefined) {
    const found = new Set<string>();
    for (const name of tree.files.keys()) {
      const parts = name.split('/');
      const at = parts.slice(0, -1).findIndex(namesLightdash);
      if (at >= 0) found.add(parts.slice(0, at).join('/'));
    }
    parents = found;
    siblings.set(tree, parents);
  }
  const folders = file.split('/').slice(0, -1);
  return folders.some((_, i) => parents.has(folders.slice(0, i).join('/')));
}
