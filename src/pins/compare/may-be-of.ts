import { memoizeByObject } from '../../core/common/memoize.js';
import { namesLightdash } from '../../core/lightdash-name.js';
import { foldersOf } from '../paths-in.js';
import { isValuesFile } from '../pin-pattern.js';
import type { PinTree } from '../pin-tree.js';

/** Whether a file may be of Lightdash although it does not have the word: values of a chart that has no name here. */
export function mayBeOfLightdash(file: string, trees: readonly PinTree[]): boolean {
  if (namesLightdash(file)) return true;
  if (!isValuesFile(file)) return false;
  return !trees.some((tree) => hasSiblingOfLightdash(tree, file));
}

/** Whether folders beside that of a file have the name of Lightdash: then the others are of other programs. */
function hasSiblingOfLightdash(tree: PinTree, file: string): boolean {
  return ['', ...foldersOf(file)].slice(0, -1).some((folder) => parentsOfLightdash(tree).has(folder));
}

const parentsOfLightdash = memoizeByObject((tree: PinTree): ReadonlySet<string> => {
  const parents = new Set<string>();
  for (const name of tree.files.keys()) {
    const parts = name.split('/');
    const at = parts.slice(0, -1).findIndex(namesLightdash);
    if (at >= 0) parents.add(parts.slice(0, at).join('/'));
  }
  return parents;
});
