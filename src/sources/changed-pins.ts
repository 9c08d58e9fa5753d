import { isMap, type Scalar } from 'yaml';
import type { LightspanError } from '../errors.js';
import type { PinSide } from '../release-safety/pins.js';
import {
  type FoundPin,
  faultOfPin,
  findInFile,
  leftToChart,
  openPinFile,
  pinOf,
  sideOf,
} from './found-pins.js';
import { isNamedLightdash } from './image-places.js';
import {
  type ChartPlace,
  chartsIn,
  findLightdash,
  isPinOfLightdash,
  type LightdashPlace,
} from './lightdash-places.js';
import { type PinDocument, type PinFile, readPinFile } from './pin-documents.js';
import { isVariablesFile, type PinPattern } from './pin-pattern.js';
import { folderOf, type PinTree, pinOneRelease, readerOf, readText, type TreeFile } from './pin-tree.js';
import { readPin } from './pinned-version.js';
import { scalarsIn } from './yaml.js';

/** The pins of Lightdash in what a change touches. */
export interface ChangedPins {
  readonly patterns: readonly PinPattern[];
  readonly before: readonly FoundPin[];
  readonly after: readonly FoundPin[];
  /** The files of the change that can pin an image, in which Lightdash was looked for. */
  readonly searched: readonly string[];
  /** Files of the change that cannot be read, and show no image of Lightdash that could have moved. */
  readonly notRead: readonly string[];
}

/**
 * Finds the pins of Lightdash in the files that differ between two sides, and in those that take a tag from such a file:
 * a compose file from the `.env` next to it, values from the chart around them.
 *
 * @param isGiven whether the operator named the files of both sides: then each of them is read, whatever its name
 * @throws {LightspanError} the errors of reading the sides
 */
export async function findPinsOfChange(
  before: PinTree,
  after: PinTree,
  { tagSuffix, isGiven = false }: { readonly tagSuffix: string | undefined; readonly isGiven?: boolean },
): Promise<ChangedPins> {
  const found = { before: [] as FoundPin[], after: [] as FoundPin[] };
  const withPins = new Set<string>();
  const searched: string[] = [];
  const notRead: string[] = [];
  const touched = touchedFiles(before, after);
  for (const file of isGiven ? touched : filesToSearch(touched, before, after)) {
    // A compose file next to it shows what its variables pin.
    if (isEnv(file) && [...withPins].some((one) => folderOf(one) === folderOf(file))) continue;
    const [was, is] = await Promise.all([lookAt(before, file, isGiven), lookAt(after, file, isGiven)]);
    const places = [...was.places, ...is.places];
    const old = await findOnSide(before, was, places, tagSuffix);
    const now = await findOnSide(after, is, places, tagSuffix);
    // A place counts on both sides if it pins Lightdash on one of them.
    const ids = new Set([...old, ...now].filter(({ isOther }) => !isOther).map(({ id }) => id));
    const isPin = ({ id }: FoundPin) => ids.has(id);
    found.before.push(...old.filter(isPin).map(asPin));
    found.after.push(...now.filter(isPin).map(asPin));
    if (touched.has(file) && (was.canPin || is.canPin)) searched.push(file);
    const isBroken = was.fault !== undefined || is.fault !== undefined;
    const mayHide = ids.size === 0 ? mayHaveMoved(was, is) : !isBroken && namesOthers(was, is);
    if (mayHide) {
      if (was.exists) found.before.push(wholeFile(was));
      if (is.exists) found.after.push(wholeFile(is));
    }
    if (ids.size > 0 || mayHide) withPins.add(file);
    else if (isBroken) notRead.push(file);
  }
  return { ...found, patterns: [...withPins].map((file) => patternOf(file, ['*'])), searched, notRead };
}

function asPin(pin: FoundPin): FoundPin {
  return { ...pin, isOther: false };
}

function touchedFiles(before: PinTree, after: PinTree): ReadonlySet<string> {
  const names = new Set([...before.files.keys(), ...after.files.keys()]);
  const stateOf = (entry: TreeFile | undefined) => entry && `${entry.kind} ${entry.id}`;
  return new Set(
    [...names].filter((name) => stateOf(before.files.get(name)) !== stateOf(after.files.get(name))),
  );
}

/** The touched files that may show an image, and the files that take a tag from a touched one; `.env` files last. */
function filesToSearch(touched: ReadonlySet<string>, before: PinTree, after: PinTree): readonly string[] {
  const files = new Set<string>();
  const all = [...new Set([...before.files.keys(), ...after.files.keys()])];
  for (const file of touched) {
    const kinds = [before, after].map((tree) => tree.files.get(file)?.kind ?? 'file');
    const hidesFiles = kinds.includes('submodule') || (kinds.includes('link') && !/\.[^/]+$/.test(file));
    if (isReadable(file) || otherForms.test(file) || hidesFiles) files.add(file);
    const folder = folderOf(file);
    if (isEnv(file)) {
      for (const one of all) if (folderOf(one) === folder && yaml.test(one)) files.add(one);
    }
    const [, chart] = /^((?:.*?\/)?)(?:Chart\.[^/]+|requirements\.[^/]+|charts\/.*)$/.exec(file) ?? [];
    if (chart !== undefined && [before, after].some((tree) => tree.files.has(`${chart}Chart.yaml`))) {
      for (const one of all) if (one.startsWith(chart) && isValuesFile(one)) files.add(one);
    }
  }
  return [...files].toSorted((a, b) => Number(isVariablesFile(a)) - Number(isVariablesFile(b)));
}

/** With the templates of helmfile, which may have nothing to fill in. */
const yaml = /\.ya?ml(\.gotmpl)?$/i;
/** Files that may name an image in a language that is not read here. */
const otherForms = /(^|\/)(Docker|Container)file[^/]*$|\.(tf|tfvars|hcl|nomad|gotmpl|tpl|j2)$/i;

function isReadable(file: string): boolean {
  return yaml.test(file) || /\.json$/i.test(file) || isVariablesFile(file);
}

function isValuesFile(file: string): boolean {
  return yaml.test(file) && /values[^/]*$/i.test(file);
}

/** Whether docker compose reads it for the compose files next to it. */
function isEnv(file: string): boolean {
  return file === `${folderOf(file)}.env`;
}

/** Whether a file has the name of one that pins images: values of a chart, docker compose, kustomize. */
function isNamedLikePins(file: string): boolean {
  if (/(^|\/)templates\//.test(file)) return false;
  return isValuesFile(file) || /(^|\/)((docker-)?compose[^/]*|kustomization)\.ya?ml$/i.test(file);
}

/** What one side has under the name of a file. */
interface Look {
  readonly file: string;
  readonly exists: boolean;
  readonly kind: TreeFile['kind'] | undefined;
  /** What may name further images: the texts of a file that is read, else all of it. */
  readonly text: string;
  /** If it is YAML or JSON and was read. */
  readonly known?: PinFile;
  readonly places: readonly LightdashPlace[];
  /** Why it cannot be read. */
  readonly fault: LightspanError | undefined;
  /** Whether it is a file of a tool that deploys images. */
  readonly canPin: boolean;
}

async function lookAt(tree: PinTree, file: string, isGiven = false): Promise<Look> {
  const entry = tree.files.get(file);
  const nothing = { file, exists: entry !== undefined, kind: entry?.kind, places: [] };
  if (entry === undefined) return { ...nothing, text: '', fault: undefined, canPin: false };
  try {
    const text = await readText(tree, file, entry);
    if (!isReadable(file) && !isGiven) return { ...nothing, text, fault: undefined, canPin: false };
    if (isVariablesFile(file)) {
      const places = await variablesOfLightdash(tree, file, text);
      return { ...nothing, text: '', places, fault: undefined, canPin: places.length > 0 };
    }
    const known = await openPinFile(readerOf(tree), file);
    const { documents } = known;
    const read = new Set<unknown>(
      documents.flatMap(({ images }) => images.places.map(({ scalar }) => scalar)),
    );
    const others = documents
      .flatMap(scalarsIn)
      .filter(({ scalar }) => !read.has(scalar) && embeddedIn(scalar, file).length === 0);
    return {
      ...{ ...nothing, known, fault: undefined },
      places: [...findLightdash(known), ...(await placesLeftToChart(tree, file))],
      text: others.map(({ scalar }) => String(scalar.value)).join('\n'),
      canPin: isGiven || isNamedLikePins(file) || documents.some(isDeployed),
    };
  } catch (error) {
    const fault = faultOfPin(error);
    const raw = entry.kind === 'file' ? new TextDecoder().decode(await tree.read(entry)) : '';
    return { ...nothing, text: raw, fault, canPin: isGiven || isNamedLikePins(file) };
  }
}

/** Whether a document is a compose file, or an object of Kubernetes that names an image or a chart. */
function isDeployed({ document, images }: PinDocument): boolean {
  if (isMap(document.get('services'))) return true;
  if (typeof document.get('apiVersion') !== 'string') return false;
  const kind = String(document.get('kind'));
  return images.places.length > 0 || /^(HelmRelease|Application|ApplicationSet|Kustomization)$/.test(kind);
}

/** The variables of a file that pin Lightdash: by their names, or as a compose file around it uses them. */
async function variablesOfLightdash(
  tree: PinTree,
  file: string,
  text: string,
): Promise<readonly LightdashPlace[]> {
  const used: string[] = [];
  for (const one of tree.files.keys()) {
    if (!isNamedLikePins(one) || !file.startsWith(folderOf(one))) continue;
    const read = readIfYaml((await readerOf(tree).read(one)) ?? '', one);
    for (const { path, document } of read === undefined ? [] : findLightdash(read)) {
      used.push(String(read?.documents[document]?.document.getIn(path)));
    }
  }
  const names = [...text.matchAll(/^\s*(?:export\s+)?(\w+)\s*[=:]/gm)].map(([, name = '']) => name);
  return [...new Set(names)]
    .filter(
      (name) => isPinOfLightdash(name) || used.some((image) => new RegExp(`\\$\\{?${name}\\b`).test(image)),
    )
    .map((name) => ({ path: [name], document: 0, line: 1, isTagless: false }));
}

/** The tags that `values.yaml` may leave to a chart: its own, and that of a dependency. */
async function placesLeftToChart(tree: PinTree, file: string): Promise<readonly LightdashPlace[]> {
  const folder = folderOf(file);
  if (file !== `${folder}values.yaml`) return [];
  const reader = readerOf(tree);
  const places: string[][] = [];
  for (const name of ['Chart.yaml', 'requirements.yaml']) {
    const text = await reader.read(`${folder}${name}`);
    if (text === undefined) continue;
    for (const one of readPinFile(text, `${folder}${name}`).documents) {
      if (isNamedLightdash(String(one.document.get('name')))) places.push(['image', 'tag']);
      places.push(...chartsOfLightdash(one).map(({ alias }) => [alias, 'image', 'tag']));
    }
  }
  return places.map((path) => ({ path, document: 0, line: 1, isTagless: false }));
}

function chartsOfLightdash(document: PinDocument): readonly ChartPlace[] {
  return chartsIn(document).filter(({ name }) => isNamedLightdash(name));
}

/**
 * What one side of a file has at places that pin Lightdash on either side. What another program has there on this side
 * is `isOther`.
 */
async function findOnSide(
  tree: PinTree,
  look: Look,
  places: readonly LightdashPlace[],
  tagSuffix: string | undefined,
): Promise<readonly FoundPin[]> {
  const { file, exists, known } = look;
  if (!exists) return [];
  const pins = new Map<string, FoundPin>();
  for (const path of new Set(places.map((place) => starred(place.path).join('.')))) {
    for (const pin of await findInFile(tree, file, patternOf(file, path.split('.')), tagSuffix, look.known)) {
      const own = look.places.find((place) => isAt(place, pin));
      const isOther = own === undefined && !pin.isWholeFile;
      if (pins.get(pin.id)?.isOther !== false) pins.set(pin.id, { ...pin, isOther });
    }
  }
  const found = [...pins.values()];
  for (const place of look.places.filter(({ isTagless }) => isTagless)) {
    const pin = found.find((one) => isAt(place, one));
    if (pin !== undefined && (pin.side.state === 'pinned' || tree.files.has(`${folderOf(file)}Chart.yaml`)))
      continue;
    const image = known?.documents[place.document]?.document.getIn(place.path.slice(0, -1));
    const unwritten = tagOfChart(file, place, `image ${JSON.stringify(image)}`);
    if (pin === undefined) found.push(unwritten);
    else found[found.indexOf(pin)] = { ...pin, inputs: unwritten.inputs };
  }
  if (known === undefined) return found;
  // The values next to it show whether they leave the tag to the chart.
  const isByValues =
    /(^|\/)(Chart|requirements)\.yaml$/.test(file) && tree.files.has(`${folderOf(file)}values.yaml`);
  for (const [document, one] of known.documents.entries()) {
    const embedded = findEmbedded(known, one, tagSuffix);
    found.push(...embedded);
    const isTagged = look.places.some((place) => place.document === document && !place.isTagless);
    if (isTagged || isByValues || embedded.length > 0) continue;
    for (const { path, written } of chartsOfLightdash(one)) {
      found.push(tagOfChart(file, { path, document, line: undefined }, `chart ${written}`));
    }
  }
  return found;
}

/** A tag that a file does not write, although it deploys Lightdash: the chart decides it, by its own version. */
function tagOfChart(
  file: string,
  { path, document, line }: Pick<FoundPin, 'path' | 'document' | 'line'>,
  inputs: string,
): FoundPin {
  const side = leftToChart('no tag of the image is written, and the chart decides it');
  return pinIn(file, path, side, { document, line, inputs });
}

/** The pins in values that a file has as one text, as Applications of Argo CD may. */
function findEmbedded(
  { file, lineOf }: PinFile,
  document: PinDocument,
  tagSuffix: string | undefined,
): readonly FoundPin[] {
  return scalarsIn(document).flatMap(({ path, scalar }) => {
    const text = String(scalar.value);
    return embeddedIn(scalar, file).map((place): FoundPin => {
      const location = { file, path: place.path, document: place.document };
      const side = sideOf(location, () => readPin(text, location, { tagSuffix, giveFrom: pinOneRelease }));
      return pinIn(file, [...path, ...place.path], side, { line: lineOf(scalar), inputs: text });
    });
  });
}

function embeddedIn({ value }: Scalar, file: string): readonly LightdashPlace[] {
  const text = String(value);
  const read = text.includes('\n') && /image|tag/i.test(text) ? readIfYaml(text, file) : undefined;
  return read === undefined ? [] : findLightdash(read);
}

function readIfYaml(text: string, file: string): PinFile | undefined {
  try {
    return readPinFile(text, file);
  } catch (error) {
    faultOfPin(error);
    return undefined;
  }
}

/**
 * Whether a file in which no pin was found may have moved one: it cannot be read, and has the name of a file of pins or
 * mentions Lightdash; or it names other images of Lightdash than before in a form that is not read. A template takes its
 * image from values.
 */
function mayHaveMoved(was: Look, is: Look): boolean {
  const { file } = is;
  const kinds = [was.kind, is.kind].filter((kind) => kind !== undefined);
  if (kinds.some((kind) => kind !== 'file')) return true;
  const isBroken = was.fault !== undefined || is.fault !== undefined;
  if (isBroken && isNamedLikePins(file)) return true;
  const isTemplate = [was, is].some(({ text }) => text.includes('{{'));
  if (isBroken && yaml.test(file) && !isTemplate)
    return [was, is].some(({ text }) => /lightdash/i.test(text));
  return namesOthers(was, is);
}

/** Whether the two sides name different images of Lightdash in a form that is not read. */
function namesOthers(was: Look, is: Look): boolean {
  return referencesIn(was.text) !== referencesIn(is.text);
}

/** The images of Lightdash that a text names with a tag or a digest, and what it sets variables named after them to. */
function referencesIn(text: string): string {
  const found = text.matchAll(
    /[\w./-]*lightdash[\w.-]*(?::v?\d[\w.-]*|@sha256:[0-9a-f]+|(?:tag|version)["']?\s*[=:]\s*["']?v?\d[\w.-]*)/gi,
  );
  return [...found].map(([reference]) => reference).join(' ');
}

/** Stands for all pins of a file that cannot be judged. */
function wholeFile({ file, fault }: Look): FoundPin {
  const why = fault?.message ?? 'it names an image of Lightdash in a form that is not read';
  const hint = fault?.hint ?? 'Name the pins with --pin, or in lightspan.pins.yaml.';
  return pinIn(file, ['*'], { state: 'unreadable', why, hint }, { isWholeFile: true });
}

function pinIn(file: string, path: readonly string[], side: PinSide, more: Partial<FoundPin>): FoundPin {
  return pinOf(patternOf(file, path), { file, path }, side, more);
}

/** The pattern of one file; `*` in the path is any item of a list. */
function patternOf(file: string, path: readonly string[]): PinPattern {
  const text = `${file}#${path.join('.')}`;
  return { text, files: file, path, matches: (one) => one === file, leadsThrough: () => false };
}

/** A path with `*` for the items of lists, which have other positions on the other side. */
function starred(path: readonly string[]): readonly string[] {
  return path.map((key) => (/^\d+$/.test(key) ? '*' : key));
}

function isAt(place: LightdashPlace, { path, document = place.document }: FoundPin): boolean {
  return document === place.document && path.join('.') === place.path.join('.');
}
