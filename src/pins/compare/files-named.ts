import { posix } from 'node:path';
import { namesLightdash } from '../../core/lightdash-name.js';
import { inParallel } from '../../gather/files/in-parallel.js';
import { type Entry, textOf } from '../entries.js';
import { largestText } from '../names.js';
import { commonNames, isKustomization, pathsIn } from '../paths-in.js';
import { decoded, filesByName, folderOf, type PinTree } from '../pin-tree.js';
import type { Uses } from '../uses.js';
import { isDeployed, isSourceCode, isTestOrSchema, runsNothing } from '../what-files-are.js';
import { ofBoth, type SidesOfFile } from './side.js';
import { type Reading, readSides } from './sides.js';
import { type FilesNamed, unexplainedIn } from './unexplained.js';

/**
 * Reads what changed lines name, on the side that names it. Of a kustomization this is all that it names: its lists are
 * compared as a whole, with the patches that stay.
 */
export async function filesNamed(
  { file, was, is }: SidesOfFile & { readonly file: string },
  trees: readonly [PinTree, PinTree],
  uses: Uses,
  options: Pick<Reading, 'tagSuffix'>,
): Promise<FilesNamed> {
  const named = { pinning: new Set<string>(), others: new Set<string>() };
  const texts = ofBoth((i) => new Set([was, is][i]?.entries.map((entry) => textOf(entry))));
  const isOfLightdash = texts.some((all) => [...all].some(namesLightdash));
  for (const i of [0, 1] as const) {
    const changed = [...texts[i]].filter(
      (text) => isKustomization(file) || !texts[i === 0 ? 1 : 0].has(text),
    );
    await inParallel(pathsIn(changed.join('\n'), folderOf(file)), async (path) => {
      for (const name of filesAt(path, trees[i])) {
        const isUsed = isOfLightdash || uses.isNamed(name);
        const kind = await kindOf(
          name,
          trees[i],
          uses,
          { ...options, mayBeOf: true, isUsed },
          isSourceCode(file),
        );
        // What has only the same name may not be the file that is meant.
        if (kind === 'pinning' || (kind === 'others' && !path.startsWith('*/'))) named[kind].add(path);
      }
    });
  }
  return named;
}

const namesOfKustomization = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

/** The file at a path, the kustomization in a folder, or what has a name that few files have. */
function filesAt(path: string, tree: PinTree): readonly string[] {
  if (!path.startsWith('*/'))
    return [path, ...namesOfKustomization.map((name) => `${path}/${name}`)].filter((name) =>
      tree.files.has(name),
    );
  return commonNames.test(path) ? [] : (filesByName(tree).get(posix.basename(path)) ?? []);
}

async function kindOf(
  file: string,
  tree: PinTree,
  uses: Uses,
  reading: Reading,
  isByCode = false,
): Promise<keyof FilesNamed | undefined> {
  const entry = tree.files.get(file);
  if (entry?.kind !== 'file' || isSourceCode(file) || !isDeployed(file)) return undefined;
  const text = decoded(await tree.read(entry));
  if (text.length > largestText || isTestOrSchema(file, text)) return undefined;
  const { was, is } = await readSides([file, undefined], [text, undefined], [tree, tree], reading);
  if (was.pins.some(({ isOther }) => !isOther)) return 'pinning';
  const isIdle = await Promise.all(was.entries.map((part) => runsNothingIn(part, file, tree, uses, reading)));
  if (isIdle.length > 0 && !isIdle.includes(false)) return 'others';
  // A program names many files, of which it deploys few; what a kustomization lists may be more than a step away.
  if (isByCode) return undefined;
  if (unexplainedIn(file, [was, is], uses, []).length > 0) return 'pinning';
  return isKustomization(file) ? undefined : 'others';
}

/** Whether an entry is of an object that runs nothing, or lists a file of such objects in a kustomization. */
async function runsNothingIn(
  { path, value, object = '' }: Entry,
  file: string,
  tree: PinTree,
  uses: Uses,
  reading: Reading,
): Promise<boolean> {
  if (!isKustomization(file)) return runsNothing.test(object);
  if (/^(?:apiVersion|kind|metadata|namespace)$/.test(path[0] ?? '')) return true;
  const listed = posix.join(posix.dirname(file), value);
  // A folder is not followed: that would be a second step.
  return (
    path[0] === 'resources' &&
    !isKustomization(listed) &&
    (await kindOf(listed, tree, uses, reading)) === 'others'
  );
}
