import { posix } from 'node:path';
import { groupBy } from '../../core/group-by.js';
import { once, oncePer } from '../../core/once.js';
import { inParallel } from '../../read/files/in-parallel.js';
import { type Entry, entriesOfLines } from '../entries.js';
import { isComposeFile } from '../kinds/variables.js';
import { isDeployed, isSourceCode } from '../names/no-deployment.js';
import { isNameOfAnother } from '../names/other-programs.js';
import { addNamesTaken } from '../names/reference.js';
import { chartsAround, decoded, filesWith, folderOf, foldersAround, type PinTree } from '../pin-tree.js';
import { buildersIn } from './builders.js';
import {
  changes,
  commonNames,
  foldersOf,
  isKustomization,
  locks,
  pathsIn,
  roomOf,
  runsOthers,
  waysTo,
  withoutEnding,
} from './paths-in.js';
import { inBlocks, isTerraform, namesOfRelease, spreadIn, type User, userIn, userOf } from './users.js';

/** What the files that refer to Lightdash use. */
export interface Uses {
  /** Whether one of them names the file, its folder, or takes it from beside. */
  readonly isUsed: (file: string) => boolean;
  /** Whether one of them names the file, or its folder. */
  readonly isNamed: (file: string) => boolean;
  /** Whether a file is the same on both sides. */
  readonly isUntouched: (file: string) => boolean;
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
  /** Whether what is called Lightdash has an image of this name. */
  readonly isImage: (name: string) => boolean;
  /** Whether a chart that depends on Lightdash's gives it this name: its values stand below it. */
  readonly isAlias: (name: string) => boolean;
  /** Whether a path of values says whether the chart of Lightdash is installed, where a chart depends on it. */
  readonly isSwitch: (path: string) => boolean;
  /** Whether the values of a file have below this name what another chart is given, beside that of Lightdash. */
  readonly isOtherPart: (file: string, name: string) => boolean;
  /** Whether a script asks for an entry of a file, for Lightdash. */
  readonly isAskedFor: (file: string, entry: Entry) => boolean;
  /** Whether a name gives nothing but images of other programs their tag, in all of those that use it. */
  readonly isOfAnother: (name: string) => boolean;
  /** Whether a text of a file names one of them, or a folder with one of them. */
  readonly leadsToOne: (file: string, text: string) => boolean;
  /** Whether a text of a file runs one of them with arguments. */
  readonly runsOne: (file: string, text: string) => boolean;
  /** Whether a text may do so, or give a name its value: told at once, and not always right. */
  readonly concerns: (text: string) => boolean;
  /** Whether a text says with which files or profiles docker compose, or for which environment Helmfile, runs one of them. */
  readonly saysHow: (text: string) => boolean;
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
      const reading = seen.get(id) ?? tree.read(entry).then((bytes) => read(file, decoded(bytes)));
      seen.set(id, reading);
      const user = await reading;
      if (user !== undefined) found.add(user);
    });
  };
  const having = await Promise.all(trees.map((tree) => filesWith(tree, 'lightdash')));
  for (const [i, tree] of trees.entries()) await readAll(tree, (having[i] ?? []).filter(isDeployed), userIn);
  for (const tree of trees) {
    for (const user of await modulesBetween(tree, found)) found.add(user);
    for (const user of await templatesBeside(tree, found)) found.add(user);
    for (const user of await buildersIn(tree, found)) found.add(user);
  }
  const led = [...found].flatMap((user) => {
    const module = isSourceCode(user.file) ? [withoutEnding(user.file)] : [];
    return [user.file, ...module, ...user.asks, ...foldersOf(user.file)].map((path) => ({ path, user }));
  });
  const leads = new Map<string, readonly User[]>(
    [...groupBy(led, ({ path }) => path)].map(([path, all]) => [path, all.map(({ user }) => user)]),
  );
  // A kustomization changes what it lists, and a chart has what it depends on, whatever words they have.
  const changing = (file: string, written: string) => {
    const text = inBlocks(file, written);
    return changes.test(text) || text.includes('file://') ? userOf(file, text, []) : undefined;
  };
  const isList = (file: string) => isKustomization(file) || file.endsWith('Chart.yaml');
  for (const tree of trees)
    if (found.size > 0) await readAll(tree, [...tree.files.keys()].filter(isList), changing);
  const ways = ({ file, paths }: User) =>
    isKustomization(file) ? [...paths] : [folderOf(file).slice(0, -1)];
  const leading = [...found].filter((user) => [user.file, ...ways(user)].some((path) => leads.has(path)));
  // What an overlay gives a name may be taken by the replacements of a component that it lists.
  const listed = new Set(leading.flatMap(({ file, paths }) => (isKustomization(file) ? [...paths] : [])));
  const isListed = ({ file }: User) => isKustomization(file) && listed.has(posix.dirname(file));
  const users = [...new Set([...leading, ...[...found].filter(isListed)])];
  for (const user of users) if (isKustomization(user.file) && user.takesFrom.size > 0) lead(leads, user);
  return usesOf(users, leads, trees, found.size === 0 ? [] : await fedIn(trees, leads, seen));
}

/** What a script, a pipeline or a module names beside a user: it may give that one its values. */
interface Fed extends Pick<User, 'takesFrom'> {
  readonly paths: readonly string[];
}

/** Those that hand on what they are given lead to the users, too. */
interface Script {
  readonly file: string;
  readonly text: string;
  readonly paths: readonly string[];
}

const scriptsOf = oncePer((_: SeenUsers) => new Map<string, Promise<Script>>());

function scriptIn(file: string, text: string): Script {
  // A block of Terraform gives values to a module alone.
  const paths = isTerraform.test(file) && !/\bsource\s*=/.test(text) ? [] : pathsIn(text, folderOf(file));
  return { file, text, paths };
}

async function fedIn(
  trees: readonly PinTree[],
  leads: Map<string, readonly User[]>,
  seen: SeenUsers,
): Promise<readonly Fed[]> {
  const files = new Map(
    trees.flatMap((tree) =>
      [...tree.files]
        .filter(([file, { kind }]) => kind === 'file' && runsOthers.test(file))
        .map(([file, entry]) => [`${file}\0${entry.id}`, { file, read: () => tree.read(entry) }]),
    ),
  );
  const scripts = scriptsOf(seen);
  const texts = await inParallel([...files], async ([id, { file, read }]) => {
    const reading = scripts.get(id) ?? read().then((bytes) => scriptIn(file, decoded(bytes)));
    scripts.set(id, reading);
    return { id, ...(await reading) };
  });
  const fed = new Map<string, Fed>();
  for (let round = 0, known = -1; round < 3 && fed.size > known; round += 1) {
    known = fed.size;
    const taken = takenAt(leads);
    for (const { id, file, text, paths } of texts) {
      const own = fed.has(id) ? [] : paths.flatMap(taken);
      if (own.length === 0) continue;
      const lines = entriesOfLines(text);
      const takesFrom = new Set(own);
      const given = takesFrom.size;
      addNamesTaken(takesFrom, lines);
      fed.set(id, { paths, takesFrom });
      if (takesFrom.size === given) continue;
      lead(leads, { ...userOf(file, text, lines), takesFrom });
    }
  }
  return [...fed.values()];
}

/** Adds the ways to a user that hands on what it is given: its file and its folder. */
function lead(leads: Map<string, readonly User[]>, user: User): void {
  for (const path of [user.file, folderOf(user.file).slice(0, -1)])
    if (path !== '') leads.set(path, [...(leads.get(path) ?? []), user]);
}

/** The names that the users behind a path take values from. */
function takenAt(leads: ReadonlyMap<string, readonly User[]>): (path: string) => readonly string[] {
  return once((path) => [...new Set((leads.get(path) ?? []).flatMap(({ takesFrom }) => [...takesFrom]))]);
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
        const text = decoded(await tree.read(entry));
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

/** Templates without the word that stand beside what refers to Lightdash, as the values of a chart in Helmfile do. */
async function templatesBeside(tree: PinTree, users: ReadonlySet<User>): Promise<readonly User[]> {
  const known = new Set([...users].map(({ file }) => file));
  const files = new Set([...users].flatMap(({ pathsBeside }) => pathsBeside));
  const found: User[] = [];
  for (const file of files) {
    const entry = tree.files.get(file);
    if (entry?.kind !== 'file' || known.has(file) || isSourceCode(file) || !isDeployed(file)) continue;
    const text = decoded(await tree.read(entry));
    if (!/\{\{|\$\{/.test(text)) continue;
    const lines = entriesOfLines(text);
    found.push({ ...userOf(file, text, lines), takesFrom: new Set(namesOfRelease(lines)) });
  }
  return found;
}

/** Whether a text may concern one of the users, and whether it runs one, or says how compose does: by its words alone. */
function tellsBy(
  users: readonly User[],
  leads: ReadonlyMap<string, readonly User[]>,
  leading: Leading,
  fed: readonly Fed[],
): Pick<Uses, 'concerns' | 'saysHow' | 'runsOne' | 'isSwitch'> {
  const switches = new Set(users.flatMap((user) => user.switches));
  const words = new Set([
    ...[...leads.keys()].map((path) => posix.basename(path)),
    ...[...users, ...fed].flatMap(({ takesFrom }) => [...takesFrom].map(lastStep)),
    ...users.flatMap((user) => [...user.aliases, ...user.switches.map(lastStep)]),
    ...users.flatMap(({ objects }) => objects.map((object) => posix.basename(object))),
  ]);
  const concern = new RegExp([...words].map((one) => one.replaceAll(/[^\w]/g, '\\$&')).join('|') || '(?!)');
  const how = new RegExp(
    [
      ...(users.some(({ isCompose }) => isCompose) ? ['--env-file|--profile|COMPOSE_[A-Z]+'] : []),
      ...(users.some(({ file }) => isHelmfile(file)) ? ['\\bhelmfile\\b.*\\s(?:-e|--environment)\\b'] : []),
    ].join('|') || '(?!)',
  );
  const isToldMore = ({ file, takesArguments, takesFrom }: User) =>
    takesArguments || (takesFrom.size > 0 && !/\.(?:ya?ml|json|toml|tf\w*|hcl|nomad)$/.test(file));
  const called = users.filter(({ takesArguments }) => takesArguments).flatMap(({ functions }) => functions);
  const runnable = [
    ...called.map((name) => new RegExp(`(?:^|[\\s;&|])${name}\\s`)),
    ...runners.flatMap(([file, command]) =>
      users.some((user) => file.test(user.file) && isToldMore(user)) ? [command] : [],
    ),
  ];
  const concerning = [concern, how, ...runnable];
  return {
    isSwitch: (path) => switches.has(path),
    concerns: (text) => concerning.some((one) => one.test(text)),
    saysHow: (text) => how.test(text),
    runsOne: (file, text) =>
      leading(file, text).some((path) =>
        leads.get(path)?.some((user) => user.file === path && isToldMore(user)),
      ) || runnable.some((command) => command.test(text)),
  };
}

function lastStep(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** The paths to one of the users that a text of a file names. */
type Leading = (file: string, text: string) => readonly string[];

/** Each text of a folder is read once, whatever is asked of it. */
function leadingTo(leads: ReadonlyMap<string, readonly User[]>): Leading {
  const from = once((folder) => once((text) => pathsIn(text, folder).filter((path) => leads.has(path))));
  return (file, text) => from(folderOf(file))(text);
}

function usesOf(
  users: readonly User[],
  leads: ReadonlyMap<string, readonly User[]>,
  trees: readonly PinTree[],
  fed: readonly Fed[],
): Uses {
  const named = new Set(users.flatMap(({ paths }) => [...paths]));
  /** A submodule, or a link to a folder, has what is named behind it. */
  const around = new Set([...named].flatMap(foldersOf));
  const own = new Set(users.flatMap(({ ownPaths }) => ownPaths));
  const spread = new Set(users.flatMap(({ spreads }) => [...spreads]));
  const objects = new Set(users.flatMap((user) => user.objects));
  const aliases = new Set(users.flatMap((user) => user.aliases));
  const images = new Set(users.flatMap((user) => user.images));
  const charts = new Set(
    users.flatMap(({ file }) => trees.flatMap((tree) => chartsAround(tree, folderOf(file)))),
  );
  const leading = leadingTo(leads);
  const taken = takenAt(leads);
  const beside = groupBy(users, ({ file }) => folderOf(file));
  const foldersOfService = groupBy(
    users.flatMap(({ file, services }) => [...services].map((name) => ({ name, folder: folderOf(file) }))),
    ({ name }) => name,
  );
  const namesOfOthers = new Set(users.flatMap((user) => [...user.namesOfOthers]));
  const ownNames = new Set(
    users.flatMap((user) => [...user.names].filter((one) => !user.namesOfOthers.has(one))),
  );
  // What `name.d` has is added to the unit `name`.
  const isOwn = (file: string) =>
    waysTo(file).some((path) => own.has(path)) ||
    foldersOf(file).some((folder) => folder.endsWith('.d') && leads.has(folder.slice(0, -2)));
  const isNamed = namedBy(named);
  const isUsed = (file: string) =>
    isOwn(file) ||
    isNamed(file) ||
    around.has(file) ||
    foldersAround(file).some((folder) => charts.has(folder) && isInChart(folder, file)) ||
    (beside.get(folderOf(file)) ?? []).some((user) => takesFromBeside(user, file));
  return {
    isUsed,
    isNamed,
    isUntouched: (file) => {
      const [before, after] = trees.map((tree) => tree.files.get(file)?.id);
      return before !== undefined && before === after;
    },
    isOwn,
    isSpread: (file) =>
      [file, withoutEnding(file), folderOf(file).slice(0, -1)].some((path) => spread.has(path)),
    isObject: (object) => objects.has(object),
    namesAt: namesOf(users, fed),
    namesThrough: (file, text) => leading(file, text).flatMap(taken),
    isService: (file, names) =>
      names
        .flatMap((name) => foldersOfService.get(name) ?? [])
        .some(({ folder }) => folder === folderOf(file) || isUsed(file)),
    isImage: (name) => images.has(name),
    isAlias: (name) => aliases.has(name),
    isOtherPart: (file, name) =>
      !aliases.has(name) &&
      foldersAround(file).some((folder) =>
        beside.get(folder)?.some((user) => user.otherParts.includes(name)),
      ),
    isAskedFor: asking(users),
    isOfAnother: (name) => namesOfOthers.has(name) && !ownNames.has(name),
    ...tellsBy(users, leads, leading, fed),
    leadsToOne: (file, text) => leading(file, text).length > 0,
  };
}

function namedBy(paths: ReadonlySet<string>): Uses['isNamed'] {
  return (file) =>
    waysTo(file).some((path) => paths.has(path)) ||
    (!commonNames.test(file) && paths.has(`*/${posix.basename(file)}`));
}

function asking(users: readonly User[]): Uses['isAskedFor'] {
  const asked = groupBy(
    users.flatMap((user) => user.asked.flatMap((one) => one.paths.map((path) => ({ path, ...one })))),
    ({ path }) => path,
  );
  if (asked.size === 0) return () => false;
  const askedIn = once((file) =>
    [...waysTo(file), `*/${posix.basename(file)}`].flatMap((way) => asked.get(way) ?? []),
  );
  return (file, entry) => askedIn(file).some(({ matches }) => matches(entry));
}

/** Files that a command runs without naming them, with what stands behind. */
const runners: readonly (readonly [RegExp, RegExp])[] = [
  [/(?:^|\/)\.?justfile$/i, /\bjust\s/],
  [/(?:^|\/)Taskfile\.ya?ml$/i, /\btask\s.*\s--\s/],
  [/(?:^|\/)package\.json$/, /\b(?:npm|yarn|pnpm|bun)\s+run\s/],
  [/(?:^|\/)(?:fabfile|tasks)\.py$/, /\b(?:fab|inv|invoke)\s/],
  [/(?:^|\/)Rakefile$/i, /\brake\s/],
  [/(?:^|\/)Earthfile$/, /\bearthly\s/],
];

/** Where nothing refers to Lightdash. */
export const noUses = usesOf([], new Map(), [], []);

/** The names that users take values from: each where it is distinct, else near one that takes it, by folder or path. */
function namesOf(users: readonly User[], fed: readonly Fed[]): Uses['namesAt'] {
  const distinct = new Set(users.flatMap(({ takesFrom }) => [...takesFrom].filter(isDistinct)));
  const near = new Map<string, Set<string>>();
  const add = (takesFrom: ReadonlySet<string>, places: readonly string[]) => {
    const names = [...takesFrom].filter((name) => !isDistinct(name));
    for (const place of names.length === 0 ? [] : places) {
      const known = near.get(place) ?? new Set();
      for (const name of names) known.add(name);
      near.set(place, known);
    }
  };
  const at = (paths: Iterable<string>) => [...paths].map((path) => `at ${path}`);
  for (const { file, takesFrom, paths } of users) {
    const around = foldersAround(file).map((folder) => `in ${folder}`);
    add(takesFrom, [`below ${folderOf(file)}`, ...around, ...at(paths), `room ${roomOf(file) ?? file}`]);
  }
  for (const { takesFrom, paths } of fed) add(takesFrom, at(paths));
  return (file) => {
    const places = [
      ...foldersAround(file).map((folder) => `below ${folder}`),
      `in ${folderOf(file)}`,
      ...waysTo(file).map((path) => `at ${path}`),
      isNameOfAnother(file) ? '' : `room ${roomOf(file)}`,
    ];
    return new Set([...distinct, ...places.flatMap((place) => [...(near.get(place) ?? [])])]);
  };
}

/** A name that only one thing has, other than `tag`, `VERSION` and `image.tag`. */
function isDistinct(name: string): boolean {
  return (
    name.length > 3 &&
    /[_A-Z./-]/.test(name.slice(1)) &&
    !/^(?:APP_|DOCKER_)?(?:IMAGE_)?(?:VERSION|IMAGE|TAG|image_?tag|IMAGE_TAG)$/i.test(name) &&
    !/^\w*(?:app|chart|config|container|deployment|global|image|images|release|server|service|values|web)\.\w+$/i.test(
      name,
    )
  );
}

function isInChart(chart: string, file: string): boolean {
  return (
    file.startsWith(chart) &&
    /^(?:Chart\.|requirements\.|charts\/|values[^/]*$|templates\/)/.test(file.slice(chart.length))
  );
}

const isHelmfile = (file: string) => /helmfile/i.test(file);

/** What programs take without being told: a lock, variables and overrides of compose, the rest of a Terraform module. */
function takesFromBeside({ file, isCompose }: User, other: string): boolean {
  if (other === file) return false;
  const name = posix.basename(other);
  if (isCompose) return /^\.env|\.env$/.test(name) || isComposeFile(name);
  const isOf = (form: RegExp) => form.test(file) && form.test(other);
  const isLock = locks.test(other) && withoutEnding(other.replace(locks, '')) === withoutEnding(file);
  return (
    isLock ||
    isOf(/\.tf(?:vars)?(?:\.json)?$/) ||
    isOf(/kustomiz/i) ||
    (isHelmfile(file) && isHelmfile(other)) ||
    isOf(/\.(?:hcl|nomad|pkr\.hcl)$/)
  );
}
