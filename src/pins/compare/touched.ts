import { posix } from 'node:path';
import { namesLightdash } from '../../core/lightdash-name.js';
import { isEnv } from '../kinds/variables.js';
import { chartFiles, isYaml } from '../kinds/yaml.js';
import { isValuesFile } from '../pin-pattern.js';
import {
  chartsAround,
  decoded,
  filesWith,
  folderOf,
  foldersAround,
  isPartOfChart,
  type PinTree,
  type TreeFile,
} from '../pin-tree.js';
import type { Uses } from '../uses.js';
import { isDeployed, mayBeOfLightdash } from '../what-files-are.js';
import type { Unexplained } from './unexplained.js';

/** What a change touches: a file under its name now, and the name that it had. */
export interface Unit {
  readonly file: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export function touchedFiles([before, after]: readonly [PinTree, PinTree]): ReadonlySet<string> {
  const isSame = (a: TreeFile | undefined, b: TreeFile | undefined) => a?.id === b?.id && a?.kind === b?.kind;
  const all = new Set([...before.files.keys(), ...after.files.keys()]);
  return new Set([...all].filter((file) => !isSame(before.files.get(file), after.files.get(file))));
}

/** The touched files, then those that take a tag from one beside them, and files of variables last. */
export function unitsOf(
  touched: ReadonlySet<string>,
  [before, after]: readonly [PinTree, PinTree],
  renamed: ReadonlyMap<string, string>,
): readonly Unit[] {
  const former = new Map([...renamed].map(([old, now]) => [now, old]));
  const files = new Set(touched);
  for (const file of filesThatTakeFrom(touched, [before, after])) files.add(file);
  return [...files]
    .filter((file) => !(renamed.has(file) && !after.files.has(file)))
    .toSorted((a, b) => Number(isEnv(a)) - Number(isEnv(b)))
    .map((file) => {
      const old = before.files.has(file) ? file : former.get(file);
      return {
        file,
        before: old !== undefined && before.files.has(old) ? old : undefined,
        after: after.files.has(file) ? file : undefined,
      };
    });
}

/** Compose files beside a `.env`, and of a chart its values where its parts change, and the other way round. */
function filesThatTakeFrom(
  touched: ReadonlySet<string>,
  trees: readonly [PinTree, PinTree],
): readonly string[] {
  const ofEnv = new Set([...touched].filter(isEnv).map(folderOf));
  const ofChart = new Set(
    [...touched].flatMap((file) =>
      trees
        .flatMap((tree) => chartsAround(tree, folderOf(file)))
        .filter((chart) => isPartOfChart(chart, file) || file === `${chart}values.yaml`),
    ),
  );
  const takes = (file: string) => {
    const folder = folderOf(file);
    if (ofEnv.has(folder) && isYaml(file)) return true;
    if (ofChart.has(folder) && chartFiles.test(file)) return true;
    return isValuesFile(file) && foldersAround(file).some((around) => ofChart.has(around));
  };
  if (ofEnv.size + ofChart.size === 0) return [];
  return trees.flatMap((tree) => [...tree.files.keys()].filter(takes));
}

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
