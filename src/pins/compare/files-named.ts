import { posix } from 'node:path';
import { memoize } from '../../core/common/memoize.js';
import { namesLightdash } from '../../core/lightdash-name.js';
import { inParallel } from '../../gather/files/in-parallel.js';
import { type Entry, textOf } from '../entries.js';
import { largestText } from '../names.js';
import { commonNames, isKustomization, pathsIn } from '../paths-in.js';
import { decoded, filesByName, folderOf, type PinTree } from '../pin-tree.js';
import { isRelease } from '../releases/releases.js';
import type { Uses } from '../uses.js';
import { isDeployed, isSourceCode, isTestOrSchema, runsNothing } from '../what-files-are.js';
import { hasPins, ofBoth, type SidesOfFile } from './side.js';
import { type Reading, readSides } from './sides.js';
import { type FilesNamed, unexplainedIn } from './unexplained.js';
import { subjectOfName, versionsIn } from './values.js';

/**
 * What a file would do. Whether it gives a name its release counts where no program names it: that names many files, of
 * which it deploys few.
 */
type Kind = 'pins' | 'runs nothing' | 'gives' | 'gives nothing';

/**
 * Gives the function that reads what the changed lines of a file name, on the side that names it. Of a kustomization this
 * is all that it names: its lists are compared as a whole, with the patches that stay. What many files name is read once.
 */
export function readerOfNamed(
  trees: readonly [PinTree, PinTree],
  uses: Uses,
  options: Pick<Reading, 'tagSuffix'>,
): (change: SidesOfFile & { readonly file: string }) => Promise<FilesNamed> {
  const kindsAt = (tree: PinTree, isUsed: Uses['isNamed']) => {
    const kindOfFile = memoize(
      (name) => kindOf(name, tree, uses, { ...options, mayBeOf: true, isUsed: isUsed(name) }),
      Number.POSITIVE_INFINITY,
    );
    return memoize(
      async (path) => new Set(await inParallel(filesAt(path, tree), kindOfFile)),
      Number.POSITIVE_INFINITY,
    );
  };
  const byLightdash = ofBoth((i) => kindsAt(trees[i], () => true));
  const byAny = ofBoth((i) => kindsAt(trees[i], uses.isNamed));
  return async ({ file, was, is }) => {
    const named = { pinning: new Set<string>(), others: new Set<string>() };
    const texts = ofBoth((i) => new Set([was, is][i]?.entries.map((entry) => textOf(entry))));
    const kindsIn = texts.some((all) => [...all].some(namesLightdash)) ? byLightdash : byAny;
    for (const i of [0, 1] as const) {
      const changed = [...texts[i]].filter(
        (text) => isKustomization(file) || !texts[i === 0 ? 1 : 0].has(text),
      );
      const paths = pathsIn(changed.join('\n'), folderOf(file)).filter(
        (path) => filesAt(path, trees[i]).length > 0,
      );
      await inParallel(paths, async (path) => {
        const kinds = await kindsIn[i](path);
        const has = (kind: Kind, byCode: Kind) =>
          kinds.has(kind) || (kinds.has(byCode) && !isSourceCode(file));
        if (has('pins', 'gives')) named.pinning.add(path);
        // What has only the same name may not be the file that is meant.
        if (has('runs nothing', 'gives nothing') && !path.startsWith('*/')) named.others.add(path);
      });
    }
    return named;
  };
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

async function kindOf(file: string, tree: PinTree, uses: Uses, reading: Reading): Promise<Kind | undefined> {
  const entry = tree.files.get(file);
  if (entry?.kind !== 'file' || isSourceCode(file) || !isDeployed(file)) return undefined;
  const text = decoded(await tree.read(entry));
  if (text.length > largestText || isTestOrSchema(file, text)) return undefined;
  const { was, is } = await readSides([file, undefined], [text, undefined], [tree, tree], reading);
  if (hasPins(was)) return 'pins';
  const isIdle = await Promise.all(was.entries.map((part) => runsNothingIn(part, file, tree, uses, reading)));
  if (isIdle.length > 0 && !isIdle.includes(false)) return 'runs nothing';
  if (unexplainedIn(file, [was, is], uses, []).length > 0) return 'gives';
  // What a kustomization lists may be more than a step away.
  const mayReplace = (entry: Entry) => isPartOfOwn(entry, uses);
  return isKustomization(file) || was.entries.some(mayReplace) ? undefined : 'gives nothing';
}

/**
 * Whether a value may be of Lightdash by where the file is taken, although it does not say so: of a service of compose that
 * has the name of Lightdash's, or of the image in values without a name.
 */
function isPartOfOwn({ document, object, path, key, value }: Entry, uses: Uses): boolean {
  if (path[0] === 'services') return uses.services.has(path[1] ?? '');
  if (document === undefined || object !== undefined || !imageKeys.test(key)) return false;
  const versions = versionsIn(value);
  return (
    path.every((step) => subjectOfName(step) !== 'another') &&
    (versions.length === 0 || versions.some(isRelease))
  );
}

const imageKeys = /^(?:image|repository|registry|tag|imageTag|digest)$/;

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
  if (path[0] !== 'resources' || isKustomization(listed)) return false;
  const kind = await kindOf(listed, tree, uses, reading);
  return kind === 'runs nothing' || kind === 'gives nothing';
}
