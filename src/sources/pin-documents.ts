import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Pair,
  type Scalar,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { LightspanError } from '../errors.js';
import { type DocumentImages, findImages } from './image-places.js';
import { fillVariables, type Variables } from './variables.js';
import { readYamlDocuments, type YamlDocument } from './yaml.js';

/** Values that the file takes from elsewhere. */
export interface FilledIn {
  /** The variables that docker compose fills into a compose file: those of the `.env` file next to it. */
  readonly variables?: Variables | undefined;
  /** Why those variables are not known. */
  readonly variablesFault?: string | undefined;
  /** The release that an empty tag stands for: the `appVersion` of the chart. */
  readonly appVersion?: string | undefined;
}

/** One document of a file that pins an image. */
export interface PinDocument extends YamlDocument {
  readonly images: DocumentImages;
  /** The line, from 1, of an offset in the text. */
  readonly lineOf: (offset: number) => number;
}

/**
 * The documents of a YAML or JSON file, and the images that each names.
 *
 * @param path of the pin, whose tag may be empty
 * @throws {LightspanError} `invalid-pin`, naming the file
 */
export function readPinDocuments(
  text: string,
  { file, path }: { readonly file: string; readonly path: readonly string[] },
  { variables, appVersion }: FilledIn = {},
): readonly PinDocument[] {
  const reading = readYamlDocuments(text);
  if (!reading.ok) {
    const [fault] = reading.faults;
    const at = fault === undefined ? '' : `: ${fault.message} at line ${fault.line}, column ${fault.column}`;
    throw new LightspanError('invalid-pin', `${file} is not valid YAML or JSON${at}`, {
      hint: text.includes('{{')
        ? 'It looks like a template; name the file that is made from it.'
        : 'Correct it there, or name a file that contains the pin and little else.',
    });
  }
  const lineOf = (offset: number) => reading.positionAt(offset).line;
  return reading.documents.map(({ document, resolve }) => {
    if (variables !== undefined && isComposeFile(document)) fillScalars(document, variables);
    const tag = appVersion === undefined ? undefined : document.getIn(path, true);
    if (isScalar(tag) && (tag.value === null || tag.value === '')) tag.value = appVersion;
    return { document, resolve, lineOf, images: findImages(document, resolve) };
  });
}

export function keyOfPair({ key }: Pair): string | undefined {
  return isScalar(key) ? String(key.value) : undefined;
}

/** Everything in a document that is written there, in its order: maps, lists and scalars, not what aliases stand for. */
export function* nodesIn(
  node: unknown,
  path: readonly string[] = [],
): Generator<{ readonly path: readonly string[]; readonly node: YAMLMap | YAMLSeq | Scalar }> {
  if (isScalar(node) || isSeq(node) || isMap(node)) yield { path, node };
  if (isSeq(node)) for (const [i, item] of node.items.entries()) yield* nodesIn(item, [...path, String(i)]);
  if (isMap(node))
    for (const pair of node.items) yield* nodesIn(pair.value, [...path, keyOfPair(pair) ?? '']);
}

/**
 * The keys that merge keys (`<<`) bring into a map, by name, also those that the map has itself. Among several maps, the
 * first gives the value.
 */
function mergedInto(map: YAMLMap, resolve: YamlDocument['resolve']): ReadonlyMap<string, unknown> {
  const brought = new Map<string, unknown>();
  const merges = map.items.filter((pair) => keyOfPair(pair) === '<<').map(({ value }) => resolve(value));
  for (const merge of merges.flatMap((value) => (isSeq(value) ? value.items : [value]))) {
    const from = resolve(merge);
    if (!isMap(from)) continue;
    const items = from.items.map((pair) => [keyOfPair(pair), pair.value] as const);
    for (const [name, value] of [...items, ...mergedInto(from, resolve)]) {
      if (name !== undefined && name !== '<<' && !brought.has(name)) brought.set(name, value);
    }
  }
  return brought;
}

/** A place that a path leads to. */
export interface PinPlace {
  readonly path: readonly string[];
  /** Which document it is in, from 0. */
  readonly document: number;
  /** Identifies it within its file, whatever its position in a list. */
  readonly id: string;
  readonly line: number;
  /** What is there: an alias if the path leads to one, or through it. */
  readonly node: unknown;
  readonly isThrough: boolean;
  /** The map or list around it. */
  readonly parent: unknown;
  /** The images of its document. */
  readonly images: DocumentImages;
  /** The key of the path, and its line, that a merge key brings too. */
  readonly mergedOver: { readonly key: string; readonly line: number } | undefined;
  /** The value is elsewhere, and a merge key brings it here. */
  readonly isMerged: boolean;
}

/** How a node was reached. */
type At = Pick<PinPlace, 'path' | 'id' | 'isMerged' | 'mergedOver' | 'parent'>;

/**
 * Every place of a file that a path leads to. What a merge key brings counts where it is written, if that is a place too.
 *
 * @param any the key that stands for every key of a map and every item of a list, if there is one
 */
export function findPlaces(
  documents: readonly PinDocument[],
  pinPath: readonly string[],
  any?: '*',
): readonly PinPlace[] {
  const places: PinPlace[] = [];
  for (const [
    document,
    {
      document: { contents },
      images,
      resolve,
      lineOf,
    },
  ] of documents.entries()) {
    const visit = (node: unknown, at: At): void => {
      const { path, id } = at;
      const [key, ...rest] = pinPath.slice(path.length);
      // Whoever reads the pin refuses an alias, so it is left as it is.
      if (key === undefined || isAlias(node)) {
        const offset = isNode(node) ? node.range?.[0] : 0;
        const whole = key === undefined ? path : [...path, key, ...rest];
        const line = lineOf(offset ?? 0);
        places.push({ ...at, path: whole, document, images, line, node, isThrough: key !== undefined });
        return;
      }
      const step = (
        name: string,
        value: unknown,
        more: Partial<At> = {},
        shown = id === '' ? name : `.${name}`,
      ) => visit(value, { ...at, parent: node, ...more, path: [...path, name], id: `${id}${shown}` });
      const isStep = (name: string) => key === name || (key === any && name !== '<<');
      if (isMap(node)) {
        const merged = mergedInto(node, resolve);
        const own = new Set(node.items.map(keyOfPair));
        for (const pair of node.items) {
          const name = keyOfPair(pair);
          if (name === undefined || !isStep(name) || pair.value === null || pair.value === undefined)
            continue;
          const line = lineOf(isScalar(pair.key) ? (pair.key.range?.[0] ?? 0) : 0);
          step(
            name,
            pair.value,
            merged.has(name) && at.mergedOver === undefined ? { mergedOver: { key: name, line } } : {},
          );
        }
        for (const [name, value] of merged) {
          if (isStep(name) && !own.has(name)) step(name, value, { isMerged: true });
        }
      } else if (isSeq(node)) {
        const names = key === any ? namesOfItems(node) : undefined;
        for (const [i, item] of node.items.entries()) {
          if (isStep(String(i))) step(String(i), item, {}, names && `[${names[i]}]`);
        }
      }
    };
    visit(contents, { path: [], id: '', isMerged: false, mergedOver: undefined, parent: undefined });
  }
  const named = new Set(places.filter(({ isMerged }) => !isMerged).map(({ node }) => node));
  return places.filter(({ isMerged, node }) => !isMerged || !named.has(node));
}

/**
 * What identifies the items of a list in any order, such as the names of `images` in kustomize; undefined if nothing
 * does.
 */
function namesOfItems({ items }: YAMLSeq): readonly string[] | undefined {
  const names = items.map((item) => (isMap(item) ? item.get('name') : undefined));
  const texts = names.filter((name) => typeof name === 'string');
  return texts.length === items.length && new Set(texts).size === texts.length ? texts : undefined;
}

function isComposeFile({ contents }: Document.Parsed): boolean {
  return isMap(contents) && contents.items.some((pair) => keyOfPair(pair) === 'services');
}

/**
 * Fills in each variable with a known value. A value that is not known stays as it is written, and is refused if it is
 * a pin.
 */
function fillScalars(document: Document.Parsed, variables: Variables): void {
  visit(document, {
    Scalar: (key, scalar) => {
      if (key === 'key' || typeof scalar.value !== 'string' || !scalar.value.includes('$')) return;
      scalar.value = fillVariables(scalar.value, variables) ?? scalar.value;
    },
  });
}
