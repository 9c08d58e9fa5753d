import { isAlias, isMap, isScalar, isSeq, type Scalar } from 'yaml';
import { LightspanError } from '../errors.js';
import { ReleaseSafetyError } from '../release-safety/errors.js';
import type { PinnedRelease } from '../release-safety/pin-change.js';
import { parseTag, type Version } from '../release-safety/version.js';
import { type ImagePlace, isSameImage } from './image-places.js';
import { type FilledIn, keyOfPair, mergedInto, type PinDocument, readPinDocuments } from './pin-documents.js';

/** Where a version is pinned: a file, and the path of the value in it. */
export interface PinLocation {
  readonly file: string;
  readonly path: readonly string[];
  /** Which document of the file, from 0; undefined for the only one that has the path. */
  readonly document?: number | undefined;
}

/** The image that a file pins, as far as the file shows it. */
export interface PinnedImage extends PinLocation, PinnedRelease {
  /** As written, without a digest, such as `v1.214.0-custom`. */
  readonly tag: string;
  /** The part of the tag after the version, such as `-custom`; usually empty. */
  readonly suffix: string;
  /** The name under `services` of a compose file; the first one if an anchor is pinned. */
  readonly service: string | undefined;
}

/** A pinned image, and the exact places of its tag. */
export interface Pin extends PinnedImage {
  /** The scalars with the tag, whose `range` is their place in the text; the one that was named comes first. */
  readonly scalars: readonly Scalar[];
  /** Other places of the file that pin the same image, to be moved together. */
  readonly otherPlaces: readonly string[];
}

/** How to read a pin that the file does not contain literally. */
export interface PinReading extends FilledIn {
  /** The part of the tag after the version, such as `-custom`. */
  readonly tagSuffix?: string | undefined;
  /** The hint if the file does not show the version. */
  readonly giveFrom?: string | undefined;
}

/**
 * Reads `<file>#<path.to.value>`.
 *
 * @throws {LightspanError} `usage`
 */
export function parsePinLocation(text: string): PinLocation {
  const hash = text.lastIndexOf('#');
  const file = text.slice(0, hash);
  const path = text.slice(hash + 1).split('.');
  if (hash < 1 || path.includes('')) {
    throw new LightspanError('usage', `${JSON.stringify(text)} does not name a value in a file`, {
      hint: 'Write the file and the path of the value in it, for example values.yaml#image.tag.',
    });
  }
  return { file, path };
}

/** A place in the form of the command line. */
export function nameOfPin({ file, path }: PinLocation): string {
  return `${file}#${path.join('.')}`;
}

/**
 * Reads the image that a YAML or JSON file pins at a place: a tag, or an image with its tag. Anything but one exact
 * release, readable in the file itself, is refused. So is a pin that another place of the file contradicts: a digest
 * next to the tag, or the same image elsewhere with another tag.
 *
 * @param text of the file
 * @param documents of the text, if they are read already
 * @throws {LightspanError} `invalid-pin`, naming file and path
 */
export function readPin(
  text: string,
  location: PinLocation,
  {
    tagSuffix = '',
    giveFrom = 'Give the running version with --from instead.',
    ...filledIn
  }: PinReading = {},
  documents = readPinDocuments(text, location, filledIn),
): Pin {
  const { file, path } = location;
  const refuse = (what: string, hint: string) =>
    new LightspanError('invalid-pin', `${nameOfPin(location)}: ${what}`, { hint });

  const { node, parent, imageOf, places } = findNode(text, documents, location, refuse);
  if (isAlias(node)) {
    throw refuse(
      `it is an alias of the anchor "${node.source}"`,
      'Name the path of the value that the anchor marks.',
    );
  }
  if (isMap(node) && text.slice(node.range?.[0]).startsWith('{{')) throw refuse(template, giveFrom);
  if (!isScalar(node)) {
    throw refuse('it is a collection, not a tag', 'Name the path down to the tag, for example image.tag.');
  }
  if (isVersionOfChart(path, parent)) {
    throw refuse(
      'it is the version of a chart or of a repository, and not of Lightdash',
      `Name the tag of the image, for example image.tag of the values. ${giveFrom}`,
    );
  }
  const { value } = node;
  if (value === null || value === '') throw refuse('it is empty', giveFrom);
  if (typeof value !== 'string') {
    throw refuse(
      `it is not text: YAML reads ${node.source ?? 'it'} as ${JSON.stringify(value)}`,
      'Put the tag in quotes, so that YAML does not change it.',
    );
  }
  if (value.includes('{{')) throw refuse(template, giveFrom);
  const quoted = JSON.stringify(value);
  if (value.includes('$')) {
    const { variablesFault: fault } = filledIn;
    const why = fault === undefined ? '' : `; ${fault}`;
    throw refuse(`${quoted} is filled in from the environment${why}`, giveFrom);
  }

  const image = imageOf(value);
  const { tag, digest, registry, repository } = image;
  if (digest !== undefined && !(tag && wholeDigest.test(digest))) {
    throw refuse(`${quoted} pins a digest, which does not show the release`, giveFrom);
  }
  if (tag === undefined) throw refuse(`${quoted} has no tag, which means latest`, giveFrom);
  if (tag === 'latest') throw refuse('"latest" does not name a release', giveFrom);
  if (!tag.endsWith(tagSuffix)) {
    throw refuse(`the tag ${JSON.stringify(tag)} does not end in ${JSON.stringify(tagSuffix)}`, suffixHint);
  }
  let version: Version;
  try {
    version = parseTag(tag.slice(0, tag.length - tagSuffix.length));
  } catch (error) {
    if (!(error instanceof ReleaseSafetyError)) throw error;
    throw refuse(error.message, /^v?\d+\.\d+\.\d+[-+]/i.test(tag) ? suffixHint : giveFrom);
  }
  const same = placesOfSameImage({ path, image, scalar: node }, places, refuse, giveFrom);
  return {
    file,
    path,
    version,
    tag,
    suffix: tagSuffix,
    digest,
    registry,
    repository,
    service: [path, ...same.filter(({ scalar }) => scalar === node).map((place) => place.path)]
      .filter(([first, , last]) => first === 'services' && last === 'image')
      .map(([, service]) => service)[0],
    scalars: [...new Set([node, ...same.map(({ scalar }) => scalar)])],
    otherPlaces: same.map((place) => place.path.join('.')),
  };
}

/** The other places of a file that pin the image. They must pin the same, because each of them decides what runs. */
function placesOfSameImage(
  pin: ImagePlace,
  places: readonly ImagePlace[],
  refuse: Refuse,
  giveFrom: string,
): readonly ImagePlace[] {
  const { digestBeside, repository } = pin.image;
  if (digestBeside !== undefined) {
    throw refuse(
      `next to it is the digest ${JSON.stringify(digestBeside)}, which may belong to another release`,
      `Remove the digest. ${giveFrom}`,
    );
  }
  if (repository !== undefined && /[:@]/.test(repository)) {
    throw refuse(
      `next to it is ${JSON.stringify(repository)}, which is not the plain name of an image repository`,
      `Write registry, repository and tag separately. ${giveFrom}`,
    );
  }
  const same = places.filter((place) =>
    place.scalar === pin.scalar ? place.path.join('.') !== pin.path.join('.') : isSameImage(pin, place),
  );
  for (const { path, image } of [pin, ...same]) {
    if (image.mergedOver !== undefined)
      throw refuse(`the ${image.mergedOver} of ${path.join('.')} ${mergedToo}`, writeOnce);
  }
  const other = same.find((place) => describe(place) !== describe(pin));
  if (other !== undefined) {
    throw refuse(
      `it is ${describe(pin)}, and ${other.path.join('.')} in the same file is ${describe(other)}`,
      other.image.repository === undefined
        ? `Pin the same in both; if that is another program, write its repository next to its tag. ${giveFrom}`
        : `Pin the same in both. ${giveFrom}`,
    );
  }
  return same;
}

/** What decides which release an image is. */
function describe({ image }: ImagePlace): string {
  const { tag = 'without a tag', digest, digestBeside } = image;
  return [tag, digest, digestBeside].filter((part) => part !== undefined).join('@');
}

/**
 * Whether the value is the version of a chart, in files of charts and of tools that deploy them: its numbers look like
 * those of releases, in the same range.
 */
function isVersionOfChart(path: readonly string[], parent: unknown): boolean {
  const key = path.at(-1);
  // For Argo CD, and for Flux, which fetches charts as images too.
  if (key === 'targetRevision' || path.join('.') === 'spec.ref.tag') return true;
  const beside = isMap(parent) ? parent.items.map(keyOfPair) : [];
  return key === 'version' && (path[0] === 'dependencies' || beside.some((one) => chartKeys.has(one)));
}

/** Keys next to a version that show that it is the version of a chart. */
const chartKeys: ReadonlySet<string | undefined> = new Set(['chart', 'appVersion']);

const mergedToo = 'comes from a merge key (<<) too, and programs differ in which of the two they take';
const writeOnce = 'Write it in one place only.';
const template = 'it is a template, which is filled in elsewhere';
const wholeDigest = /^sha(?:256:[0-9a-f]{64}|512:[0-9a-f]{128})$/;
const suffixHint = 'If something follows the version in the tag, name that with --tag-suffix.';

type Refuse = (what: string, hint: string) => LightspanError;

/** The one value at the path, and the named images, over all documents of the file. */
function findNode(
  text: string,
  documents: readonly PinDocument[],
  { path, document: wanted }: PinLocation,
  refuse: Refuse,
) {
  const found = [];
  let places: readonly ImagePlace[] = [];
  for (const [i, document] of documents.entries()) {
    const { images } = document;
    places = places.concat(images.places);
    if (wanted !== undefined && wanted !== i) continue;
    const node = nodeAt(document, path, refuse);
    const parent = nodeAt(document, path.slice(0, -1), refuse);
    if (node !== undefined)
      found.push({
        node,
        parent,
        imageOf: (value: string) => images.imageOf(value, parent, path.at(-1) ?? ''),
      });
  }
  const [only, second] = found;
  if (only === undefined) {
    const merges = /<<["']?\s*:/.test(text);
    throw refuse(
      'there is nothing at that path',
      `Check the path, for example image.tag.${merges ? ' Name what a merge key (<<) brings in at the place where it is written.' : ''}`,
    );
  }
  if (second !== undefined) {
    throw refuse('more than one document of the file has it', 'Keep the pin in a separate file.');
  }
  return { ...only, places };
}

function nodeAt({ document, lineOf }: PinDocument, path: readonly string[], refuse: Refuse): unknown {
  let node: unknown = document.contents;
  for (const key of path) {
    if (isAlias(node)) {
      throw refuse(
        `the path leads through an alias of the anchor "${node.source}"`,
        'Name the path of the value that the anchor marks.',
      );
    }
    if (isMap(node)) {
      const pair = node.items.find((one) => keyOfPair(one) === key);
      if (pair !== undefined && mergedInto(node, document).has(key)) {
        throw refuse(
          `${key} in line ${lineOf(isScalar(pair.key) ? (pair.key.range?.[0] ?? 0) : 0)} ${mergedToo}`,
          writeOnce,
        );
      }
      node = pair?.value ?? undefined;
    } else if (isSeq(node)) node = /^\d+$/.test(key) ? node.items[Number(key)] : undefined;
    else return undefined;
  }
  return node;
}
