import { posix } from 'node:path';
import { groupBy } from '../core/common/group-by.js';
import { memoize } from '../core/common/memoize.js';
import { inParallel } from '../read/files/in-parallel.js';
import { largestText } from './names.js';
import { commonNames, foldersOf, isKustomization, pathsIn, waysTo, withoutEnding } from './paths-in.js';
import { isValuesFile } from './pin-pattern.js';
import { chartsAround, decoded, filesWith, folderOf, foldersAround, type PinTree } from './pin-tree.js';
import { inBlocks, type User, userIn, userOf, writesTagIn } from './users.js';
import { isDeployed, isSourceCode } from './what-files-are.js';
import { listsCharts } from './yaml/chart-parts.js';

/** What the files that refer to Lightdash use: what each of them names itself, and no more. */
export interface Uses {
  /** Whether anything refers to Lightdash at all. */
  readonly areAny: boolean;
  /** The releases and digests that the base deploys, as far as what refers to Lightdash shows them. */
  readonly deployed: ReadonlySet<string>;
  /** Whether one of them names the file, its folder, or takes it from beside. */
  readonly isUsed: (file: string) => boolean;
  /** Whether one of them names the file itself. */
  readonly isNamed: (file: string) => boolean;
  /** Names that their references take a value from, as far as the file could give it. */
  readonly namesAt: (file: string) => ReadonlySet<string>;
  /** Whether those that deploy the chart of Lightdash by a name, or the file itself, all write a tag for it. */
  readonly isTagWritten: (file: string, name: string) => boolean;
  /** Whether a program is among them: its modules may give it a release without any name. */
  readonly areInCode: boolean;
  /** Whether a text of a file names one of them, or a folder with one of them. */
  readonly leadsToOne: (file: string, text: string) => boolean;
  /** Whether a text says with which files or profiles docker compose, or for which environment Helmfile, runs one. */
  readonly saysHow: (text: string) => boolean;
  /** Whether a text may do any of that, or give a name its value: told at once, and not always right. */
  readonly concerns: (text: string) => boolean;
}

/** What was read of files that refer to Lightdash, by their path and their contents: undefined of those that do not. */
export type SeenUsers = Map<string, Promise<User | undefined>>;

/**
 * Reads the files of both sides that have the word, and what they use.
 *
 * @param seen what is known already, where many changes of one repository are looked at
 */
export async function readUses(
  trees: readonly [PinTree, PinTree],
  seen: SeenUsers = new Map(),
): Promise<Uses> {
  const readAll = async (tree: PinTree, files: readonly string[], read: typeof userIn) => {
    const found: User[] = [];
    await inParallel(files, async (file) => {
      const entry = tree.files.get(file);
      if (entry?.kind !== 'file') return;
      const id = `${file}\0${entry.id}`;
      const reading = seen.get(id) ?? tree.read(entry).then((bytes) => read(file, decoded(bytes)));
      seen.set(id, reading);
      const user = await reading;
      if (user !== undefined) found.push(user);
    });
    return found;
  };
  const read = async (tree: PinTree) =>
    readAll(tree, (await filesWith(tree, 'lightdash')).filter(isDeployed), userIn);
  const [before, after] = [await read(trees[0]), await read(trees[1])];
  const referring = [...new Set([...before, ...after])];
  const leads = leadsOf(referring);
  // A kustomization changes what it lists, and a chart has what it depends on, whatever words they have.
  const lists = async (tree: PinTree) => readAll(tree, [...tree.files.keys()].filter(listsOthers), listing);
  const listed = referring.length === 0 ? [] : [...(await lists(trees[0])), ...(await lists(trees[1]))];
  const changing = listed.filter(({ file, paths }) =>
    [file, ...(isKustomization(file) ? paths : [folderOf(file).slice(0, -1)])].some((path) =>
      leads.has(path),
    ),
  );
  const users = [...new Set([...referring, ...changing])];
  const tagging = await filesWithTag(users, trees);
  return {
    ...usesOf(users, leadsOf(users), trees),
    deployed: new Set(before.flatMap(({ deployed }) => deployed)),
    isTagWritten: taggedBy(users, tagging),
  };
}

function listsOthers(file: string): boolean {
  return isKustomization(file) || file.endsWith('Chart.yaml');
}

function listing(file: string, written: string): User | undefined {
  const text = inBlocks(file, written);
  return changes.test(text) || text.includes('file://') ? userOf(file, text, []) : undefined;
}

const changes = /^(?:replacements|vars|configMapGenerator|patches\w*|transformers|components)\b/m;

/** The users by the paths that lead to them: their file, as a module too, and their folders. */
type Leads = ReadonlyMap<string, readonly User[]>;

function leadsOf(users: readonly User[]): Leads {
  const led = users.flatMap((user) => {
    const module = isSourceCode(user.file) ? [withoutEnding(user.file)] : [];
    return [user.file, ...module, ...foldersOf(user.file)].map((path) => ({ path, user }));
  });
  return new Map(
    [...groupBy(led, ({ path }) => path)].map(([path, all]) => [path, all.map(({ user }) => user)]),
  );
}

function usesOf(
  users: readonly User[],
  leads: Leads,
  trees: readonly PinTree[],
): Omit<Uses, 'deployed' | 'isTagWritten'> {
  const named = new Set(users.flatMap(({ paths }) => [...paths]));
  /** A submodule, or a link to a folder, has what is named behind it. */
  const around = new Set([...named].flatMap(foldersOf));
  const charts = new Set(
    users.flatMap(({ file }) => trees.flatMap((tree) => chartsAround(tree, folderOf(file)))),
  );
  const isNamed = (file: string) =>
    named.has(file) ||
    (!commonNames.test(file) && named.has(`*/${posix.basename(file)}`)) ||
    charts.has(folderOf(file));
  const isUsed = (file: string) =>
    isNamed(file) || waysTo(file).some((path) => named.has(path)) || around.has(file);
  return {
    areAny: users.length > 0,
    isUsed,
    isNamed,
    namesAt: namesOf(users),
    ...tellsBy(users, leads),
  };
}

/** Whether all that deploy the chart of Lightdash, and take a name or stand in a file, write a tag, or a file of theirs does. */
function taggedBy(users: readonly User[], tagging: ReadonlySet<string>): Uses['isTagWritten'] {
  const deploying = users.filter(({ deploysChart }) => deploysChart);
  const isTagged = ({ file: own, writesTag, paths }: User) =>
    writesTag ||
    [...tagging].some(
      (file) =>
        paths.has(file) ||
        paths.has(folderOf(file).slice(0, -1)) ||
        // The lock of a chart, whose values have the tag.
        (listsCharts.test(own) && isValuesFile(file) && folderOf(file) === folderOf(own)),
    );
  return (file, name) => {
    const taking = deploying.filter(
      (user) => user.file === file || user.takesFrom.has(name) || user.paths.has(file),
    );
    const concerned = taking.length > 0 ? taking : deploying;
    return concerned.every(isTagged);
  };
}

/** The files that write a tag: users, and what those name that deploy the chart without one. */
async function filesWithTag(users: readonly User[], trees: readonly PinTree[]): Promise<ReadonlySet<string>> {
  const found = new Set(users.filter(({ writesTag }) => writesTag).map(({ file }) => file));
  const untagged = users.filter(({ deploysChart, writesTag }) => deploysChart && !writesTag);
  for (const path of new Set(untagged.flatMap(({ paths }) => [...paths]))) {
    const [entry] = trees.flatMap((tree) => tree.files.get(path) ?? []);
    if (found.has(path) || entry?.kind !== 'file' || !/\.(?:ya?ml|json|tfvars|env)$/.test(path)) continue;
    const text = decoded(await trees.find((tree) => tree.files.get(path) === entry)?.read(entry));
    if (text.length <= largestText && writesTagIn(text)) found.add(path);
  }
  return found;
}

/** Whether a text concerns one of the users, runs one, or says how compose does: by its words alone. */
function tellsBy(
  users: readonly User[],
  leads: Leads,
): Pick<Uses, 'concerns' | 'saysHow' | 'leadsToOne' | 'areInCode'> {
  const words = new Set([
    ...[...leads.keys()].map((path) => posix.basename(path)),
    ...users.flatMap(({ takesFrom }) => [...takesFrom].map(lastStep)),
  ]);
  words.delete('');
  const concern = new RegExp([...words].map((one) => one.replaceAll(/[^\w]/g, '\\$&')).join('|') || '(?!)');
  const how = new RegExp(
    [
      ...(users.some(({ isCompose }) => isCompose)
        ? ['--env-file|--profile|COMPOSE_(?:FILE|PROFILES|ENV_FILES)']
        : []),
      ...(users.some(({ file }) => isHelmfile(file))
        ? ['\\bhelmfile\\b.{0,200}\\s(?:-e|--environment)\\b']
        : []),
    ].join('|') || '(?!)',
  );
  const from = memoize((folder) =>
    memoize((text) => pathsIn(text, folder).filter((path) => leads.has(path))),
  );
  const leading = (file: string, text: string) => from(folderOf(file))(text);
  return {
    concerns: (text) => concern.test(text) || how.test(text),
    saysHow: (text) => how.test(text),
    areInCode: users.some(({ file }) => isSourceCode(file)),
    leadsToOne: (file, text) => leading(file, text).length > 0,
  };
}

function lastStep(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** Where nothing refers to Lightdash. */
export const noUses: Uses = {
  ...usesOf([], new Map(), []),
  deployed: new Set(),
  isTagWritten: () => true,
};

/** The names that users take values from, where a file is near one that takes them, by folder or path. */
function namesOf(users: readonly User[]): Uses['namesAt'] {
  const near = new Map<string, Set<string>>();
  const places = ({ file, paths }: User) => [
    `below ${folderOf(file)}`,
    ...foldersAround(file).map((folder) => `in ${folder}`),
    ...[...paths].map((path) => `at ${path}`),
  ];
  for (const user of users) {
    for (const place of user.takesFrom.size === 0 ? [] : places(user)) {
      const known = near.get(place) ?? new Set();
      for (const name of user.takesFrom) known.add(name);
      near.set(place, known);
    }
  }
  return (file) => {
    const at = [
      ...foldersAround(file).map((folder) => `below ${folder}`),
      `in ${folderOf(file)}`,
      ...waysTo(file).map((path) => `at ${path}`),
    ];
    return new Set(at.flatMap((place) => [...(near.get(place) ?? [])]));
  };
}

const isHelmfile = (file: string) => /helmfile/i.test(file);
