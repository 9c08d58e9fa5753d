import { posix } from 'node:path';
import { inParallel } from '../read/files/in-parallel.js';
import { entriesOfLines } from './entries.js';
import { isComposeFile } from './kinds/variables.js';
import { isYaml } from './kinds/yaml.js';
import { isDeployed, isSourceCode } from './no-deployment.js';
import { chartsAround, folderOf, type PinTree } from './pin-tree.js';
import { namesLightdash, namesUsedIn, referenceIn, referenceInCode } from './reference.js';

/** What the files that refer to Lightdash use. */
export interface Uses {
  /** Whether one of them names the file, its folder, or takes it from beside. */
  readonly isUsed: (file: string) => boolean;
  /** Names that their references take a value from, as far as a file could give it. */
  readonly namesAt: (file: string) => ReadonlySet<string>;
  /** Whether a text of a file names one of them, or a folder with one of them. */
  readonly leadsToOne: (file: string, text: string) => boolean;
  /** Whether a text may do so, or give a name its value: told at once, and not always right. */
  readonly concerns: (text: string) => boolean;
  /** Whether a text says with which files or profiles docker compose runs one of them. */
  readonly saysHow: (text: string) => boolean;
}

/** A file that refers to Lightdash. */
interface User {
  readonly file: string;
  readonly isCompose: boolean;
  readonly takesFrom: ReadonlySet<string>;
  /** The paths that it may name. */
  readonly paths: readonly string[];
}

/** What was read of files that refer to Lightdash, by their path and their contents: undefined of those that do not. */
export type SeenUsers = Map<string, Promise<User | undefined>>;

/**
 * Reads the files of both sides that have the word, and what they use.
 *
 * @param seen what is known already, where many changes of one repository are looked at
 */
export async function readUses(trees: readonly PinTree[], seen: SeenUsers = new Map()): Promise<Uses> {
  const found = new Set<User>();
  for (const tree of trees) {
    const files = (await filesWithTheWord(tree)).filter(isDeployed);
    await inParallel(files, async (file) => {
      const entry = tree.files.get(file);
      if (entry?.kind !== 'file') return;
      const id = `${file}\0${entry.id}`;
      const reading = seen.get(id) ?? tree.read(entry).then((bytes) => userIn(file, bytes));
      seen.set(id, reading);
      const user = await reading;
      if (user !== undefined) found.add(user);
    });
  }
  const users = [...found];
  const named = new Set(users.flatMap(({ paths }) => paths));
  const leads = new Set(users.flatMap(({ file }) => [file, ...foldersOf(file)]));
  const charts = new Set(
    users.flatMap(({ file }) => trees.flatMap((tree) => chartsAround(tree, folderOf(file)))),
  );
  const taken = users.flatMap(({ takesFrom }) => [...takesFrom]);
  const isCompose = users.some((user) => user.isCompose);
  const words = new Set([...[...leads].map((path) => posix.basename(path)), ...taken]);
  const concern = new RegExp([...words].map((one) => one.replaceAll(/[^\w]/g, '\\$&')).join('|') || '(?!)');
  const how = isCompose ? /--env-file|--profile|COMPOSE_[A-Z]+/ : /(?!)/;
  const beside = users.map((user) => ({ ...user, folder: folderOf(user.file) }));
  return {
    isUsed: (file) =>
      [file, withoutEnding(file), ...foldersOf(file)].some((path) => named.has(path)) ||
      (!commonNames.test(file) && named.has(`*/${posix.basename(file)}`)) ||
      [...charts].some((chart) => isInChart(chart, file)) ||
      beside.some((user) => takesFromBeside(user, file)),
    namesAt: (file) =>
      new Set(
        beside.flatMap(({ folder, takesFrom }) => {
          const isNear = file.startsWith(folder) || folder.startsWith(folderOf(file));
          return [...takesFrom].filter((name) => isNear || isDistinct(name));
        }),
      ),
    concerns: (text) => concern.test(text) || how.test(text),
    saysHow: (text) => how.test(text),
    leadsToOne: (file, text) => pathsIn(text, folderOf(file)).some((path) => leads.has(path)),
  };
}

function userIn(file: string, bytes: Uint8Array): User | undefined {
  const text = new TextDecoder().decode(bytes);
  const lines = entriesOfLines(text);
  const referenceOf = isSourceCode(file) ? referenceInCode : referenceIn;
  const references = lines.filter(({ key, value }) => referenceOf(`${key}=${value}`) === 'release');
  const isByName = !isSourceCode(file) && /image|tag|version|chart/i.test(text);
  if (references.length === 0 && !(isByName && namesLightdash(text))) return undefined;
  const takesFrom = new Set(references.flatMap(({ value }) => namesUsedIn(value)));
  // What gives a name its value may take it from another one.
  for (let i = 0; i < 3; i += 1) {
    for (const { key, value } of lines) {
      if (takesFrom.has(key)) for (const name of namesUsedIn(value)) takesFrom.add(name);
    }
  }
  const isCompose = isYaml(file) && /^["']?services["']?\s*:/m.test(text);
  return { file, takesFrom, isCompose, paths: pathsIn(text, folderOf(file)) };
}

async function filesWithTheWord(tree: PinTree): Promise<readonly string[]> {
  if (tree.filesWith !== undefined) return tree.filesWith('lightdash');
  const files: string[] = [];
  for (const [name, entry] of tree.files) {
    if (entry.kind !== 'file') continue;
    if (namesLightdash(new TextDecoder().decode(await tree.read(entry)))) files.push(name);
  }
  return files;
}

/** A name that only one thing has, other than `tag` and `VERSION`. */
function isDistinct(name: string): boolean {
  return (
    name.length > 5 &&
    /[_A-Z-]/.test(name.slice(1)) &&
    !/^(?:APP_|DOCKER_)?(?:IMAGE_)?(?:VERSION|IMAGE|TAG|image_?tag|IMAGE_TAG)$/i.test(name)
  );
}

/** The paths that a text may name, from the root: from the folder of its file, and from the root. */
function pathsIn(text: string, folder: string): readonly string[] {
  const found = new Set<string>();
  // What a variable leads to is not known: the rest of the path is.
  const plainText = text.replaceAll(/\$\{?\w+\}?\//g, ' ');
  for (const [token] of plainText.matchAll(
    /[\w.@~+-]*[\w@~+-](?:\/[\w.@~+-]+)*\/?|\.{1,2}(?:\/[\w.@~+-]+)+\/?/g,
  )) {
    const isPath = token.includes('/') || token.includes('.') || /^[A-Z][A-Z_]+$/.test(token);
    if (!isPath && token !== text && !isWholeValue(text, token)) continue;
    for (const path of [posix.join(folder, token), posix.normalize(token)]) {
      const plain = path.replace(/\/$/, '').replace(/^\.\//, '');
      if (plain !== '.' && plain !== '' && !plain.startsWith('..')) found.add(plain);
    }
    if (!token.includes('/')) found.add(`*/${token}`);
  }
  return [...found];
}

const wholeValues = new Map<string, ReadonlySet<string>>();

/** Whether a plain word is a value of its own, as the name of a folder is. */
function isWholeValue(text: string, token: string): boolean {
  let words = wholeValues.get(text);
  if (words === undefined) {
    words = new Set(
      [...text.matchAll(/(?:[:=-]\s*|\s-[fk]\s+|chdir=)["']?([\w-]+)["']?[\s,\])}]*$/gm)].map(
        ([, word = '']) => word,
      ),
    );
    wholeValues.clear();
    wholeValues.set(text, words);
  }
  return words.has(token);
}

/** Names that many files have: only a path leads to one of them. */
const commonNames =
  /(?:^|\/)(?:values\.ya?ml|\.env|kustomization\.ya?ml|Chart\.yaml|main\.\w+|index\.\w+|package\.json|README\.\w+|Dockerfile|Makefile|(?:docker-)?compose\.ya?ml|config\.\w+|variables\.tf|outputs\.tf|settings\.\w+)$/i;

function foldersOf(file: string): readonly string[] {
  const parts = file.split('/');
  return parts.slice(0, -1).map((_, i) => parts.slice(0, i + 1).join('/'));
}

function withoutEnding(file: string): string {
  return file.replace(/\.\w+$/, '');
}

function isInChart(chart: string, file: string): boolean {
  return (
    file.startsWith(chart) &&
    /^(?:Chart\.|requirements\.|charts\/|values[^/]*$|templates\/)/.test(file.slice(chart.length))
  );
}

/** What programs take without being told: variables and overrides of compose, the rest of a Terraform module. */
function takesFromBeside(
  { file, folder, isCompose }: User & { readonly folder: string },
  other: string,
): boolean {
  if (folderOf(other) !== folder || other === file) return false;
  const name = other.slice(folder.length);
  if (isCompose) return /^\.env|\.env$/.test(name) || isComposeFile(name);
  const isOf = (form: RegExp) => form.test(file) && form.test(other);
  return (
    isOf(/\.tf(?:vars)?(?:\.json)?$/) ||
    isOf(/kustomiz/i) ||
    isOf(/helmfile/i) ||
    isOf(/\.(?:hcl|nomad|pkr\.hcl)$/)
  );
}
