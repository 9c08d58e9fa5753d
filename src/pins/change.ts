import { posix } from 'node:path';
import { inParallel } from '../read/files/in-parallel.js';
import { standsTwice } from '../read/files/yaml.js';
import { type Entry, entriesOfLines, entriesOfYaml } from './compare/entries.js';
import { type Move, type SideOfFile, type Unexplained, unexplainedIn } from './compare/unexplained.js';
import { noUses, readUses, type SeenUsers, type Uses } from './compare/uses.js';
import { type FoundPin, faultOfPin, newPin, openPinFile, unreadable } from './found-pins.js';
import { marksPin } from './kinds/comment.js';
import type { PinSource } from './kinds/kind.js';
import { kinds } from './kinds/kinds.js';
import { isEnv } from './kinds/variables.js';
import { chartFiles, isBlockOfValues, isYaml, yamlKind } from './kinds/yaml.js';
import { isDeployed } from './names/no-deployment.js';
import { isNameOfAnother } from './names/other-programs.js';
import { namesLightdash } from './names/reference.js';
import { isValuesFile, type PinPattern, patternOf } from './pin-pattern.js';
import { chartsAround, folderOf, isPartOfChart, type PinTree, type TreeFile } from './pin-tree.js';
import type { PinFile } from './yaml/pin-documents.js';

export interface LookedAt {
  readonly patterns: readonly PinPattern[];
  readonly before: readonly FoundPin[];
  readonly after: readonly FoundPin[];
  /** The files that the change touches, and what was not looked at for a reason that is given. */
  readonly files: readonly string[];
  readonly ignored: readonly { readonly file: string; readonly reason: string }[];
  readonly unexplained: readonly Unexplained[];
}

export interface LookOptions {
  readonly tagSuffix: string | undefined;
  readonly renamed?: ReadonlyMap<string, string>;
  /** Whether the operator named the files of both sides: then each of them is read, whatever its name. */
  readonly isGiven?: boolean;
  /** Where pins are named, nothing but their files is looked at. */
  readonly isSearched?: ((file: string) => boolean) | undefined;
  readonly named?: { readonly before: readonly FoundPin[]; readonly after: readonly FoundPin[] };
  readonly ignoredBy?: (file: string) => string | undefined;
  /** What is known of the files of both sides, where many changes of one repository are looked at. */
  readonly seen?: SeenUsers;
}

/**
 * Looks at every file that a change touches, on both sides, for what can move Lightdash: pins, which are judged, and
 * differences that no pin explains.
 */
export async function lookAtChange(before: PinTree, after: PinTree, options: LookOptions): Promise<LookedAt> {
  const { renamed = new Map(), isSearched, ignoredBy = () => undefined, seen } = options;
  const trees = [before, after] as const;
  const touched = touchedFiles(trees);
  const ignored = [...touched].flatMap((file) => {
    const reason = ignoredBy(file);
    return reason === undefined ? [] : [{ file, reason }];
  });
  const isLookedAt = (file: string) =>
    ignoredBy(file) === undefined && (isSearched === undefined || isSearched(file));
  const isPlain = (file: string) =>
    !isDeployed(file) && trees.every((tree) => (tree.files.get(file)?.kind ?? 'file') === 'file');
  const isAsked = isSearched === undefined && (options.isGiven === true || ![...touched].every(isPlain));
  const uses = isAsked ? await readUses(trees, seen) : noUses;
  const looks: Look[] = [];
  const units = unitsOf(touched, trees, renamed).filter(({ file }) => isLookedAt(file));
  await inParallel(units, async (unit) => {
    const look = await lookAt(unit, trees, uses, options);
    if (look !== undefined) looks.push(look);
  });
  const order = new Map(units.map(({ file }, i) => [file, i]));
  looks.sort((a, b) => (order.get(a.unit.file) ?? 0) - (order.get(b.unit.file) ?? 0));
  const found = pinsOfLightdash(looks);
  const { named } = options;
  const moves = movesOf(
    [...found.before, ...(named?.before ?? [])],
    [...found.after, ...(named?.after ?? [])],
    renamed,
  );
  const unexplained = looks.flatMap(({ unit, was, is, fault }) => {
    // A pin that is named there says so itself.
    const isNamed = [...(named?.before ?? []), ...(named?.after ?? [])].some(
      (pin) => pin.isWholeFile && pin.file === unit.file,
    );
    if (fault !== undefined) return isNamed ? [] : [fault];
    if (!touched.has(unit.file)) return [];
    const withNamed = (side: SideOfFile, pins: readonly FoundPin[] = [], name: string | undefined) => ({
      ...side,
      pins: [...side.pins, ...pins.filter(({ file, isWholeFile }) => file === name && !isWholeFile)],
    });
    const sides = [
      withNamed(was, named?.before, unit.before),
      withNamed(is, named?.after, unit.after),
    ] as const;
    return unexplainedIn(unit.file, sides, uses, moves);
  });
  const files = [...new Set([...found.before, ...found.after].map(({ file }) => file))];
  return {
    ...found,
    patterns: files.map((file) => patternOf(file, ['*'])),
    files: [...touched].filter(isLookedAt).toSorted(),
    ignored,
    unexplained,
  };
}

/** A place counts on both sides if it pins Lightdash on one of them. */
function pinsOfLightdash(looks: readonly Look[]): Pick<LookedAt, 'before' | 'after'> {
  const found = { before: [] as FoundPin[], after: [] as FoundPin[] };
  for (const { was, is } of withoutRepeated(looks)) {
    const ids = new Set([...was.pins, ...is.pins].filter(({ isOther }) => !isOther).map(({ id }) => id));
    const of = (side: SideOfFile) =>
      side.pins
        .filter(({ id }) => ids.has(id))
        .map((pin) => (pin.isOther ? { ...pin, isOther: false } : pin));
    found.before.push(...of(was));
    found.after.push(...of(is));
  }
  return found;
}

/** What a change touches: a file under its name now, and the name that it had. */
interface Unit {
  readonly file: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

interface Look {
  readonly unit: Unit;
  readonly was: SideOfFile;
  readonly is: SideOfFile;
  /** What cannot be looked into, and may move Lightdash. */
  readonly fault?: Unexplained | undefined;
}

function touchedFiles([before, after]: readonly [PinTree, PinTree]): ReadonlySet<string> {
  const isSame = (a: TreeFile | undefined, b: TreeFile | undefined) => a?.id === b?.id && a?.kind === b?.kind;
  const all = new Set([...before.files.keys(), ...after.files.keys()]);
  return new Set([...all].filter((file) => !isSame(before.files.get(file), after.files.get(file))));
}

/** The touched files, then those that take a tag from one beside them, and files of variables last. */
function unitsOf(
  touched: ReadonlySet<string>,
  [before, after]: readonly [PinTree, PinTree],
  renamed: ReadonlyMap<string, string>,
): readonly Unit[] {
  const former = new Map([...renamed].map(([old, now]) => [now, old]));
  const files = new Set(touched);
  for (const file of touched) {
    for (const one of filesThatTakeFrom(file, [before, after])) files.add(one);
  }
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
function filesThatTakeFrom(file: string, trees: readonly [PinTree, PinTree]): readonly string[] {
  const folder = folderOf(file);
  const charts = new Set(trees.flatMap((tree) => chartsAround(tree, folder)));
  const ofChart = [...charts].filter((chart) => isPartOfChart(chart, file) || file === `${chart}values.yaml`);
  if (!isEnv(file) && ofChart.length === 0) return [];
  const all = new Set(trees.flatMap((tree) => [...tree.files.keys()]));
  return [...all].filter(
    (one) =>
      (isEnv(file) && folderOf(one) === folder && isYaml(one)) ||
      ofChart.some(
        (chart) =>
          one.startsWith(chart) && (isValuesFile(one) || (folderOf(one) === chart && chartFiles.test(one))),
      ),
  );
}

async function lookAt(
  unit: Unit,
  trees: readonly [PinTree, PinTree],
  uses: Uses,
  options: LookOptions,
): Promise<Look | undefined> {
  const { file } = unit;
  const names = [unit.before, unit.after] as const;
  const entries = names.map((name, i) => (name === undefined ? undefined : trees[i]?.files.get(name)));
  const fault = await hiddenBehind(unit, entries, trees, uses);
  const none = { entries: [], pins: [] };
  if (fault !== undefined) return { unit, was: none, is: none, fault };
  if (entries.some((entry) => entry !== undefined && entry.kind !== 'file')) return undefined;
  if (!isDeployed(file) && options.isGiven !== true) return undefined;
  const texts = await Promise.all(
    entries.map(async (entry, i) => (entry === undefined ? undefined : textOf(await trees[i]?.read(entry)))),
  );
  const isUsed = uses.isUsed(file);
  const mayBeOf = isUsed || options.isGiven === true || mayBeOfLightdash(file, trees);
  const isConcerned = texts.some(
    (text) =>
      text !== undefined &&
      (namesLightdash(text) ||
        marksPin(text) ||
        uses.concerns(text) ||
        (isYaml(file) && isBlockOfValues.test(text))),
  );
  if (!mayBeOf && !isConcerned) return undefined;
  const sides = await readSides(names, texts, trees, { ...options, mayBeOf });
  return { unit, was: sides[0], is: sides[1] };
}

/** The pins and the entries of both sides: of lines on both, if one of them is not YAML. */
async function readSides(
  names: readonly [string | undefined, string | undefined],
  texts: readonly (string | undefined)[],
  trees: readonly [PinTree, PinTree],
  options: LookOptions & { readonly mayBeOf: boolean },
): Promise<readonly [SideOfFile, SideOfFile]> {
  const sources = names.map((file, i) => {
    const [text, tree] = [texts[i], trees[i]];
    return file === undefined || text === undefined || tree === undefined
      ? undefined
      : sourceOf({ file, text, tree, tagSuffix: options.tagSuffix, alsoAt: [] });
  });
  const readAll = (alsoAt: readonly PinSource['alsoAt'][]) =>
    Promise.all(
      sources.map((source, i) => (source ? pinsOf({ ...source, alsoAt: alsoAt[i] ?? [] }, options) : [])),
    );
  let pins = await readAll([]);
  const own = pins.map((side) => side.filter(({ isOther }) => !isOther));
  const lacking = own.map((side, i) => {
    const here = new Set(own[1 - i]?.map(({ id }) => id));
    return side.filter(({ id }) => !here.has(id)).map(({ path }) => path);
  });
  if (lacking.some((paths) => paths.length > 0)) pins = await readAll(lacking.toReversed());
  const entries = await entriesOf(sources);
  return [0, 1].map((i) => ({ pins: pins[i] ?? [], entries: entries[i] ?? [] })) as unknown as readonly [
    SideOfFile,
    SideOfFile,
  ];
}

function sourceOf(source: Omit<PinSource, 'yaml'>): PinSource {
  let opened: Promise<PinFile> | undefined;
  return {
    ...source,
    yaml: () => {
      opened ??= openPinFile(source.tree, source.file, source.text);
      return opened;
    },
  };
}

/** What every kind that matches the file finds in it, and what two of them find in one line, once. */
async function pinsOf(
  source: PinSource,
  { mayBeOf, isGiven = false }: LookOptions & { readonly mayBeOf: boolean },
): Promise<readonly FoundPin[]> {
  const { file, text } = source;
  const matching = kinds.filter((kind) => kind.matches(file, text, mayBeOf));
  const reading = matching.length === 0 && isGiven ? [yamlKind] : matching;
  const pins: FoundPin[] = [];
  for (const kind of reading) {
    try {
      const found = await kind.read(source);
      const known = new Set(pins.map(({ line, side }) => `${line} ${versionOfSide(side)}`));
      pins.push(
        ...found.filter(
          ({ line, side }) => side.state !== 'pinned' || !known.has(`${line} ${versionOfSide(side)}`),
        ),
      );
    } catch (error) {
      const fault = faultOfPin(error);
      if (kind === yamlKind && isValuesFile(file) && fault.message.includes(standsTwice)) {
        pins.push(
          newPin(patternOf(file, ['*']), file, unreadable(fault), { isWholeFile: true, inputs: text }),
        );
      }
    }
  }
  return pins;
}

function versionOfSide(side: FoundPin['side']): string | undefined {
  return side.state === 'pinned' ? side.release.version : undefined;
}

async function entriesOf(
  sources: readonly (PinSource | undefined)[],
): Promise<readonly (readonly Entry[])[]> {
  const asLines = () => sources.map((source) => (source ? entriesOfLines(source.text) : []));
  // Comments of ytt are a program.
  const isPlain = ({ file, text }: PinSource) => isYaml(file) && !text.includes('#@');
  if (!sources.every((source) => source === undefined || isPlain(source))) return asLines();
  try {
    return await Promise.all(
      sources.map(async (source) => (source ? entriesOfYaml(await source.yaml()) : [])),
    );
  } catch (error) {
    faultOfPin(error);
    return asLines();
  }
}

/** Whether a file may be of Lightdash although it does not have the word: values of a chart that has no name here. */
function mayBeOfLightdash(file: string, trees: readonly PinTree[]): boolean {
  if (namesLightdash(file)) return true;
  if (!isValuesFile(file) || isNameOfAnother(file)) return false;
  return !trees.some((tree) => hasSiblingOfLightdash(tree, file));
}

const siblings = new WeakMap<PinTree, ReadonlySet<string>>();

/** Whether folders beside that of a file have the name of Lightdash: then the others are of other programs. */
function hasSiblingOfLightdash(tree: PinTree, file: string): boolean {
  let parents = siblings.get(tree);
  if (parents === undefined) {
    const found = new Set<string>();
    for (const name of tree.files.keys()) {
      const parts = name.split('/');
      const at = parts.slice(0, -1).findIndex(namesLightdash);
      if (at >= 0) found.add(parts.slice(0, at).join('/'));
    }
    parents = found;
    siblings.set(tree, parents);
  }
  const folders = file.split('/').slice(0, -1);
  return folders.some((_, i) => parents.has(folders.slice(0, i).join('/')));
}

/** A link, a submodule or an archive that leads to Lightdash, or may: nobody sees here what is behind it. */
async function hiddenBehind(
  { file }: Unit,
  entries: readonly (TreeFile | undefined)[],
  trees: readonly [PinTree, PinTree],
  uses: Uses,
): Promise<Unexplained | undefined> {
  const kindsOf = entries.map((entry) => entry?.kind);
  const shown = await Promise.all(
    entries.map(async (entry, i) => {
      if (entry?.kind === 'link') return textOf(await trees[i]?.read(entry));
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
    return otherSubmodules.test(file) && !uses.isUsed(file) ? undefined : fault('submodule');
  if (kindsOf.includes('link')) {
    const targets = shown.filter((text) => text !== undefined);
    const leads = targets.some((target) => {
      const path = posix.join(posix.dirname(file), target);
      return path.startsWith('..') || posix.isAbsolute(target) || uses.leadsToOne(file, `"${target}/"`);
    });
    const files = entries.flatMap((entry, i) => (entry?.kind === 'file' ? [trees[i]?.read(entry)] : []));
    const isOwn =
      mayBeOfLightdash(file, trees) || (await Promise.all(files)).map(textOf).some(namesLightdash);
    return leads || isOwn || uses.isUsed(file) ? fault('link') : undefined;
  }
  const isArchive = /\.(?:tgz|tar|gz|zip|tar\.\w+|oci|img)$/i.test(file);
  return isArchive && (uses.isUsed(file) || namesLightdash(file)) ? fault('archive') : undefined;
}

/** Submodules that nobody deploys from. */
const otherSubmodules = /(^|\/)(?:docs?|themes?|third[-_]?party|vendor|tests?|fixtures|site|website)(\/|$)/i;

/** A text of any encoding that leaves its letters readable. */
function textOf(bytes: Uint8Array | undefined): string {
  return new TextDecoder().decode(bytes).replaceAll('\0', '');
}

/** What the variables beside a compose file pin does not count once more where a pin of that file shows it. */
function withoutRepeated(looks: readonly Look[]): readonly Look[] {
  const pinsOfSides = ({ was, is }: Look) => {
    const of = (side: SideOfFile) => new Map(side.pins.map((pin) => [pin.id, pin]));
    const [old, now] = [of(was), of(is)];
    return [...new Set([...old.keys(), ...now.keys()])].map((id) => {
      const pins = [old.get(id), now.get(id)];
      const told = pins.map((pin) => pin && (versionOfSide(pin.side) ?? pin.side.state)).join(' to ');
      return { id, told, isOwn: pins.some((pin) => pin?.isOther === false) };
    });
  };
  const shown = new Set<string>();
  for (const look of looks.filter(({ unit }) => !isEnv(unit.file))) {
    for (const { told, isOwn } of pinsOfSides(look))
      if (isOwn) shown.add(`${folderOf(look.unit.file)} ${told}`);
  }
  return looks.map((look) => {
    if (!isEnv(look.unit.file)) return look;
    const folder = folderOf(look.unit.file);
    const left = pinsOfSides(look).filter(({ told }) => !shown.has(`${folder} ${told}`));
    const ids = new Set(left.map(({ id }) => id));
    const of = (side: SideOfFile) => ({ ...side, pins: side.pins.filter(({ id }) => ids.has(id)) });
    return { ...look, was: of(look.was), is: of(look.is) };
  });
}

function movesOf(
  before: readonly FoundPin[],
  after: readonly FoundPin[],
  renamed: ReadonlyMap<string, string>,
): readonly Move[] {
  const keyOf = ({ file, id }: FoundPin) => `${renamed.get(file) ?? file}\0${id}`;
  const was = new Map(before.map((pin) => [keyOf(pin), pin.side]));
  const moves = after.flatMap((pin) => {
    const [from, to] = [was.get(keyOf(pin)), pin.side];
    if (from?.state !== 'pinned' || to.state !== 'pinned') return [];
    return from.release.version === to.release.version
      ? []
      : [{ from: from.release.version, to: to.release.version }];
  });
  return [...new Map(moves.map((move) => [`${move.from} ${move.to}`, move])).values()];
}
