import { posix } from 'node:path';
import { isNode, isScalar } from 'yaml';
import { lazy, memoizeByObject } from '../../core/common/memoize.js';
import { isLightdashRepository, namesLightdash } from '../../core/lightdash-name.js';
import { captured } from '../../core/text/captured.js';
import { scalarsIn, type YamlDocument } from '../../gather/files/yaml.js';
import { type FoundPin, newPin, sideOf, unreadable } from '../found-pin.js';
import { isValuesFile, isVariablesFile, patternOf } from '../pin-pattern.js';
import { filesWith, folderOf, idsOf, type PinTree, pinOneRelease, readText } from '../pin-tree.js';
import { copyWithoutAlias, decidedByCharts } from '../yaml/chart-parts.js';
import { chartsOfLightdash, onlyLightdash, versionKeys } from '../yaml/charts.js';
import { findAt, tellApart } from '../yaml/found-at.js';
import { findLightdash, type LightdashPlace } from '../yaml/lightdash-places.js';
import { openIfYaml, variablesBeside } from '../yaml/open.js';
import { readByVersionOfHelm } from '../yaml/other-readings.js';
import { notThisPin, placeIn, releaseAt } from '../yaml/pin-at.js';
import { type PinFile, readPinFile } from '../yaml/pin-documents.js';
import { lightdashInTexts } from '../yaml/texts-in.js';
import type { Kind, PinSource } from './kind.js';

/**
 * Everything in YAML and JSON, recognised by its content: values of a chart, compose files with their variables,
 * kustomizations, manifests, HelmReleases, Applications, charts.
 */
export const yamlKind: Kind = {
  matches: (file, text, mayBeOf) =>
    isYaml(file) &&
    (namesLightdash(text) || (mayBeOf && /image|tag|version/i.test(text)) || isBlockOfValues.test(text)),
  read,
};

/**
 * YAML with lines of a template, such as Helmfile's: these are left out, and the rest is read. Both branches of a
 * condition count.
 */
export const helmfileKind: Kind = {
  matches: (file, text) => isYaml(file) && namesLightdash(text) && templateLine.test(text),
  read: (source) => {
    const text = source.text.replaceAll(templateLines, (line) => ' '.repeat(line.length));
    return yamlKind.read({ ...source, text, yaml: async () => readPinFile(text, source.file) });
  },
};

const templateLine = /^[ \t]{0,200}\{\{[^}\n]{0,400}\}\}[ \t]{0,200}$/m;
const templateLines = new RegExp(templateLine, 'gm');

/** Values of a chart that are one text, as in a ConfigMap. */
export const isBlockOfValues = /values[\w.]*["']?:\s*[|>]/i;

/** Includes `.gotmpl` of Helmfile, which is plain YAML where it has no template. */
export function isYaml(file: string): boolean {
  return /\.(?:ya?ml(?:\.gotmpl)?|json)$|(?:^|\/)Kustomization$/i.test(file) && !isVariablesFile(file);
}

async function read(source: PinSource): Promise<readonly FoundPin[]> {
  const { file, tree, tagSuffix, alsoAt } = source;
  const pinFile = await source.yaml();
  const ownPlaces = [...(await placesInFile(source, pinFile)), ...placesOfTemplates(pinFile)];
  const embedded = pinsInTexts(pinFile, tagSuffix);
  const charts = pinFile.documents.flatMap(chartsOfLightdash);
  const isChart = (path: readonly string[]) => charts.some((chart) => isSamePath(chart.path, path));
  const otherPlaces = alsoAt.filter(({ path }) => !isChart(path));
  const paths = [...ownPlaces, ...otherPlaces].map(({ path }) => starred(path));
  const ownAt = new Set(ownPlaces.map(placeOf));
  const written = findAt(
    tree,
    pinFile,
    [...new Map(paths.map((path) => [path.join('.'), path])).values()],
    tagSuffix,
  ).map((pin) => ({
    ...pin,
    inputs: inputsOf(pin, source, pinFile),
    isOther:
      pin.document === undefined ? !ownPlaces.some((place) => isAt(place, pin)) : !ownAt.has(placeOf(pin)),
  }));
  const taken = new Set<string>();
  const pins = [...written, ...embedded].filter(({ document, id }) => {
    const name = `${document} ${id}`;
    return !taken.has(name) && taken.add(name);
  });
  const decided = lazy(() => decidedByCharts(tree, file));
  /** A tag that is not written, although Lightdash is deployed: the chart decides it, by its own version. */
  const unwritten = async (at: Pick<FoundPin, 'path' | 'document' | 'line'>, decidedBy: string) => {
    const parts = await decided();
    const why = notThisPin('no image tag is written, so the chart decides', pinOneRelease);
    const inputs = parts === undefined ? undefined : `${decidedBy} ${parts}`;
    // Where the other side writes the tag of the only chart, the pin stands there.
    const [tag, second] = charts.length === 1 && isChart(at.path) ? otherPlaces : [];
    const place = tag === undefined || second !== undefined ? at : { ...at, path: tag.path, id: tag.id };
    return newPin(patternOf(file, place.path), file, unreadable(why), { ...place, inputs });
  };
  for (const place of ownPlaces.filter(({ isTagless }) => isTagless)) {
    const at = pins.findIndex((candidate) => isAt(place, candidate));
    const image = pinFile.documents[place.document]?.document.getIn(place.path.slice(0, -1));
    const left = await unwritten(place, JSON.stringify(image));
    const pin = pins[at];
    if (pin === undefined) pins.push(left);
    else pins[at] = { ...pin, inputs: left.inputs };
  }
  const ofCharts = await chartPins(source, pinFile, ownPlaces, embedded, unwritten);
  return tellApart(tree, pinFile, [...pins, ...ofCharts]);
}

/** What decides a pin that shows no release: its text and its variables. The rest of its file is compared anyway. */
function inputsOf(
  { path, document, side, inputs, value = '' }: FoundPin,
  { tree }: PinSource,
  pinFile: PinFile,
) {
  if (side.state !== 'unreadable' || document === undefined || inputs === undefined) return inputs;
  if (readByVersionOfHelm(pinFile, path, document) !== undefined) return inputs;
  if (value === '') return inputs;
  const beside = idsOf(tree, variablesBeside(pinFile));
  return beside === undefined ? undefined : [side.why, value, beside].join('\0');
}

/** Pins at the charts of Lightdash: unreadable where no tag is written, since the chart decides; otherwise absent. */
async function chartPins(
  source: PinSource,
  pinFile: PinFile,
  ownPlaces: readonly LightdashPlace[],
  embedded: readonly FoundPin[],
  unwritten: (at: Pick<FoundPin, 'path' | 'document' | 'line'>, decidedBy: string) => Promise<FoundPin>,
): Promise<readonly FoundPin[]> {
  const { file } = source;
  const values = chartFiles.test(file) ? await valuesBeside(source) : [];
  const pins = pinFile.documents.map(async (yamlDocument, document) => {
    const isIn = (place: { readonly document: number | undefined }) => place.document === document;
    const charts = chartsOfLightdash(yamlDocument);
    if (charts.length === 0) return [];
    const isTagged =
      ownPlaces.some((place) => isIn(place) && !place.isTagless) ||
      embedded.some(isIn) ||
      (await isTaggedByFiles(yamlDocument, source)) ||
      (await isTaggedByReleases(yamlDocument, source.tree));
    const ofCharts = charts.map(async ({ name, alias, path, written }) => {
      const isWritten =
        isTagged ||
        isTagInText(yamlDocument, path, pinFile.text) ||
        (values.length > 0 && values.every(({ document }) => document.getIn([alias, 'image', 'tag'])));
      // With a tag, the version of the chart moves nothing.
      const versions = versionKeys.map((key) => {
        const at = [...path, key];
        return newPin(patternOf(file, at), file, { state: 'absent' }, { document, isOther: true });
      });
      if (!isWritten) {
        const pin = await unwritten({ path, document, line: undefined }, written);
        return isSamePath(pin.path, path) ? [pin] : [pin, ...versions];
      }
      const version = String(yamlDocument.document.getIn([...path, 'version']));
      const copy =
        chartFiles.test(file) && (await copyWithoutAlias(source.tree, file, { name, alias, version }));
      if (copy) {
        const side = unreadable(notThisPin(`${copy} ${isWithoutAlias}`, 'Run helm dependency update.'));
        const at = { path, document, line: undefined, inputs: `${written} ${copy}` };
        return [newPin(patternOf(file, path), file, side, at)];
      }
      return versions;
    });
    return (await Promise.all(ofCharts)).flat();
  });
  return (await Promise.all(pins)).flat();
}

/** The values of a chart: those that Helm takes, or where these have no tag, all that stand beside them. */
async function valuesBeside(source: PinSource): Promise<readonly YamlDocument[]> {
  const folder = folderOf(source.file);
  const ownValues = await openBeside(source, 'values.yaml');
  const isTagged = ownValues.some(({ document }) => /\btag\b/.test(JSON.stringify(document.toJS() ?? '')));
  if (isTagged) return ownValues;
  const names = [...source.tree.files.keys()].filter(
    (file) => folderOf(file) === folder && isValuesFile(file) && file !== `${folder}values.yaml`,
  );
  return (await Promise.all(names.map((file) => openBeside(source, file.slice(folder.length))))).flat();
}

/** Whether the map of a chart has its tag filled in by a template, as a helmfile does. */
function isTagInText({ document }: YamlDocument, path: readonly string[], text: string): boolean {
  return /\bimage\.tag\b|\btag\b[^\n{]{0,80}\{\{/.test(writtenAt(document.getIn(path, true), text));
}

function writtenAt(node: unknown, text: string): string {
  return isNode(node) ? text.slice(node.range?.[0], node.range?.[1]) : '';
}

/** Whether a file of values that an object names in the same repository writes the tag: `$values/envs/prod/bi.yaml`. */
async function isTaggedByFiles(yamlDocument: YamlDocument, { file, tree }: PinSource): Promise<boolean> {
  const named = scalarsIn(yamlDocument).flatMap(({ path, scalar }) =>
    path.some((key) => fileKeys.test(key)) ? [String(scalar.value)] : [],
  );
  const files = named
    .flatMap((name) => [name.replace(/^\$[\w-]{1,80}\//, ''), posix.join(folderOf(file), name)])
    .filter((name) => tree.files.get(name)?.kind === 'file' && isYaml(name));
  const read = files.map((name) => openIfYaml(tree, name));
  return (await Promise.all(read)).some(
    (values) =>
      values !== undefined &&
      findLightdash(values, { around: onlyLightdash, isUsed: true }).some(({ isTagless }) => !isTagless),
  );
}

const fileKeys = /^(?:valueFiles|valuesFiles?|additionalValuesFiles|values)$/;

/**
 * Whether all HelmReleases of a side that take their chart from an object of Flux, by `chartRef`, write a tag of
 * Lightdash beside it: then the version of that chart moves nothing.
 */
async function isTaggedByReleases({ document }: YamlDocument, tree: PinTree): Promise<boolean> {
  const object = objectIn(document.get('kind'), document.getIn(['metadata', 'name']));
  if (!/^(?:OCIRepository|HelmChart)\//.test(object)) return false;
  const taking = (await releasesOf(tree)).filter((release) => release.object === object);
  return taking.length > 0 && taking.every(({ isTagged }) => isTagged);
}

const releasesOf = memoizeByObject(async (tree: PinTree) => {
  const releases: { readonly object: string; readonly isTagged: boolean }[] = [];
  for (const file of await filesWith(tree, 'chartRef')) {
    const read = await openIfYaml(tree, file);
    for (const yamlDocument of read?.documents ?? []) {
      const at = (key: string) => yamlDocument.document.getIn(['spec', 'chartRef', key]);
      if (read === undefined || at('name') === undefined) continue;
      const places = findLightdash({ ...read, documents: [yamlDocument] }, { isUsed: true });
      releases.push({
        object: objectIn(at('kind'), at('name')),
        isTagged: places.some(({ isTagless }) => !isTagless),
      });
    }
  }
  return releases;
});

function objectIn(kind: unknown, name: unknown): string {
  return `${kind}/${name}`;
}

const isWithoutAlias =
  'is not of the version that the chart asks for: Helm deploys it without its alias, and so without its values';

/**
 * The values of Helmfile's environments, and those beside its releases, from which a template takes the tag of
 * Lightdash: they count in all releases, and each environment has its own.
 */
function placesOfTemplates({ documents, text }: PinFile): readonly LightdashPlace[] {
  const taken = new Set(
    documents.flatMap((yamlDocument) =>
      chartsOfLightdash(yamlDocument).flatMap(({ path }) => {
        const written = writtenAt(yamlDocument.document.getIn(path, true), text);
        return captured(written, tagFromValues);
      }),
    ),
  );
  if (taken.size === 0) return [];
  return documents.flatMap((yamlDocument, document) =>
    yamlDocument.nodes().flatMap(({ path, node }) => {
      const [, name] = /^(?:environments\.[^.]+\.)?values\.\d+\.(.+)$/.exec(path.join('.')) ?? [];
      if (name === undefined || !taken.has(name) || !isScalar(node)) return [];
      return [{ path, document, line: 1, isTagless: false }];
    }),
  );
}

const tagFromValues =
  /\btag\b[^\n{]*(?:\n[^\n{]*\bvalue\b[^\n{]*)?\{\{-?\s*\.(?:State|Environment\.)?Values\.([\w.]+)/gi;

/** The pins in values that are one text, as in Applications of Argo CD. */
function pinsInTexts(pinFile: PinFile, tagSuffix: string | undefined): readonly FoundPin[] {
  return lightdashInTexts(pinFile).map(({ outer: { path, document, scalar, inner }, place }) => {
    const side = sideOf(() =>
      releaseAt(placeIn(inner, place), inner, { tagSuffix, giveFrom: pinOneRelease }),
    );
    const at = {
      document,
      line: pinFile.lineOf(scalar),
      inputs: inner.text,
      value: String(place.scalar?.value),
    };
    return newPin(patternOf(pinFile.file, [...path, ...place.path]), pinFile.file, side, at);
  });
}

/** The places of a file; in values of a chart, also the tags of the Lightdash charts it depends on, by their alias. */
async function placesInFile(source: PinSource, pinFile: PinFile): Promise<readonly LightdashPlace[]> {
  const { file } = source;
  if (chartFiles.test(file)) return placesInChart(pinFile.documents);
  const chart = isValuesFile(file) ? await openBeside(source, 'Chart.yaml') : [];
  const name = chart[0]?.document.get('name');
  const places = findLightdash(pinFile, {
    isGiven: source.isGiven === true,
    isUsed: source.isUsed === true,
    chart: typeof name === 'string' ? name : '',
  });
  if (!isValuesFile(file)) return places;
  const beside = [...chart, ...(await openBeside(source, 'requirements.yaml'))];
  const charts = beside.flatMap(chartsOfLightdash);
  // Where the chart's own `appVersion` is the pin, its empty tag is not a second one.
  const isByChart = ({ isTagless, path }: LightdashPlace) =>
    isTagless && path.join('.') === 'image.tag' && placesInChart(chart).length > 0;
  const tags = charts.map(({ alias }) => placeAt([alias, 'image', 'tag']));
  return [...places.filter((place) => !isByChart(place)), ...tags];
}

export const chartFiles = /(^|\/)(Chart|requirements)\.yaml$/;

/** The `appVersion` of Lightdash's own chart; none for a chart that only depends on it. */
function placesInChart([chart]: readonly YamlDocument[]): readonly LightdashPlace[] {
  const isOwn = isLightdashRepository(String(chart?.document.get('name')));
  return chart && isOwn && chartsOfLightdash(chart).length === 0 ? [placeAt(['appVersion'])] : [];
}

async function openBeside({ tree, file }: PinSource, name: string): Promise<readonly YamlDocument[]> {
  return readPinFile((await readText(tree, `${folderOf(file)}${name}`)) ?? '', name).documents;
}

function placeAt(path: readonly string[]): LightdashPlace {
  return { path, document: 0, line: 1, isTagless: false };
}

/** A path with `*` for the items of lists, which have other positions on the other side. */
function starred(path: readonly string[]): readonly string[] {
  return path.map((key) => (/^\d+$/.test(key) ? '*' : key));
}

function placeOf({ document, path }: Pick<FoundPin, 'document' | 'path'>): string {
  return `${document} ${path.join('.')}`;
}

function isAt(place: LightdashPlace, { path, document = place.document }: FoundPin): boolean {
  return document === place.document && isSamePath(path, place.path);
}

function isSamePath(one: readonly string[], other: readonly string[]): boolean {
  return one.join('.') === other.join('.');
}
