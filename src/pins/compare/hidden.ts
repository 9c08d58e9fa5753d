import { posix } from 'node:path';
import { namesLightdash } from '../../core/lightdash-name.js';
import { decoded, filesWith, type PinTree, type TreeFile } from '../pin-tree.js';
import type { Uses } from '../uses.js';
import { isDeployed, mayBeOfLightdash } from '../what-files-are.js';
import type { Unit } from './touched.js';
import type { Unexplained } from './unexplained.js';

/** The fault of a link, submodule or archive whose contents cannot be read here, and that leads to Lightdash or may. */
export async function hiddenBehind(
  { file }: Unit,
  entries: readonly (TreeFile | undefined)[],
  trees: readonly [PinTree, PinTree],
  usesOf: () => Promise<Uses>,
): Promise<Unexplained | undefined> {
  const kindsOf = entries.map((entry) => entry?.kind);
  const shown = await Promise.all(
    entries.map(async (entry, i) => {
      if (entry?.kind === 'link') return decoded(await trees[i]?.read(entry));
      return entry === undefined ? undefined : entry.kind === 'submodule' ? entry.id : entry.kind;
    }),
  );
  const fault = (why: Unexplained['why']) => ({
    file,
    line: undefined,
    before: shown[0],
    after: shown[1],
    why,
  });
  if (kindsOf.some((kind) => kind === 'unmerged' || kind === 'unnamed' || kind === 'unknown')) {
    return isDeployed(file) ? fault('no-text') : undefined;
  }
  if (kindsOf.includes('submodule'))
    return (await mayDeploy(file, trees, await usesOf())) ? fault('submodule') : undefined;
  if (kindsOf.includes('link')) {
    const uses = await usesOf();
    const targets = shown.filter((text) => text !== undefined);
    const leads = targets.some((target) => {
      const path = posix.join(posix.dirname(file), target);
      return path.startsWith('..') || posix.isAbsolute(target) || uses.leadsToOne(file, `"${target}/"`);
    });
    const files = entries.flatMap((entry, i) => (entry?.kind === 'file' ? [trees[i]?.read(entry)] : []));
    const isOwn = mayBeOfLightdash(file) || (await Promise.all(files)).map(decoded).some(namesLightdash);
    return leads || isOwn || uses.isUsed(file) ? fault('link') : undefined;
  }
  const isArchive = /\.(?:tgz|tar|gz|zip|tar\.\w+|oci|img)$/i.test(file);
  return isArchive && (namesLightdash(file) || (await usesOf()).isUsed(file)) ? fault('archive') : undefined;
}

/**
 * Whether Lightdash may be deployed from a submodule: something that refers to it, or any file but prose, names the path;
 * or nothing here refers to it, and so what deploys it is behind one.
 */
async function mayDeploy(file: string, trees: readonly [PinTree, PinTree], uses: Uses): Promise<boolean> {
  if (!uses.areAny || uses.isUsed(file) || namesLightdash(file)) return true;
  const naming = await Promise.all(trees.map((tree) => filesWith(tree, file)));
  return naming.flat().some((name) => isDeployed(name) && name !== '.gitmodules');
}
