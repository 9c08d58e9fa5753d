import { isAlias, isMap, isScalar, isSeq, Scalar, type YAMLMap } from 'yaml';
import { memoizeByObject } from '../../core/common/memoize.js';
import { publishersImage } from '../../core/lightdash-name.js';
import { keyText, type YamlDocument } from '../../gather/files/yaml.js';
import {
  type ImageReference,
  parseImageReference,
  parseTag,
  parseTagOrReference,
} from '../../instance/image-reference.js';

/** An image: its reference and the fields next to it that name it. */
interface NamedImage extends ImageReference {
  /** A digest under a key of its own. */
  readonly digestBeside?: string | undefined;
  /** A key of it that its map has itself, and that a merge key (`<<`) brings too. */
  readonly mergedOver?: string | undefined;
}

/** An image that a file names, and the place of its tag. */
export interface ImagePlace {
  readonly path: readonly string[];
  readonly image: NamedImage;
  /** What stands under `name` beside it. */
  readonly name?: string | undefined;
  /** The scalar with the tag, or with the whole reference; for an alias, the one that its anchor marks. */
  readonly scalar: Scalar;
}

/** Keys for a tag in maps that describe an image, in Helm values, kustomize and older charts. */
export const tagKeys = ['tag', 'newTag', 'imageTag', 'version'];
const repositoryKeys = ['repository', 'repo', 'newName'];
const digestKeys = ['digest', 'imageDigest', 'sha', 'sha256'];
const mergedKeys = new Set([...tagKeys, ...repositoryKeys, ...digestKeys, 'registry', 'image', 'name']);

/** By key; under `<<`, the name of a key that merge keys bring too. */
type Fields = ReadonlyMap<string, Scalar>;

export type DocumentImages = ReturnType<typeof imagesOf>;

/** The images of a document, found once: `image` as one text, and maps that have a tag or a digest of an image. */
export const imagesOf = memoizeByObject((document: YamlDocument) => {
  const { resolve } = document;
  const fieldsAt = memoizeByObject((map: YAMLMap) => fieldsOf(map, document));
  const places = document.nodes().flatMap(({ path, node }): readonly ImagePlace[] => {
    const referenceAt = (key: string, scalar: unknown, name?: string) =>
      isScalar(scalar) && /[:/]/.test(String(scalar.value))
        ? [{ path: [...path, key], image: parseImageReference(String(scalar.value)), name, scalar }]
        : [];
    if (isSeq(node)) {
      return path.at(-1) === 'images' ? node.items.flatMap((item, i) => referenceAt(String(i), item)) : [];
    }
    if (!isMap(node)) return [];
    const fieldsOfMap = fieldsAt(node);
    const aliases = node.items.flatMap(({ key, value }) => {
      const name = keyText(key);
      if (!isImageKey(name) || (name === 'image' && !isAlias(value))) return [];
      const target = resolve(value);
      // An image that is an alias of a map is listed here too, even if the map itself does not look like an image.
      const fields = isAlias(value) && isMap(target) ? fieldsAt(target) : new Map();
      return [
        ...placesOf(fields, [...path, name]),
        ...(name === 'image' ? [] : referenceAt(name, target, fieldText(fieldsOfMap, 'name'))),
      ];
    });
    return [...placesOf(fieldsOfMap, path), ...aliases];
  });
  return {
    /** In the order of the document. */
    places,
    /** The image whose tag, or whole reference, is the text under a key of a map; merge keys (`<<`) are followed. */
    imageOf: (text: string, map: unknown, key: string) =>
      imageIn(isMap(map) ? fieldsAt(map) : new Map(), key, text),
  };
});

function fieldsOf(map: YAMLMap, { resolve, mergedInto }: YamlDocument): Fields {
  const fields = new Map<string, Scalar>();
  const scalarAt = (name: string, value: unknown) => {
    const node = resolve(value);
    // Not readable, for example a template, but present.
    return isScalar(node) ? node : digestKeys.includes(name) ? new Scalar('{…}') : undefined;
  };
  for (const { key, value } of map.items) {
    const scalar = scalarAt(keyText(key), value);
    if (scalar !== undefined) fields.set(keyText(key), scalar);
  }
  for (const [name, { value }] of mergedInto(map)) {
    const scalar = mergedKeys.has(name) ? scalarAt(name, value) : undefined;
    if (scalar === undefined) continue;
    if (!fields.has(name)) fields.set(name, scalar);
    else if (name !== 'name') fields.set('<<', new Scalar(name));
  }
  return fields;
}

function placesOf(fields: Fields, path: readonly string[]): ImagePlace[] {
  const places: ImagePlace[] = [];
  const add = (key: string, text = fieldText(fields, key)) => {
    const scalar = fields.get(key);
    if (scalar === undefined) return;
    const name = fieldText(fields, 'name');
    places.push({ path: [...path, key], image: imageIn(fields, key, text), name, scalar });
  };
  const isImage = isImageKey(path.at(-1) ?? '');
  const set = (key: string) => fieldText(fields, key) !== '';
  const named = [...repositoryKeys, 'image'].some(set);
  const tagKey = tagKeys.find(set);
  if (tagKey !== undefined) {
    if (isImage || named || tagKey === 'newTag' || tagKey === 'imageTag') add(tagKey);
  } else if (isImage || named) {
    // It has no tag, or leaves it to the chart: then the digest or the repository is the place.
    const removed = tagKeys.find((key) => fields.get(key)?.value === null);
    const keyWithoutTag =
      digestKeys.find(set) ?? (isImage ? (repositoryKeys.find(set) ?? removed) : undefined);
    if (keyWithoutTag !== undefined) add(keyWithoutTag, '');
  }
  // A parameter of Helm, as Argo CD writes it.
  if (tagOfHelm.test(fieldText(fields, 'name')) && set('value')) add('value');
  // The same as keys of their own, as `set` of a HelmChart of k3s has them.
  if (path.at(-1) === 'set') for (const key of fields.keys()) if (tagOfHelm.test(key) && set(key)) add(key);
  const image = fieldText(fields, 'image');
  // A text that only names the image of the tag next to it is not another image.
  if (image !== '' && (tagKey === undefined || parseImageReference(image).tag !== undefined)) add('image');
  // In values, null removes the default of the chart.
  else if (fields.get('image')?.value === null) add('image', '');
  return places;
}

const tagOfHelm = /(^|\.)image\.tag$/;

function imageIn(fields: Fields, key: string, text: string): NamedImage {
  const around = tagOfHelm.test(key) ? key.slice(0, -'tag'.length) : '';
  const beside = { digestBeside: firstOf(fields, digestKeys, around), mergedOver: firstOf(fields, ['<<']) };
  if (key === 'image') return { ...parseImageReference(text), ...beside };
  const image = firstOf(fields, ['image']);
  const repository =
    firstOf(fields, repositoryKeys, around) ??
    (key === 'newTag' ? firstOf(fields, ['name']) : undefined) ??
    // Its own tag is a separate place.
    image?.replace(/[:@][^/]*$/, '');
  const parsed = repository === undefined ? parseTagOrReference(text) : parseTag(text);
  if (parsed.repository !== undefined) return { ...parsed, ...beside };
  const registry = firstOf(fields, ['registry'], around);
  // An address, or a name with a tag, is kept as it is.
  const parts =
    repository === undefined || repository.includes('://') ? undefined : parseImageReference(repository);
  return {
    ...parsed,
    registry: registry ?? parts?.registry,
    repository: parts?.registry === undefined ? repository : repository?.slice(parts.registry.length + 1),
    ...beside,
  };
}

/** @param around what leads to each name, where a key is a path: `image.` */
function firstOf(fields: Fields, names: readonly string[], around = ''): string | undefined {
  for (const name of names) {
    const text = fieldText(fields, around + name);
    if (text !== '') return text;
  }
  return undefined;
}

function isImageKey(key: string): boolean {
  return /image$/i.test(key);
}

function fieldText(fields: Fields, key: string): string {
  const scalar = fields.get(key);
  if (scalar?.value === null || scalar === undefined) return '';
  return typeof scalar.value === 'string' ? scalar.value : (scalar.source ?? String(scalar.value));
}

/** Parts of a chart's values that run other programs, often with a tag but without a repository. */
const otherProgram = /^(?:postgresql|browserless(?:-chrome)?|nats|minio|redis|scaleDownWorkloads)$/;

/** Names of the parts of Lightdash in charts and compose files. */
const partOfLightdash = /lightdash|backend|scheduler|worker|migrat/i;

/**
 * Whether another place of a file pins the same image as `pin`, whatever its tag: the registry may differ, the name of
 * the repository may not. A place without a repository, which the chart then decides, counts as the same image if it is
 * next to the pin or named like a part of Lightdash, unless it is in a part of the chart that runs another program.
 */
export function isSameImage(pin: Omit<ImagePlace, 'scalar'>, place: Omit<ImagePlace, 'scalar'>): boolean {
  if (place.image.repository !== undefined) {
    // An address here means a chart.
    if (place.image.repository.includes('://')) return false;
    // The chart's default repository if a pin does not name one.
    return lastNameOf(place.image.repository) === lastNameOf(pin.image.repository ?? publishersImage);
  }
  if (isPartOfOtherProgram(place.path)) return false;
  return partAround(pin.path).every((key, i) => place.path[i] === key) || isPartOfLightdash(place.path);
}

/** The part that a place is in: of `lightdash.image.tag` it is `lightdash`, in which `lightdash.web.image.tag` is too. */
export function partAround(path: readonly string[]): readonly string[] {
  return path.slice(0, path.at(-2) === 'image' ? -2 : -1);
}

/** Whether a place is in something that is named like a part of Lightdash. */
export function isPartOfLightdash(path: readonly string[]): boolean {
  return path.some((key) => partOfLightdash.test(key));
}

/** Mirrors keep the last part of a repository. */
export function lastNameOf(repository: string): string {
  return repository.replace(/[:@][^/]*$/, '').replace(/^.*\//, '');
}

/** Whether a place is in a part of Lightdash's chart that runs another program. */
export function isPartOfOtherProgram(path: readonly string[]): boolean {
  return path.some((key) => otherProgram.test(key));
}
