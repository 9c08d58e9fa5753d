import { groupBy } from '../core/common/group-by.js';
import { lazy } from '../core/common/memoize.js';
import { namesLightdash } from '../core/lightdash-name.js';
import type { LightspanError } from '../core/lightspan-error.js';
import { versionOf } from '../core/pins.js';
import { inParallel } from '../gather/files/in-parallel.js';
import { readerOfNamed } from './compare/files-named.js';
import { hasPins, type Move, ofBoth, type SideOfFile, type SidesOfFile } from './compare/side.js';
import { readSides } from './compare/sides.js';
import { hiddenBehind, touchedFiles, type Unit, unitsOf } from './compare/touched.js';
import { type Unexplained, unexplainedIn } from './compare/unexplained.js';
import { digestsIn, lacking, versionsIn } from './compare/values.js';
import { type FoundPin, readOr, unreadable } from './found-pin.js';
import { marksPin } from './kinds/comment.js';
import { isEnv } from './kinds/variables.js';
import { isBlockOfValues, isYaml } from './kinds/yaml.js';
import { foldersOf } from './paths-in.js';
import { type PinPattern, patternOf } from './pin-pattern.js';
import { decoded, filesWith, folderOf, type PinTree } from './pin-tree.js';
import { isUnmistakable } from './releases/releases.js';
import { noUses, readUses, type SeenReferrers, type Uses } from './uses.js';
import { foundAs, isDeployed, isTestOrSchema, mayBeOfLightdash } from './what-files-are.js';
import { readIfYaml } from './yaml/open.js';
import { readPinFile } from './yaml/pin-documents.js';

export interface ComparedChange {
  readonly patterns: readonly PinPattern[];
  readonly before: readonly FoundPin[];
  readonly after: readonly FoundPin[];
  /** The touched files that were compared, sorted by path. */
  readonly files: readonly string[];
  readonly ignored: readonly { readonly file: string; readonly reason: string }[];
  readonly unexplained: readonly Unexplained[];
}

export interface ChangeOptions {
  readonly tagSuffix: string | undefined;
  readonly renamed?: ReadonlyMap<string, string>;
  /** Whether the operator named the files of both sides: then each of them is read, whatever its name. */
  readonly isGiven?: boolean;
  /** Whether a file is compared; undefined for all. Where the operator names the pins, only their files are. */
  readonly isSearched?: ((file: string) => boolean) | undefined;
  readonly named?: { readonly before: readonly FoundPin[]; readonly after: readonly FoundPin[] };
  readonly ignoredBy?: (file: string) => string | undefined;
  /** Referrers that an earlier comparison has read, where many changes of one repository are compared. */
  readonly seen?: SeenReferrers;
}

/** The pins of Lightdash on each side of a change, which the caller judges: no difference is compared. */
export async function pinsOfChange(
  before: PinTree,
  after: PinTree,
  options: ChangeOptions,
): Promise<Pick<ComparedChange, 'before' | 'after'>> {
  const { changes } = await readChange([before, after], options);
  return pinsOfLightdash(changes);
}

/** Both sides of every file that a change touches, but those that are ignored. */
async function readChange(trees: readonly [PinTree, PinTree], options: ChangeOptions) {
  const { renamed = new Map(), isSearched, ignoredBy = () => undefined, seen } = options;
  const touched = touchedFiles(trees);
  const ignored = [...touched].flatMap((file) => {
    const reason = ignoredBy(file);
    return reason === undefined ? [] : [{ file, reason }];
  });
  const isLookedAt = (file: string) =>
    ignoredBy(file) === undefined && (isSearched === undefined || isSearched(file));
  /** Read only if needed: for a file that does not name Lightdash, or in which more than its pins differs. */
  const usesOf = lazy(async () => (isSearched === undefined ? readUses(trees, seen) : noUses));
  const units = unitsOf(touched, trees, renamed).filter(({ file }) => isLookedAt(file));
  const { named = { before: [], after: [] } } = options;
  const wholeFiles = [...named.before, ...named.after].filter(({ isWholeFile }) => isWholeFile);
  const sayingSo = new Set(wholeFiles.map(({ file }) => file));
  const looked = await inParallel(units, (unit) => lookAt(unit, trees, usesOf, options));
  const changes = looked
    .filter((change) => change !== undefined)
    .map((change) => (sayingSo.has(change.unit.file) ? change : withBroken(change)));
  const files = [...touched].filter(isLookedAt).toSorted();
  return { changes, files, ignored, sayingSo, usesOf };
}

/**
 * Compares both sides of every file that a change touches. Gives the pins of Lightdash on each side, which the caller
 * judges, and the differences that may move Lightdash and that no pin explains.
 */
export async function lookAtChange(
  before: PinTree,
  after: PinTree,
  options: ChangeOptions,
): Promise<ComparedChange> {
  const { renamed = new Map(), named = { before: [], after: [] } } = options;
  const trees = [before, after] as const;
  const { changes, files, ignored, sayingSo, usesOf } = await readChange(trees, options);
  const open = new Set(changes.filter(({ fault, differInPinsAlone }) => !fault && !differInPinsAlone));
  const uses = open.size === 0 ? noUses : await usesOf();
  const pins = pinsOfLightdash(changes);
  const moves = movesOf([...pins.before, ...named.before], [...pins.after, ...named.after], renamed);
  const namedBy = readerOfNamed(trees, uses, options);
  const unexplained = await inParallel(changes, async (change): Promise<readonly Unexplained[]> => {
    const { unit, was, is, fault } = change;
    // A named pin that stands for the whole file already carries the fault.
    if (fault !== undefined) return sayingSo.has(unit.file) ? [] : [fault];
    if (!open.has(change) || (options.isGiven === true && isRendered(change))) return [];
    const sides = [
      withNamed(was, named.before, unit.before),
      withNamed(is, named.after, unit.after),
    ] as const;
    const namedHere = await namedBy({ ...change, file: unit.file });
    const unexplainedOf = (pair: typeof sides) => unexplainedIn(unit.file, pair, uses, moves, namedHere);
    const isPinned = sides.some(hasPins);
    const taken = (await takenUp(unit, trees, uses, isPinned)).flatMap((i) => {
      const pinsThere = pinsTaken(unit.file, sides[i], i);
      if (pinsThere.length > 0) return pinsThere;
      return unexplainedOf(ofBoth((j) => ({ entries: i === j ? sides[i].entries : [], pins: [] })));
    });
    return taken.length > 0
      ? taken.map((difference) => ({ ...difference, why: 'name' as const }))
      : unexplainedOf(sides);
  });
  const pinned = [...new Set([...pins.before, ...pins.after].map(({ file }) => file))];
  return {
    ...pins,
    patterns: pinned.map((file) => patternOf(file, ['*'])),
    files,
    ignored,
    unexplained: unexplained.flat(),
  };
}

/** A side of a file, with the pins that the operator named in that file added to those that were found. */
function withNamed(side: SideOfFile, named: readonly FoundPin[], name: string | undefined): SideOfFile {
  const namedHere = named.filter(({ file, isWholeFile }) => file === name && !isWholeFile);
  return { ...side, pins: [...side.pins, ...namedHere] };
}

/**
 * The sides of a renamed file that count as a whole, pins included: the first goes where tools no longer find the file by
 * its name, or nothing names its path any more; the second comes where they do only now. None if the rename changes nothing.
 */
async function takenUp(
  { before, after }: Unit,
  trees: readonly [PinTree, PinTree],
  uses: Uses,
  isPinned: boolean,
): Promise<readonly (0 | 1)[]> {
  if (before === undefined || after === undefined || before === after) return [];
  const isNamed = async (file: string) => {
    if (uses.isNamed(file) || !isPinned) return uses.isNamed(file);
    const paths = [file, ...foldersOf(file)].filter((path) => path.includes('/'));
    const naming = paths.flatMap((path) => trees.map((tree) => filesWith(tree, path)));
    return (await Promise.all(naming)).flat().some((name) => name !== file && isDeployed(name));
  };
  const tools = [foundAs(before, trees[0]), foundAs(after, trees[1])];
  const named = [await isNamed(before), await isNamed(after)];
  const isSame = tools[0] === tools[1];
  if (isSame && named[0] === named[1]) return [];
  return ([0, 1] as const).filter((i) => named[i] || (!isSame && tools[i] !== undefined));
}

/** The pins of a side that goes or comes with the name of its file. */
function pinsTaken(file: string, { pins }: SideOfFile, side: 0 | 1): readonly Unexplained[] {
  return pins
    .filter(({ isOther }) => !isOther)
    .map(({ path, document, line, written, value = '' }) => {
      const text = written ?? `${path.join('.')}: ${value}`;
      const [before, after] = side === 0 ? [text, undefined] : [undefined, text];
      return { file, line, path: document === undefined ? undefined : path, before, after, why: 'name' };
    });
}

/** The pins of both sides. A place that pins Lightdash on one side counts on the other too, whatever it names there. */
function pinsOfLightdash(changes: readonly FileChange[]): Pick<ComparedChange, 'before' | 'after'> {
  const pins = { before: [] as FoundPin[], after: [] as FoundPin[] };
  for (const { was, is } of withoutRepeated(changes)) {
    const ids = new Set([...was.pins, ...is.pins].filter(({ isOther }) => !isOther).map(({ id }) => id));
    const of = (side: SideOfFile) =>
      side.pins
        .filter(({ id }) => ids.has(id))
        .map((pin) => (pin.isOther ? { ...pin, isOther: false } : pin));
    pins.before.push(...of(was));
    pins.after.push(...of(is));
  }
  return pins;
}

/** A touched file with its pins and entries on both sides. */
interface FileChange extends SidesOfFile {
  readonly unit: Unit;
  /** A link, submodule or archive that may move Lightdash and whose contents cannot be read. */
  readonly fault?: Unexplained | undefined;
  /** Why the file no longer parses as YAML; undefined if it does. */
  readonly broken?: () => LightspanError | undefined;
}

/** Where a file no longer parses as YAML, its former pins become unreadable: what is hidden must not look removed. */
function withBroken(change: FileChange): FileChange {
  const { was, is, broken } = change;
  const left = new Set(is.pins.map(({ id }) => id));
  const lost = was.pins.filter(({ id, isOther }) => !isOther && !left.has(id));
  const fault = lost.length > 0 ? broken?.() : undefined;
  if (fault === undefined) return change;
  const hidden = lost.map((pin) => ({ ...pin, side: unreadable(fault), inputs: undefined }));
  return { ...change, was: { ...was, entries: [] }, is: { entries: [], pins: [...is.pins, ...hidden] } };
}

async function lookAt(
  unit: Unit,
  trees: readonly [PinTree, PinTree],
  usesOf: () => Promise<Uses>,
  options: ChangeOptions,
): Promise<FileChange | undefined> {
  const { file } = unit;
  const names = [unit.before, unit.after] as const;
  const entries = names.map((name, i) => (name === undefined ? undefined : trees[i]?.files.get(name)));
  const hidden = await hiddenBehind(unit, entries, trees, usesOf);
  const none = { entries: [], pins: [] };
  if (hidden !== undefined) return { unit, was: none, is: none, differInPinsAlone: false, fault: hidden };
  if (entries.some((entry) => entry !== undefined && entry.kind !== 'file')) return undefined;
  if (!isDeployed(file) && options.isGiven !== true) return undefined;
  const texts = await Promise.all(
    entries.map(async (entry, i) => (entry === undefined ? undefined : decoded(await trees[i]?.read(entry)))),
  );
  const isExempt = (text: string | undefined) => text === undefined || isTestOrSchema(file, text);
  if (options.isGiven !== true && texts.every(isExempt)) return undefined;
  const isNamed = texts.every((text) => text === undefined || namesLightdash(text));
  const uses = isNamed ? noUses : await usesOf();
  const isUsed = names.some((name = '') => uses.isUsed(name) || uses.isTemplate(name));
  const mayBeOf = isUsed || options.isGiven === true || mayBeOfLightdash(file);
  const isConcerned = texts.some(
    (text) =>
      text !== undefined &&
      (namesLightdash(text) ||
        marksPin(text) ||
        uses.concerns(text) ||
        (isYaml(file) && isBlockOfValues.test(text))),
  );
  if (!mayBeOf && !isConcerned && !changesRelease(texts, uses.deployed)) return undefined;
  const broken = () => faultOfBroken(file, texts);
  const fault = options.isGiven === true && options.isSearched === undefined ? broken() : undefined;
  if (fault !== undefined) throw fault;
  const sides = await readSides(names, texts, trees, {
    ...options,
    mayBeOf,
    isUsed: names.some((name = '') => uses.isOwn(name)) || options.isGiven === true,
  });
  return { unit, ...sides, broken };
}

/** Whether a text loses a release that the base deploys, or loses or brings one that can hardly be another program's. */
function changesRelease(texts: readonly (string | undefined)[], deployed: ReadonlySet<string>): boolean {
  const [was, is] = ofBoth((i) => {
    const text = texts[i] ?? '';
    return [...versionsIn(text), ...digestsIn(text)];
  });
  const [lost, brought] = [lacking(was, is), lacking(is, was)];
  return lost.some((release) => deployed.has(release)) || [...lost, ...brought].some(isUnmistakable);
}

/**
 * Whether a file that the operator named is rendered text, such as `helm template` and `docker compose config` write it:
 * in that, nothing but images counts.
 */
function isRendered({ was, is }: FileChange): boolean {
  const entries = [...was.entries, ...is.entries];
  return (
    entries.length > 0 &&
    entries.every(
      ({ object, document, path: [top = ''] }) =>
        document !== undefined && (object === undefined ? ofCompose.test(top) : !fetching.test(object)),
    )
  );
}

const ofCompose = /^(?:name|services|networks|volumes|configs|secrets|x-.*)$/;
/** Objects from which something else is rendered. */
const fetching =
  /^(?:Application|ApplicationSet|HelmRelease|HelmChart|Kustomization|OCIRepository|Release|\/)/;

/** Why a file that was YAML no longer parses; undefined if it does. Otherwise its pins would look removed. */
function faultOfBroken(file: string, [was, is]: readonly (string | undefined)[]): LightspanError | undefined {
  if (was === undefined || is === undefined || !isYaml(file)) return undefined;
  // Templates and comments of ytt are programs, and a key that stands twice is shown as a pin.
  if (/\{[{%]|<%|#@/.test(is) || readIfYaml(was, file) === undefined) return undefined;
  return readOr(
    () => {
      readPinFile(is, file);
      return undefined;
    },
    (fault) => (fault.details?.kind === 'repeated-key' ? undefined : fault),
  );
}

/** Leaves out pins of a `.env` that a compose file beside it already shows with the variable filled in. */
function withoutRepeated(changes: readonly FileChange[]): readonly FileChange[] {
  const others = groupBy(
    changes.filter(({ unit }) => !isEnv(unit.file)),
    ({ unit }) => folderOf(unit.file),
  );
  return changes.map((change) => {
    if (!isEnv(change.unit.file)) return change;
    const beside = others.get(folderOf(change.unit.file)) ?? [];
    const left = (side: 'was' | 'is') => {
      const shown = beside.flatMap((neighbour) => valuesOfPins(neighbour[side]));
      return change[side].pins.filter(
        ({ written = '' }) => written === '' || !shown.some(isWrittenSo(written)),
      );
    };
    // A pin that is left on one side is kept on both, so that the two can be compared.
    const ids = new Set([...left('was'), ...left('is')].map(({ id }) => id));
    const of = (side: SideOfFile) => ({ ...side, pins: side.pins.filter(({ id }) => ids.has(id)) });
    return { ...change, was: of(change.was), is: of(change.is) };
  });
}

/** What is written at the pins of Lightdash in a file, with its variables filled in. */
function valuesOfPins({ pins }: SideOfFile): readonly string[] {
  return pins.flatMap(({ isOther, value }) => (isOther || value === undefined ? [] : [value]));
}

/** A test of an image reference: whether it equals `written`, or has it as its tag or digest. */
function isWrittenSo(written: string): (image: string) => boolean {
  return (image) => image === written || image.split(/[:@]/).slice(1).includes(written);
}

function movesOf(
  before: readonly FoundPin[],
  after: readonly FoundPin[],
  renamed: ReadonlyMap<string, string>,
): readonly Move[] {
  const keyOf = ({ file, id }: FoundPin) => `${renamed.get(file) ?? file}\0${id}`;
  const was = new Map(before.map((pin) => [keyOf(pin), versionOf(pin.side)]));
  const moves = after.flatMap((pin) => {
    const [from, to] = [was.get(keyOf(pin)), versionOf(pin.side)];
    return from === undefined || to === undefined || from === to ? [] : [{ from, to }];
  });
  return [...new Map(moves.map((move) => [`${move.from} ${move.to}`, move])).values()];
}
