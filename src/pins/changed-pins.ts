import { isMap } from 'yaml';
import type { LightspanError } from '../core/lightspan-error.js';
import { scalarsIn } from '../read/files/yaml.js';
import {
  type FoundPin,
  faultOfPin,
  findInFile,
  newPin,
  openPinFile,
  sideOf,
  unreadable,
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
import {
  chartsAround,
  folderOf,
  idsOf,
  isPartOfChart,
  type PinTree,
  partsOfCharts,
  pinOneRelease,
  readText,
  type TreeFile,
} from './pin-tree.js';
import { notThisPin, pinIn } from './pinned-version.js';

export interface ChangedPins {
  readonly patterns: readonly PinPattern[];
  readonly before: readonly FoundPin[];
  readonly after: readonly FoundPin[];
  /** The files of the change that can pin an image, in which Lightdash was looked for. */
  readonly searched: readonly string[];
  /** Files of the change that cannot be read, and show no image of Lightdash that could have moved. */
  readonly notRead: readonly string[];
}

interface SearchOptions {
  readonly tagSuffix: string | undefined;
  /** Whether the operator named the files of both sides: then each of them is read, whatever its name. */
  readonly isGiven?: boolean;
  /** By default every file is looked at. */
  readonly isSearched?: (file: string) => boolean;
}

/**
 * Finds the pins of Lightdash in the files that differ between two sides, and in those that take a tag from such a
 * file: a compose file from the `.env` next to it, values from the chart around them.
 */
export async function findPinsOfChange(
  before: PinTree,
  after: PinTree,
  options: SearchOptions,
): Promise<ChangedPins> {
  const { tagSuffix, isGiven = false, isSearched = () => true } = options;
  const found = { before: [] as FoundPin[], after: [] as FoundPin[] };
  const withPins = new Set<string>();
  const searched: string[] = [];
  const notRead: string[] = [];
  const all = [...new Set([...before.files.keys(), ...after.files.keys()])];
  const stateOf = (tree: PinTree, file: string) => JSON.stringify(tree.files.get(file));
  const touched = new Set(all.filter((file) => stateOf(before, file) !== stateOf(after, file)));
  for (const file of isGiven ? touched : filesToSearch(touched, all, [before, after])) {
    if (!isSearched(file)) continue;
    // A compose file next to it shows what its variables pin.
    if (isEnv(file) && [...withPins].some((one) => folderOf(one) === folderOf(file))) continue;
    const [was, is] = await Promise.all([lookAt(before, file, options), lookAt(after, file, options)]);
    const places = [...was.places, ...is.places];
    const old = await findOnSide(before, was, places, tagSuffix);
    const now = await findOnSide(after, is, places, tagSuffix);
    // A place counts on both sides if it pins Lightdash on one of them.
    const ids = new Set([...old, ...now].filter(({ isOther }) => !isOther).map(({ id }) => id));
    const pinsOf = (pins: readonly FoundPin[]) =>
      pins.filter(({ id }) => ids.has(id)).map((pin) => ({ ...pin, isOther: false }));
    found.before.push(...pinsOf(old));
    found.after.push(...pinsOf(now));
    if (touched.has(file) && (was.canPin || is.canPin)) searched.push(file);
    const isBroken = was.fault !== undefined || is.fault !== undefined;
    const mayHide = ids.size === 0 ? mayHaveMoved(was, is) : !isBroken && namesOthers(was, is);
    if (mayHide) {
      if (was.kind !== undefined) found.before.push(wholeFile(was));
      if (is.kind !== undefined) found.after.push(wholeFile(is));
    }
    if (ids.size > 0 || mayHide) withPins.add(file);
    else if (isBroken) notRead.push(file);
  }
  return { ...found, patterns: [...withPins].map((file) => patternOf(file, ['*'])), searched, notRead };
}

/** The touched files that may show an image, and the files that take a tag from a touched one; `.env` files last. */
function filesToSearch(
  touched: ReadonlySet<string>,
  all: readonly string[],
  sides: readonly PinTree[],
): readonly string[] {
  const files = new Set<string>();
  for (const file of touched) {
    const kinds = sides.map((tree) => tree.files.get(file)?.kind);
    const hidesFiles = kinds.includes('submodule') || (kinds.includes('link') && !/\.[^/]+$/.test(file));
    if (isReadable(file) || otherForms.test(file) || hidesFiles) files.add(file);
    const folder = folderOf(file);
    if (isEnv(file)) {
      for (const one of all) if (folderOf(one) === folder && yaml.test(one)) files.add(one);
    }
    // The chart shows what values do not write, and the other way round.
    const charts = sides.flatMap((tree) => chartsAround(tree, folder));
    const isOfChart = (chart: string) => isPartOfChart(chart, file) || file === `${chart}values.yaml`;
    for (const chart of new Set(charts.filter(isOfChart))) {
      for (const one of all) {
        if (!one.startsWith(chart)) continue;
        if (isValuesFile(one) || (folderOf(one) === chart && chartFiles.test(one))) files.add(one);
      }
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

interface Look {
  readonly file: string;
  readonly kind: TreeFile['kind'] | undefined;
  /** What may name further images: the texts of a file that is read, else all of it. */
  readonly text: string;
  readonly known?: PinFile;
  readonly places: readonly LightdashPlace[];
  readonly embedded: readonly FoundPin[];
  readonly fault?: LightspanError;
  readonly canPin: boolean;
}

async function lookAt(
  tree: PinTree,
  file: string,
  { tagSuffix, isGiven = false }: SearchOptions,
): Promise<Look> {
  const entry = tree.files.get(file);
  const nothing = { file, kind: entry?.kind, text: '', places: [], embedded: [], canPin: false };
  if (entry === undefined) return nothing;
  try {
    const text = (await readText(tree, file)) ?? '';
    if (!isReadable(file) && !isGiven) return { ...nothing, text };
    if (isVariablesFile(file)) {
      const places = await variablesOfLightdash(tree, file, text);
      return { ...nothing, places, canPin: places.length > 0 };
    }
    const known = await openPinFile(tree, file);
    const { documents } = known;
    const scalars = documents.flatMap((one, document) =>
      scalarsIn(one).map(({ path, scalar }) => {
        const at = { file, path, document, line: known.lineOf(scalar) };
        return { scalar, pins: pinsInText(String(scalar.value), at, tagSuffix) };
      }),
    );
    const read = new Set(documents.flatMap(({ images }) => images.places.map(({ scalar }) => scalar)));
    const others = scalars.filter(({ scalar, pins }) => !read.has(scalar) && pins.length === 0);
    return {
      ...{ ...nothing, known },
      places: await placesInFile(tree, known),
      embedded: scalars.flatMap(({ pins }) => pins),
      text: others.map(({ scalar }) => String(scalar.value)).join('\n'),
      canPin: isGiven || isNamedLikePins(file) || documents.some(isDeployed),
    };
  } catch (error) {
    const fault = faultOfPin(error);
    const text = entry.kind === 'file' ? new TextDecoder().decode(await tree.read(entry)) : '';
    return { ...nothing, text, fault, canPin: isGiven || isNamedLikePins(file) };
  }
}

/** The pins in values that are one text, as in Applications of Argo CD. */
function pinsInText(
  text: string,
  { file, path, ...at }: Pick<FoundPin, 'file' | 'path' | 'document' | 'line'>,
  tagSuffix: string | undefined,
): readonly FoundPin[] {
  const inner = text.includes('\n') && /image|tag/i.test(text) ? readIfYaml(text, file) : undefined;
  if (inner === undefined) return [];
  return findLightdash(inner).map((place) => {
    const side = sideOf(() => pinIn(inner, place, { tagSuffix, giveFrom: pinOneRelease }));
    return newPin(patternOf(file, [...path, ...place.path]), file, side, { ...at, inputs: text });
  });
}

/** With the tags of the charts that a chart around values depends on, whatever these are called there. */
async function placesInFile(tree: PinTree, file: PinFile): Promise<readonly LightdashPlace[]> {
  if (chartFiles.test(file.file)) return placesInChart(file.documents);
  const places = findLightdash(file);
  if (!isValuesFile(file.file)) return places;
  const chart = await openBeside(tree, file, 'Chart.yaml');
  const charts = [...chart, ...(await openBeside(tree, file, 'requirements.yaml'))].flatMap(
    chartsOfLightdash,
  );
  // What it leaves out is a pin there.
  const isByChart = ({ isTagless, path }: LightdashPlace) =>
    isTagless && path.join('.') === 'image.tag' && placesInChart(chart).length > 0;
  const tags = charts.map(({ alias }) => placeAt([alias, 'image', 'tag']));
  return [...places.filter((place) => !isByChart(place)), ...tags];
}

const chartFiles = /(^|\/)(Chart|requirements)\.yaml$/;

/** The `appVersion` of a chart of Lightdash itself, and not of one around that. */
function placesInChart([chart]: readonly PinDocument[]): readonly LightdashPlace[] {
  const isOwn = isNamedLightdash(String(chart?.document.get('name')));
  return chart && isOwn && chartsOfLightdash(chart).length === 0 ? [placeAt(['appVersion'])] : [];
}

async function openBeside(tree: PinTree, { file }: PinFile, name: string): Promise<readonly PinDocument[]> {
  return readPinFile((await readText(tree, `${folderOf(file)}${name}`)) ?? '', name).documents;
}

function chartsOfLightdash(document: PinDocument): readonly ChartPlace[] {
  return chartsIn(document).filter(({ name }) => isNamedLightdash(name));
}

function placeAt(path: readonly string[]): LightdashPlace {
  return { path, document: 0, line: 1, isTagless: false };
}

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
    const read = readIfYaml((await readText(tree, one)) ?? '', one);
    const places = read === undefined ? [] : findLightdash(read);
    used.push(...places.map(({ path, document }) => String(read?.documents[document]?.document.getIn(path))));
  }
  const names = [...text.matchAll(/^\s*(?:export\s+)?(\w+)\s*[=:]/gm)].map(([, name = '']) => name);
  return [...new Set(names)]
    .filter(
      (name) => isPinOfLightdash(name) || used.some((image) => new RegExp(`\\$\\{?${name}\\b`).test(image)),
    )
    .map((name) => placeAt([name]));
}

/** What one side has at places that pin Lightdash on either. What another program has there is `isOther`. */
async function findOnSide(
  tree: PinTree,
  { file, kind, known, places: own, embedded }: Look,
  places: readonly LightdashPlace[],
  tagSuffix: string | undefined,
): Promise<readonly FoundPin[]> {
  if (kind === undefined) return [];
  const pins = new Map<string, FoundPin>();
  for (const path of new Set(places.map((place) => starred(place.path).join('.')))) {
    for (const pin of await findInFile(tree, file, patternOf(file, path.split('.')), tagSuffix, known)) {
      const isOther = !pin.isWholeFile && !own.some((place) => isAt(place, pin));
      if (pins.get(pin.id)?.isOther !== false) pins.set(pin.id, { ...pin, isOther });
    }
  }
  const found = [...pins.values(), ...embedded];
  if (known === undefined) return found;
  const charts = idsOf(tree, partsOfCharts(tree, folderOf(file)));
  /** A tag that is not written, although Lightdash is deployed: the chart decides it, by its own version. */
  const unwritten = (at: Pick<FoundPin, 'path' | 'document' | 'line'>, decidedBy: string) => {
    const why = notThisPin('no tag of the image is written, and the chart decides it', pinOneRelease);
    const inputs = charts === undefined ? undefined : `${decidedBy} ${charts}`;
    return newPin(patternOf(file, at.path), file, unreadable(why), { ...at, inputs });
  };
  for (const place of own.filter(({ isTagless }) => isTagless)) {
    const pin = found.find((one) => isAt(place, one));
    const image = known.documents[place.document]?.document.getIn(place.path.slice(0, -1));
    const left = unwritten(place, JSON.stringify(image));
    if (pin === undefined) found.push(left);
    else found[found.indexOf(pin)] = { ...pin, inputs: left.inputs };
  }
  const values = chartFiles.test(file) ? await openBeside(tree, known, 'values.yaml') : [];
  for (const [document, one] of known.documents.entries()) {
    const isIn = (place: { readonly document: number | undefined }) => place.document === document;
    if (own.some((place) => isIn(place) && !place.isTagless) || embedded.some(isIn)) continue;
    for (const { alias, path, written } of chartsOfLightdash(one)) {
      const isWritten = values.some(({ document }) => document.getIn([alias, 'image', 'tag']));
      if (!isWritten) found.push(unwritten({ path, document, line: undefined }, written));
    }
  }
  return found;
}

function readIfYaml(text: string, file: string): PinFile | undefined {
  try {
    return readPinFile(text, file);
  } catch (error) {
    faultOfPin(error);
    return undefined;
  }
}

/** Whether a file without pins cannot be read, or names other images. A template takes its own from values. */
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

function wholeFile({ file, fault }: Look): FoundPin {
  const noForm = 'it names an image of Lightdash in a form that is not read';
  const side = unreadable(
    fault ?? notThisPin(noForm, 'Name the pins with --pin, or in lightspan.pins.yaml.'),
  );
  return newPin(patternOf(file, ['*']), file, side, { isWholeFile: true });
}

/** The pattern of one file; `*` in the path is any item of a list. */
function patternOf(file: string, path: readonly string[]): PinPattern {
  const text = `${file}#${path.join('.')}`;
  return { text, path, matches: (one) => one === file, leadsThrough: () => false };
}

/** A path with `*` for the items of lists, which have other positions on the other side. */
function starred(path: readonly string[]): readonly string[] {
  return path.map((key) => (/^\d+$/.test(key) ? '*' : key));
}

function isAt(place: LightdashPlace, { path, document = place.document }: FoundPin): boolean {
  return document === place.document && path.join('.') === place.path.join('.');
}
