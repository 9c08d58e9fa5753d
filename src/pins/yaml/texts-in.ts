import { isScalar, type Scalar } from 'yaml';
import { scalarsIn } from '../../gather/files/yaml.js';
import { readOr } from '../found-pin.js';
import { withRelease } from '../written-pins.js';
import { chartsAt } from './charts.js';
import { findLightdash, type LightdashPlace } from './lightdash-places.js';
import { readIfYaml } from './open.js';
import {
  ambiguous,
  notThisPin,
  type Pin,
  type PinLocation,
  type PinReading,
  placeIn,
  releaseAt,
} from './pin-at.js';
import { findPlaces, type PinFile, readPinFile } from './pin-documents.js';
import { movePin, nameOfPin, notPlain, readPin } from './pinned-version.js';

/** YAML that is one value of a file, as the values of a chart are in an Application of Argo CD or a ConfigMap. */
interface TextIn {
  /** Of the value in the file, and which document of the file it is in, from 0. */
  readonly path: readonly string[];
  readonly document: number;
  readonly scalar: Scalar;
  readonly inner: PinFile;
}

/** Each value of a file that is YAML and may show an image. */
function textsIn({ file, documents }: PinFile): readonly TextIn[] {
  return documents.flatMap((yamlDocument, document) =>
    scalarsIn(yamlDocument).flatMap(({ path, scalar }) => {
      const text = String(scalar.value);
      const inner = /image|tag/i.test(text) ? yamlIn(text, file) : undefined;
      return inner === undefined ? [] : [{ path, document, scalar, inner }];
    }),
  );
}

/** Any text of one line is YAML too: without a map in it, it is a plain value. */
function yamlIn(text: string, file: string): PinFile | undefined {
  return /[\n{]/.test(text) ? readIfYaml(text, file) : undefined;
}

/** The places of such texts that pin Lightdash, each from the root of its text. */
export function lightdashInTexts(pinFile: PinFile) {
  return textsIn(pinFile).flatMap((outer) => {
    const around = pinFile.documents[outer.document];
    if (around === undefined) return [];
    const places = findLightdash(outer.inner, { around: chartsAt(around), isUsed: true });
    return places.map((place) => ({ outer, place }));
  });
}

/** The texts through which a path leads, in which `*` stands for every key and item, with the rest of the path in each. */
export function textsOnPath(pinFile: PinFile, path: readonly string[]) {
  return path.slice(1).flatMap((_, i) =>
    findPlaces(pinFile, [path.slice(0, i + 1)], '*').flatMap(({ path: to, document, node, isMerged }) => {
      const text = isScalar(node) && !isMerged ? node.value : undefined;
      const inner = typeof text === 'string' ? yamlIn(text, pinFile.file) : undefined;
      if (inner === undefined || !isScalar(node)) return [];
      return [{ outer: { path: to, document, scalar: node, inner }, path: path.slice(i + 1) }];
    }),
  );
}

/**
 * Reads a pin in a value that is YAML itself, and gives the file with another release there; undefined if the path leads
 * through none, or the file itself has it.
 *
 * @throws {LightspanError} `invalid-pin` for anything but one exact release, as {@link readPin}, and where another place
 * of the file pins another one: a parameter of Helm replaces a value.
 */
export function pinInText(text: string, location: PinLocation, reading: PinReading) {
  const pinFile = readPinFile(text, location.file);
  const isHere = ({ document }: { readonly document: number }) =>
    location.document === undefined || location.document === document;
  if (findPlaces(pinFile, [location.path]).some((place) => isHere(place) && !place.isMerged))
    return undefined;
  const found = textsOnPath(pinFile, location.path).filter(
    ({ outer, path }) => isHere(outer) && findPlaces(outer.inner, [path]).length > 0,
  );
  const [first, second] = found;
  if (first === undefined) return undefined;
  const shown = nameOfPin(location);
  if (second !== undefined) {
    const { message, hint } = ambiguous(pinFile, second.outer);
    throw notThisPin(`${shown}: ${message}`, hint);
  }
  const { outer, path } = first;
  const written = String(outer.scalar.value);
  const inside = { file: nameOfPin({ file: location.file, path: outer.path }), path };
  const inner = readPin(written, inside, reading);
  const whole = (more: string) => [...outer.path, ...more.split('.')].join('.');
  requireSameElsewhere(pinFile, shown, inner, reading);
  return {
    pin: {
      ...inner,
      file: location.file,
      path: [...outer.path, ...path],
      otherPlaces: inner.otherPlaces.map(whole),
    },
    /** @throws {LightspanError} `invalid-pin` where it cannot be edited in place */
    move: (version: string) => {
      const moved = withRelease(text, placesOutside(text, outer, inner), inner, version);
      const after = textsOnPath(readPinFile(moved, location.file), location.path).find(
        (place) => place.outer.document === outer.document,
      );
      // The text of the value must be what it would be as a file of its own.
      if (after?.outer.scalar.value !== movePin(written, inside, inner.suffix, version)) throw notPlain();
      return moved;
    },
  };
}

/** Each other place of Lightdash in the file has to pin the same release, since either may be what is deployed. */
function requireSameElsewhere(pinFile: PinFile, shown: string, pin: Pin, reading: PinReading): void {
  const own = findLightdash(pinFile).map((place) => ({ place, file: pinFile, path: place.path }));
  const inTexts = lightdashInTexts(pinFile).map(({ outer, place }) => ({
    place,
    file: outer.inner,
    path: [...outer.path, ...place.path],
  }));
  for (const { place, file, path } of [...own, ...inTexts]) {
    const name = nameOfPin({ file: pinFile.file, path });
    if (name === shown || place.isTagless) continue;
    const other = releaseOf(file, place, name, reading);
    if (other.tag === pin.tag && other.digest === pin.digest) continue;
    throw notThisPin(`${shown}: it is ${pin.tag}, and ${name} is ${other.tag}`, 'Pin the same in both.');
  }
}

function releaseOf(file: PinFile, place: LightdashPlace, name: string, reading: PinReading) {
  return readOr(
    () => releaseAt(placeIn(file, place), file, reading),
    ({ message, hint }) => {
      throw notThisPin(`${name}: ${message}`, hint);
    },
  );
}

/** Where the tags of a text stand in the file around it: the same words, in the same order, whatever is around them. */
function placesOutside(text: string, { scalar: { range }, inner }: TextIn, { scalars }: Pin) {
  const [from = 0, end = 0] = range ?? [];
  const written = text.slice(from, end);
  return scalars.map((scalar) => {
    const word = String(scalar.value);
    const start = inner.text.indexOf(word, scalar.range?.[0]);
    const [inside, outside] = [offsetsOf(word, inner.text), offsetsOf(word, written)];
    const at = outside[inside.indexOf(start)];
    if (at === undefined || inside.length !== outside.length) throw notPlain();
    return { written: word, offset: from + at };
  });
}

function offsetsOf(word: string, text: string): readonly number[] {
  const offsets: number[] = [];
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) offsets.push(at);
  return offsets;
}
