import { posix } from 'node:path';
import { isMap, type YAMLMap } from 'yaml';
import { inParallel } from '../../read/files/in-parallel.js';
import { readIfYaml } from '../found-pins.js';
import { isComposeFile } from '../kinds/variables.js';
import { isYaml } from '../kinds/yaml.js';
import { isDeployed, isSourceCode } from '../names/no-deployment.js';
import {
  addNamesTaken,
  namesLightdash,
  namesUsedIn,
  once,
  referenceIn,
  referenceInCode,
  saysRelease,
  wordsOf,
} from '../names/reference.js';
import { chartsAround, filesWith, folderOf, type PinTree } from '../pin-tree.js';
import { type Entry, entriesOfLines, type IsNear, nearLightdash } from './entries.js';

/** What the files that refer to Lightdash use. */
export interface Uses {
  /** Whether one of them names the file, its folder, or takes it from beside. */
  readonly isUsed: (file: string) => boolean;
  /** Whether one of them names it where it says that something is Lightdash's: then its image may have another name. */
  readonly isOwn: (file: string) => boolean;
  /** Whether it is a module of a program whose object one of them spreads into one that speaks of Lightdash. */
  readonly isSpread: (file: string) => boolean;
  /** The same of an object of Kubernetes, `<kind>/<name>`. */
  readonly isObject: (object: string) => boolean;
  /** Names that their references take a value from, as far as a file could give it. */
  readonly namesAt: (file: string) => ReadonlySet<string>;
  /** The same of those of them that a text of a file names. */
  readonly namesThrough: (file: string, text: string) => readonly string[];
  /** Whether Lightdash's image is that of a service or a container of one of these names, which the file changes. */
  readonly isService: (file: string, names: readonly string[]) => boolean;
  /** Whether a chart that depends on Lightdash's gives it this name: its values stand below it. */
  readonly isAlias: (name: string) => boolean;
  /** Whether a text of a file names one of them, or a folder with one of them. */
  readonly leadsToOne: (file: string, text: string) => boolean;
  /** Whether a text of a file runs one of them with arguments. */
  readonly runsOne: (file: string, text: string) => boolean;
  /** Whether a text may do so, or give a name its value: told at once, and not always right. */
  readonly concerns: (text: string) => boolean;
  /** Whether a text says with which files or profiles docker compose runs one of them. */
  readonly saysHow: (text: string) => boolean;
}

/** A file that refers to Lightdash. */
interface User {
  readonly file: string;
  readonly isCompose: boolean;
  /** Whether it is a script that is told what to do by its arguments. */
  readonly takesArguments: boolean;
  readonly takesFrom: ReadonlySet<string>;
  /** The paths that it may name, and those that it names where it speaks of Lightdash. */
  readonly paths: ReadonlySet<string>;
  readonly ownPaths: readonly string[];
  /** Of a program, the modules whose objects it spreads into one that speaks of Lightdash. */
  readonly spreads: ReadonlySet<string>;
  /** The objects of Kubernetes that it names, each `<kind>/<name>`. */
  readonly objects: readonly string[];
  /** What it calls the services and the containers with an image of Lightdash. */
  readonly services: ReadonlySet<string>;
  /** Of a chart, the names that it gives to Lightdash's. */
  readonly aliases: readonly string[];
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
  const readAll = async (tree: PinTree, files: readonly string[], read: typeof userIn) => {
    await inParallel(files, async (file) => {
      const entry = tree.files.get(file);
      if (entry?.kind !== 'file') return;
      const id = `${file}\0${entry.id}`;
      const reading = seen.get(id) ?? tree.read(entry).then((bytes) => read(file, textOf(bytes)));
      seen.set(id, reading);
      const user = await reading;
      if (user !== undefined) found.add(user);
    });
  };
  for (const tree of trees)
    await readAll(tree, (await filesWith(tree, 'lightdash')).filter(isDeployed), userIn);
  for (const tree of trees) for (const user of await modulesBetween(tree, found)) found.add(user);
  const leads = new Map<string, readonly User[]>();
  for (const user of found) {
    const [folder, ...above] = foldersOf(user.file).toReversed();
    const module = isSourceCode(user.file) ? [withoutEnding(user.file)] : [];
    for (const path of [user.file, ...module, ...(folder === undefined ? [] : [folder])])
      leads.set(path, [...(leads.get(path) ?? []), user]);
    for (const path of above) if (!leads.has(path)) leads.set(path, []);
  }
  // A kustomization changes what it lists, whatever words it has.
  const changing = (file: string, text: string) => (changes.test(text) ? userOf(file, text, []) : undefined);
  for (const tree of trees) {
    if (found.size > 0) await readAll(tree, [...tree.files.keys()].filter(isKustomization), changing);
  }
  const users = [...found].filter(
    ({ file, paths }) => leads.get(file)?.length || [...paths].some((path) => leads.has(path)),
  );
  return usesOf(users, leads, trees);
}

/**
 * Modules without the word, through which a program takes what its references are filled in from, or what it spreads:
 * those that it imports, and those that these import.
 */
async function modulesBetween(tree: PinTree, users: ReadonlySet<User>): Promise<readonly User[]> {
  const between = new Map<string, User>();
  const known = new Set([...users].map(({ file }) => file));
  const modules = new Map(
    [...tree.files.keys()].filter(isSourceCode).map((file) => [withoutEnding(file), file]),
  );
  let from = [...users].filter(
    ({ file, takesFrom, spreads }) => isSourceCode(file) && takesFrom.size + spreads.size > 0,
  );
  for (let round = 0; round < 3; round += 1) {
    const next: User[] = [];
    for (const { paths, takesFrom, spreads } of from) {
      for (const path of paths) {
        const file = modules.get(withoutEnding(path)) ?? modules.get(`${path}/index`);
        const entry = file === undefined ? undefined : tree.files.get(file);
        if (file === undefined || entry?.kind !== 'file' || known.has(file)) continue;
        known.add(file);
        const text = textOf(await tree.read(entry));
        const isSpread = spreads.has(path);
        if (!isSpread && ![...takesFrom].some((name) => text.includes(name))) continue;
        const lines = entriesOfLines(text);
        const names = new Set(takesFrom);
        addNamesTaken(names, lines);
        const further = isSpread ? spreadIn(file, text, lines) : new Set<string>();
        const user = { ...userOf(file, text, lines), takesFrom: names, spreads: further };
        between.set(file, user);
        next.push(user);
      }
    }
    from = next;
  }
  return [...between.values()];
}

const isKustomization = (file: string) => /(?:^|\/)kustomization(?:\.ya?ml)?$/i.test(file);
const changes = /^(?:replacements|vars|configMapGenerator|patches\w*|transformers|components)\b/m;

/** Whether a text may concern one of the users, and whether it says how compose runs one: by its words alone. */
function tellsBy(
  users: readonly User[],
  leads: ReadonlyMap<string, readonly User[]>,
): Pick<Uses, 'concerns' | 'saysHow'> {
  const words = new Set([
    ...[...leads.keys()].map((path) => posix.basename(path)),
    ...users.flatMap(({ takesFrom, aliases }) => [...takesFrom, ...aliases]),
    ...users.flatMap(({ objects }) => objects.map((object) => posix.basename(object))),
  ]);
  const concern = new RegExp([...words].map((one) => one.replaceAll(/[^\w]/g, '\\$&')).join('|') || '(?!)');
  const how = users.some(({ isCompose }) => isCompose) ? /--env-file|--profile|COMPOSE_[A-Z]+/ : /(?!)/;
  return { concerns: (text) => concern.test(text) || how.test(text), saysHow: (text) => how.test(text) };
}

function usesOf(
  users: readonly User[],
  leads: ReadonlyMap<string, readonly User[]>,
  trees: readonly PinTree[],
): Uses {
  const named = new Set(users.flatMap(({ paths }) => [...paths]));
  const own = new Set(users.flatMap(({ ownPaths }) => ownPaths));
  const spread = new Set(users.flatMap(({ spreads }) => [...spreads]));
  const objects = new Set(users.flatMap((user) => user.objects));
  const aliases = new Set(users.flatMap((user) => user.aliases));
  const charts = new Set(
    users.flatMap(({ file }) => trees.flatMap((tree) => chartsAround(tree, folderOf(file)))),
  );
  const beside = users.map((user) => ({ ...user, folder: folderOf(user.file), room: roomOf(user.file) }));
  // What `name.d` has is added to the unit `name`.
  const isOwn = (file: string) =>
    waysTo(file).some((path) => own.has(path)) ||
    foldersOf(file).some((folder) => folder.endsWith('.d') && leads.has(folder.slice(0, -2)));
  const isUsed = (file: string) =>
    isOwn(file) ||
    waysTo(file).some((path) => named.has(path)) ||
    (!commonNames.test(file) && named.has(`*/${posix.basename(file)}`)) ||
    [...charts].some((chart) => isInChart(chart, file)) ||
    beside.some((user) => takesFromBeside(user, file));
  return {
    isUsed,
    isOwn,
    isSpread: (file) =>
      [file, withoutEnding(file), folderOf(file).slice(0, -1)].some((path) => spread.has(path)),
    isObject: (object) => objects.has(object),
    namesAt: (file) => {
      const [ways, room] = [waysTo(file), roomOf(file)];
      const taken = beside.flatMap((user) => {
        const isNear =
          file.startsWith(user.folder) ||
          user.folder.startsWith(folderOf(file)) ||
          (room !== undefined && room === user.room) ||
          ways.some((path) => user.paths.has(path));
        return [...user.takesFrom].filter((name) => isNear || isDistinct(name));
      });
      return new Set(taken);
    },
    namesThrough: (file, text) =>
      pathsIn(text, folderOf(file)).flatMap((path) =>
        (leads.get(path) ?? []).flatMap(({ takesFrom }) => [...takesFrom]),
      ),
    isService: (file, names) =>
      beside.some(
        ({ folder, services }) =>
          names.some((name) => services.has(name)) && (folder === folderOf(file) || isUsed(file)),
      ),
    isAlias: (name) => aliases.has(name),
    ...tellsBy(users, leads),
    runsOne: (file, text) =>
      pathsIn(text, folderOf(file)).some((path) =>
        leads.get(path)?.some((user) => user.file === path && user.takesArguments),
      ),
    leadsToOne: (file, text) => pathsIn(text, folderOf(file)).some((path) => leads.has(path)),
  };
}

/** Where nothing refers to Lightdash. */
export const noUses = usesOf([], new Map(), []);

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function userIn(file: string, text: string): User | undefined {
  const lines = entriesOfLines(text);
  const referenceOf = once(isSourceCode(file) ? referenceInCode : referenceIn);
  const references = lines.filter(({ key, value }) => referenceOf(`${key}=${value}`) === 'release');
  const isByName = !isSourceCode(file) && deploys.test(text);
  const user = userOf(file, text, lines, references);
  const isUser = references.length > 0 || (isByName && namesLightdash(text)) || user.spreads.size > 0;
  return isUser ? user : undefined;
}

/** The modules of a program whose objects are spread: into any, or into those near some lines. */
function spreadIn(
  file: string,
  text: string,
  lines: readonly Entry[],
  isNear: IsNear = () => true,
): ReadonlySet<string> {
  if (!isSourceCode(file) || !spreading.test(text)) return new Set();
  const spread = lines
    .filter((line) => isNear(line, 3))
    .flatMap(({ value }) => [...value.matchAll(spreads)].flatMap((match) => match.slice(1)))
    .join(' ');
  const from = [...text.matchAll(imports)].filter(([, bound, , called]) =>
    (bound ?? called ?? '').match(/\w+/g)?.some((name) => new RegExp(`\\b${name}\\b`).test(spread)),
  );
  return new Set(
    [...from.map((match) => match[2] ?? match[4] ?? ''), spread].flatMap((path) =>
      pathsIn(path, folderOf(file)),
    ),
  );
}

const spreading = /\.\.\.|\*\*|\b(?:assign|merge|defaults|extend)/;
const spreads =
  /(?:\.{3}|\*\*)\(?((?:await\s+)?\w+(?:\([^)]*\))?)|\b(?:assign|merge|defaults|extend)\w*\(([^)]*)/gi;
/** What is bound, and the module it is bound to. */
const imports =
  /\bimport\s+(?:type\s+)?([^'";]*?)\s+from\s+["']([^"']+)["']|\b(?:const|let|var)\s+([^=;]*?)\s*=\s*(?:await\s+)?(?:require|import)\(\s*["']([^"']+)["']/g;

/** Words of files that deploy something. */
const deploys = /image|tag|version|chart|kind|container|extends|roles|module|patches|resources/i;

function userOf(
  file: string,
  text: string,
  lines: readonly Entry[],
  references: readonly Entry[] = [],
): User {
  const takesFrom = new Set(references.flatMap(({ value }) => namesUsedIn(value)));
  if (isTerraform.test(file)) for (const name of namesInBlocks(lines, references)) takesFrom.add(name);
  addNamesTaken(takesFrom, lines);
  const isCompose = isYaml(file) && /^["']?services["']?\s*:/m.test(text);
  const folder = folderOf(file);
  // A path that has the word says nothing of those beside it.
  const isAbout = once((text: string) => namesLightdash(text.replaceAll(/[\w.@~-]*[./][\w./@~-]*/g, '')));
  const aboutLightdash = lines.filter(({ path, value }) => path.some(namesLightdash) || isAbout(value));
  const packages = isSourceCode(file) ? [...text.matchAll(/["']@[\w-]+\/([\w-]+)["']/g)] : [];
  const images = references.filter(({ key }) => isCompose && key === 'image');
  return {
    ...{ file, takesFrom, isCompose },
    takesArguments: /\$\{?[1-9@*]|\bargv\b/i.test(text),
    paths: new Set([...pathsIn(text, folder), ...packages.map(([, name = '']) => `@/${name}`)]),
    ownPaths: [...new Set(aboutLightdash.map(({ value }) => value))].flatMap((value) =>
      pathsIn(value, folder),
    ),
    objects: isYaml(file) && /kind|configMap/.test(text) ? objectsIn(text, file) : [],
    spreads: namesLightdash(text) ? spreadIn(file, text, lines, nearLightdash(lines)) : new Set(),
    services: new Set([
      ...images.map(({ path }) => path.at(-2)?.replace(/:$/, '') ?? ''),
      ...[...text.matchAll(container)].map(([, name = '']) => name),
    ]),
    aliases: /\balias:/.test(text) ? aliasesIn(text, file) : [],
  };
}

const isTerraform = /\.(?:tf|tofu|hcl)$/;

/** What the blocks of Terraform that refer to Lightdash take a release from, said by itself or by the line before. */
function namesInBlocks(lines: readonly Entry[], references: readonly Entry[]): readonly string[] {
  const blocks = new Set(references.map(({ path }) => path[0]));
  const saysOne = (line: Entry | undefined) =>
    wordsOf(`${line?.key} ${line?.value}`).some((word) => saysRelease.has(word));
  return lines.flatMap((line, i) => {
    const isSaid = saysOne(line) || (line.key === 'value' && saysOne(lines[i - 1]));
    return blocks.has(line.path[0]) && isSaid ? namesUsedIn(line.value) : [];
  });
}

/** The names that a chart gives to its dependencies on Lightdash's. */
function aliasesIn(text: string, file: string): readonly string[] {
  return (readIfYaml(text, file)?.documents ?? []).flatMap(({ nodes }) =>
    nodes().flatMap(({ node }) => {
      const [name, alias] = isMap(node) ? [node.get('name'), node.get('alias')] : [];
      return typeof alias === 'string' && namesLightdash(String(name)) ? [alias] : [];
    }),
  );
}

/** A container in a manifest. */
const container = /\bname:\s*["']?([\w-]+)["']?\s*,?\s*image:\s*["']?[^\s"']*lightdash/gi;

/** The objects that a text refers to, by kind and name: of charts and their sources, values, and what is replaced. */
function objectsIn(text: string, file: string): readonly string[] {
  if (!/chartRef|sourceRef|valuesFrom|substituteFrom|envFrom|configMap|replacements/.test(text)) return [];
  const nameIn = (map: YAMLMap, key: string) => {
    const value = map.get(key);
    return typeof value === 'string' ? value : undefined;
  };
  const documents = readIfYaml(text, file)?.documents ?? [];
  return documents.flatMap(({ nodes }) =>
    nodes().flatMap(({ path, node }) => {
      if (!isMap(node)) return [];
      const kind = /^configMap/.test(path.at(-1) ?? '') ? 'ConfigMap' : nameIn(node, 'kind');
      const name = nameIn(node, 'name');
      return kind === undefined || name === undefined ? [] : [`${kind}/${name}`];
    }),
  );
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
  let words: ReadonlySet<string> | undefined;
  // What a variable leads to is not known: the rest of the path is.
  const plainText = text.replaceAll(/\$\{?\w+\}?\//g, ' ');
  const tokens = plainText.match(/[\w.@~+-]*[\w@~+-](?:\/[\w.@~+-]+)*\/?|\.{1,2}(?:\/[\w.@~+-]+)+\/?/g);
  for (const token of new Set(tokens)) {
    const isPath = token.includes('/') || token.includes('.') || /^[A-Z][A-Z_]+$/.test(token);
    if (!isPath && token !== text) {
      words ??= wholeValuesIn(text);
      if (!words.has(token)) continue;
    }
    for (const path of [posix.join(folder, token), posix.normalize(token)]) {
      const plain = path.replace(/\/$/, '').replace(/^\.\//, '');
      if (plain !== '.' && plain !== '' && !plain.startsWith('..')) found.add(plain);
    }
    if (!token.includes('/')) found.add(`*/${token}`);
  }
  for (const [, module = ''] of text.matchAll(/^\s*(?:from|import)\s+([\w]+(?:\.\w+)+)/gm)) {
    const path = module.replaceAll('.', '/');
    for (const one of [posix.join(folder, path), path]) found.add(one);
  }
  return [...found];
}

/** Plain words that are a value of their own, or those that a kustomization changes, as the name of a folder is. */
function wholeValuesIn(text: string): ReadonlySet<string> {
  const form = /(?:[:=-]\s*|\s-[fk]\s+|chdir=)["']?([\w-]+)["']?[\s,\])}]*$/gm;
  const listed = /^(?:resources|bases|components|transformers):\s*\[(.*)\]/gm;
  return new Set([
    ...[...text.matchAll(form)].map(([, word = '']) => word),
    ...(changes.test(text) ? [...text.matchAll(listed)] : []).flatMap(
      ([, list = '']) => list.match(/[\w-]+/g) ?? [],
    ),
  ]);
}

/** Names that many files have: only a path leads to one of them. */
const commonNames =
  /(?:^|\/)(?:values\.ya?ml|\.env|kustomization\.ya?ml|Chart\.yaml|main\.\w+|index\.\w+|package\.json|README\.\w+|Dockerfile|Makefile|(?:docker-)?compose\.ya?ml|config\.\w+|variables\.tf|outputs\.tf|settings\.\w+)$/i;

function foldersOf(file: string): readonly string[] {
  const parts = file.split('/');
  return parts.slice(0, -1).map((_, i) => parts.slice(0, i + 1).join('/'));
}

/** A project of Ansible: its variables count in all of its roles. */
function roomOf(file: string): string | undefined {
  const parts =
    /^((?:.*?\/)?)(?:roles\/[^/]+\/(?:tasks|templates|defaults|vars|files)|(?:group|host)_vars|vars|templates|tasks|inventor\w*)\//;
  return parts.exec(file)?.[1];
}

/** The paths that lead to a file: its own, as a module, of its folders, and of one of these as a package. */
function waysTo(file: string): readonly string[] {
  const folders = foldersOf(file);
  const packages = isSourceCode(file) ? folders.map((folder) => `@/${posix.basename(folder)}`) : [];
  return [file, withoutEnding(file), ...folders, ...packages];
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
