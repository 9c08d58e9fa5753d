import { isAlias, isMap, isScalar, type Scalar } from 'yaml';
import { groupBy } from '../../core/common/group-by.js';
import { memoize, memoizeByObject } from '../../core/common/memoize.js';
import { isInputError, LightspanError } from '../../core/lightspan-error.js';
import type { PinnedRelease } from '../../core/pins.js';
import { parseTag, type Version } from '../../core/version.js';
import type { YamlDocument } from '../../gather/files/yaml.js';
import { chartsAt, partsOfLightdash } from './charts.js';
import {
  type ImagePlace,
  imagesOf,
  isPartOfLightdash,
  isPartOfOtherProgram,
  isSameImage,
  lastNameOf,
  partAround,
} from './image-places.js';
import { keyOfKustomize, readByVersionOfHelm, takenAwayByCompose } from './other-readings.js';
import { findPlaces, type PinFile, type PinPlace } from './pin-documents.js';

export interface PinLocation {
  readonly file: string;
  readonly path: readonly string[];
  /** Which document of the file, from 0; undefined for the only one that has the path. */
  readonly document?: number | undefined;
}

/** The image that a file pins, as far as the file shows it, and the exact places of its tag. */
export interface Pin extends PinLocation, PinnedRelease {
  /** As written, without a digest, such as `v1.214.0-custom`. */
  readonly tag: string;
  /** The part of the tag after the version, such as `-custom`; usually empty. */
  readonly suffix: string;
  /** The name under `services` of a compose file; the first one if an anchor is pinned. */
  readonly service: string | undefined;
  /** Whether docker compose reads it: as the image of a service, or in its file of variables. */
  readonly isOfCompose: boolean;
  /** The scalars with the tag, whose `range` is their place in the text; the one that was named comes first. */
  readonly scalars: readonly Scalar[];
  readonly otherPlaces: readonly string[];
  /** The image as each place names it: the registries may differ. */
  readonly images: readonly Pick<ImagePlace['image'], 'registry' | 'repository'>[];
  /** The variable that gives the release, where it stands in another file: in the `.env` beside a compose file. */
  readonly variable?: { readonly file: string; readonly name: string; readonly written: string } | undefined;
}

export interface PinReading {
  readonly tagSuffix?: string | undefined;
  readonly giveFrom?: string | undefined;
}

/** The one place of a file that was read. */
export function placeIn(file: PinFile, { path, document }: Omit<PinLocation, 'file'>): PinPlace {
  const [place, second] = findPlaces(file, [path]).filter(
    (candidate) => !candidate.isMerged && (document === undefined || document === candidate.document),
  );
  if (place === undefined) {
    const merges = /<<["']?\s*:/.test(file.text);
    throw notThisPin(
      'there is nothing at that path',
      `Check the path, for example image.tag.${merges ? ' Name a value from a merge key (<<) at the place where it is written.' : ''}`,
    );
  }
  if (second !== undefined) throw ambiguous(file, second);
  return place;
}

export function notThisPin(why: string, hint: string | undefined): LightspanError {
  return new LightspanError('invalid-pin', why, { hint });
}

/** The error for a path that several documents of a file have, without names that distinguish them. */
export function ambiguous(
  file: PinFile,
  { path, document }: Pick<PinPlace, 'path' | 'document'>,
): LightspanError {
  const refusal = readByVersionOfHelm(file, path, document);
  if (refusal !== undefined) return notThisPin(refusal.why, refusal.hint);
  return notThisPin('several documents of the file have it', 'Keep the pin in a separate file.');
}

export function pinAt(place: PinPlace, pinFile: PinFile, reading: PinReading): Pin {
  const { path, node } = place;
  const { image, ...release } = releaseAt(place, pinFile, reading);
  const scalar = node as Scalar;
  const same = placesOfSameImage({ path, image, scalar }, pinFile.documents);
  const paths = [
    path,
    ...same.filter((samePlace) => samePlace.scalar === node).map((samePlace) => samePlace.path),
  ];
  const service = paths.find(([first, , last]) => first === 'services' && last === 'image')?.[1];
  return {
    ...{ file: pinFile.file, path, suffix: reading.tagSuffix ?? '', ...release },
    ...{ service, isOfCompose: service !== undefined },
    scalars: [...new Set([scalar, ...same.map((samePlace) => samePlace.scalar)])],
    otherPlaces: same.map((samePlace) => samePlace.path.join('.')),
    images: [image, ...same.map((samePlace) => samePlace.image)],
  };
}

export const giveRunningVersion = 'Pass the running version with --from instead.';

/** The release of a place without the other places of its image: a file may have thousands of pins. */
export function releaseAt(
  { path, node, parent, images, mergedOver, document }: PinPlace,
  pinFile: PinFile,
  { tagSuffix = '', giveFrom: hintOfCaller }: PinReading,
): Pick<Pin, 'version' | 'tag' | keyof PinnedRelease> & { readonly image: ImagePlace['image'] } {
  const { text, documents, variablesFault } = pinFile;
  const giveFrom = hintOfCaller ?? giveRunningVersion;
  const whereNone = hintOfCaller ?? versionOfInstance;
  const refuse = notThisPin;
  if (mergedOver !== undefined) {
    throw refuse(`${mergedOver.key} in line ${mergedOver.line} ${mergedToo}`, writeOnce);
  }
  if (isAlias(node)) {
    throw refuse(
      `the path leads to an alias of the anchor "${node.source}"`,
      'Name the path of the anchored value.',
    );
  }
  if (isMap(node) && text.slice(node.range?.[0]).startsWith('{{')) throw refuse(template, giveFrom);
  if (!isScalar(node)) {
    throw refuse('it is a collection, not a tag', 'Name the path down to the tag, for example image.tag.');
  }
  if (isVersionOfChart(path, parent)) {
    throw refuse(
      'it is the version of a chart or repository, not of Lightdash',
      `Name the tag of the image, for example image.tag of the values. ${giveFrom}`,
    );
  }
  const refusal =
    readByVersionOfHelm(pinFile, path, document) ??
    keyOfKustomize(pinFile, parent, document) ??
    takenAwayByCompose(pinFile, path, document);
  if (refusal !== undefined) throw refuse(refusal.why, refusal.hint);
  const { value } = node;
  if (value === null || value === '') throw refuse('it is empty', whereNone);
  if (typeof value !== 'string') {
    throw refuse(
      `it is not text: YAML reads ${node.source ?? 'it'} as ${JSON.stringify(value)}`,
      'Put the tag in quotes, so that YAML does not change it.',
    );
  }
  if (value.includes('{{')) throw refuse(template, giveFrom);
  const quoted = JSON.stringify(value);
  if (value.includes('$')) {
    const why = variablesFault === undefined ? '' : `; ${variablesFault}`;
    throw refuse(`${quoted} is set by the environment${why}`, giveFrom);
  }
  if (/[\s\u0085]/.test(value)) throw refuse(`${quoted} has white space, which no image name has`, giveFrom);

  const image = images.imageOf(value, parent, path.at(-1) ?? '');
  const { tag, digest, registry, repository } = image;
  if (digest !== undefined && !(tag && wholeDigest.test(digest))) {
    throw refuse(`${quoted} pins a digest, which does not show the release`, giveFrom);
  }
  if (tag === undefined) throw refuse(`${quoted} has no tag, which means latest`, whereNone);
  if (tag === 'latest') throw refuse('"latest" does not name a release', whereNone);
  const version = versionOfTag(tag, tagSuffix, giveFrom);
  requireSame({ path, image, scalar: node }, documents, giveFrom);
  return { version, tag, digest, registry, repository, image };
}

export function versionOfTag(tag: string, tagSuffix: string, giveFrom: string): Version {
  const [, suffix = ''] = /^v?\d+\.\d+\.\d+([-+][\w.+-]*)$/i.exec(tag) ?? [];
  const hint =
    suffix !== ''
      ? `If ${suffix} is the suffix of your own images, pass --tag-suffix ${suffix}.`
      : tag.endsWith(tagSuffix)
        ? giveFrom
        : 'If the tag has a suffix, pass --tag-suffix.';
  if (!tag.endsWith(tagSuffix)) {
    throw notThisPin(`the tag ${JSON.stringify(tag)} does not end in ${JSON.stringify(tagSuffix)}`, hint);
  }
  try {
    return parseTag(tag.slice(0, tag.length - tagSuffix.length));
  } catch (error) {
    if (!isInputError(error)) throw error;
    throw notThisPin(error.message, hint);
  }
}

/** The other places of a file that pin the image must pin the same, because each of them decides what runs. */
function requireSame(pin: ImagePlace, documents: readonly YamlDocument[], giveFrom: string): void {
  const { digestBeside, repository } = pin.image;
  if (digestBeside !== undefined) {
    throw notThisPin(
      `next to it is the digest ${JSON.stringify(digestBeside)}, which may belong to another release`,
      `Remove the digest. ${giveFrom}`,
    );
  }
  if (repository !== undefined && /[:@]/.test(repository)) {
    throw notThisPin(
      `next to it is ${JSON.stringify(repository)}, which is not the plain name of an image repository`,
      `Write registry, repository and tag separately. ${giveFrom}`,
    );
  }
  const around = [
    `named ${lastNameOf(repository ?? 'lightdash')}`,
    'called so',
    partOf(partAround(pin.path)),
  ];
  const same = around.flatMap((where) => tellingIn(documents).get(where) ?? []);
  for (const { path, image } of [pin, ...same]) {
    if (image.mergedOver !== undefined)
      throw notThisPin(`the ${image.mergedOver} of ${path.join('.')} ${mergedToo}`, writeOnce);
  }
  const here = describe(pin);
  const differing = same.find((place) => describe(place) !== here);
  if (differing !== undefined) throw refusalOf(differing)(`${here}\0${giveFrom}`);
}

/** Why a pin is refused beside a place that differs: made once for all pins of the file that are alike. */
const refusalOf = memoizeByObject((differing: ImagePlace) =>
  memoize((pin) => {
    const [here, giveFrom] = pin.split('\0');
    return notThisPin(
      `it is ${here}, and ${differing.path.join('.')} in the same file is ${describe(differing)}`,
      differing.image.repository === undefined
        ? `Pin the same in both; if one is another program, write its repository next to its tag. ${giveFrom}`
        : `Pin the same in both. ${giveFrom}`,
    );
  }),
);

function placesOfSameImage(pin: ImagePlace, documents: readonly YamlDocument[]): readonly ImagePlace[] {
  return imagesIn(documents).filter((place) =>
    place.scalar === pin.scalar ? place.path.join('.') !== pin.path.join('.') : isSameImage(pin, place),
  );
}

/**
 * The images of all documents. Where the file deploys a chart of Lightdash, images without a name are left out in
 * documents of other charts in which nothing names Lightdash.
 */
function imagesIn(documents: readonly YamlDocument[]): readonly ImagePlace[] {
  const isBesideOwn = documents.some((yamlDocument) => chartsAt(yamlDocument).isOwn);
  return documents.flatMap((yamlDocument) => {
    const { places } = imagesOf(yamlDocument);
    return isBesideOwn && chartsAt(yamlDocument).isAny && !partsOfLightdash(yamlDocument).has('')
      ? places.filter(({ image }) => image.repository !== undefined)
      : places;
  });
}

/**
 * Of the images of a file, the few places that show whether all places of one image agree, by what groups them: the name
 * of the repository, or without one the part around the place, or a name like a part of Lightdash. Made once for a file,
 * so that many pins do not each compare all places.
 */
const tellingIn = memoizeByObject((documents: readonly YamlDocument[]) => {
  const images = imagesIn(documents).filter(({ image }) => image.repository?.includes('://') !== true);
  const whereOf = ({ path, image }: ImagePlace) => {
    if (image.repository !== undefined) return [`named ${lastNameOf(image.repository)}`];
    if (isPartOfOtherProgram(path)) return [];
    const parts = path.map((_, i) => partOf(path.slice(0, i)));
    return isPartOfLightdash(path) ? [...parts, 'called so'] : parts;
  };
  const groups = groupBy(
    images.flatMap((place) => whereOf(place).map((where) => ({ where, place }))),
    ({ where }) => where,
  );
  return new Map([...groups].map(([where, group]) => [where, tellingOf(group.map(({ place }) => place))]));
});

function partOf(path: readonly string[]): string {
  return `in ${path.join('\0')}`;
}

/** Of places that must agree, those that show whether they do: the first, and the first that differs from it. */
function tellingOf(group: readonly ImagePlace[]): readonly ImagePlace[] {
  const [first] = group;
  const shown = first && describe(first);
  const places = [
    first,
    group.find((place) => describe(place) !== shown),
    group.find(({ image }) => image.mergedOver !== undefined),
  ];
  return places.filter((place) => place !== undefined);
}

function describe({ image }: ImagePlace): string {
  const { tag = 'without a tag', digest, digestBeside } = image;
  return [tag, digest, digestBeside].filter((part) => part !== undefined).join('@');
}

/** The numbers of charts look like those of releases, in the same range. */
function isVersionOfChart(path: readonly string[], parent: unknown): boolean {
  const key = path.at(-1);
  // For Argo CD, and for Flux, which fetches charts as images too.
  if (key === 'targetRevision' || (key === 'tag' && path.join('.') === 'spec.ref.tag')) return true;
  if (key !== 'version') return false;
  return path[0] === 'dependencies' || (isMap(parent) && (parent.has('chart') || parent.has('appVersion')));
}

const mergedToo = 'also comes from a merge key (<<), and programs differ in which one they take';

const writeOnce = 'Write it in one place only.';

/** What to do where a file leaves the release to a chart, or to whatever `latest` is. */
export const versionOfInstance =
  'The version comes from the instance: pass --instance <url> or --from <version>. lightspan init ' +
  '--instance <url>, or --kubernetes, prints the two lines that pin it.';

const template = 'it is a template; its value is set elsewhere';

const wholeDigest = /^sha(?:256:[0-9a-f]{64}|512:[0-9a-f]{128})$/;
