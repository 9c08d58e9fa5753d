import { isEnv } from '../kinds/variables.js';
import { chartFiles, isYaml } from '../kinds/yaml.js';
import { isValuesFile } from '../pin-pattern.js';
import {
  chartsAround,
  folderOf,
  foldersAround,
  isPartOfChart,
  type PinTree,
  type TreeFile,
} from '../pin-tree.js';

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
