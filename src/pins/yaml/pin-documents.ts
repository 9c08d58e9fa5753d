import { isAlias, isMap, isNode, isScalar, isSeq, visit, type YAMLSeq } from 'yaml';
import { groupBy } from '../../core/common/group-by.js';
import { LightspanError } from '../../core/lightspan-error.js';
import { fillVariables, type Variables } from '../../gather/files/variables.js';
import { keyText, readYamlDocuments, type YamlDocument } from '../../gather/files/yaml.js';
import { type DocumentImages, imagesOf } from './image-places.js';

export interface ComposeVariables {
  readonly variables?: Variables | undefined;
  readonly fault?: string | undefined;
}

export interface PinFile {
  readonly file: string;
  readonly text: string;
  readonly documents: readonly YamlDocument[];
  readonly lineOf: (node: unknown) => number;
  readonly variablesFault: string | undefined;
}

export function readPinFile(
  text: string,
  file: string,
  { variables, fault: variablesFault }: ComposeVariables = {},
): PinFile {
  const reading = readYamlDocuments(text);
  if (!reading.ok) {
    const [fault] = reading.faults;
    const at = fault === undefined ? '' : `: ${fault.message} at line ${fault.line}, column ${fault.column}`;
    throw new LightspanError('invalid-pin', `${file} is not valid YAML or JSON${at}`, {
      hint: text.includes('{{')
        ? 'It looks like a template: name the rendered file.'
        : 'Correct it there, or name a file that contains the pin and little else.',
      ...(fault?.kind && { details: { kind: fault.kind } }),
    });
  }
  const { documents } = reading;
  if (variables !== undefined) for (const yamlDocument of documents) fillScalars(yamlDocument, variables);
  const lineOf = (node: unknown) => reading.positionAt((isNode(node) && node.range?.[0]) || 0).line;
  return { file, text, documents, lineOf, variablesFault };
}

/** A value that is not known stays as it is written, and is refused if it is a pin. */
function fillScalars({ document }: YamlDocument, variables: Variables): void {
  if (!isMap(document.contents) || !document.has('services')) return;
  visit(document, {
    Scalar: (key, scalar) => {
      if (key === 'key' || typeof scalar.value !== 'string' || !scalar.value.includes('$')) return;
      scalar.value = fillVariables(scalar.value, variables) ?? scalar.value;
    },
  });
}

export interface PinPlace {
  readonly path: readonly string[];
  readonly document: number;
  /** Identifies it within its file, whatever its position in a list. */
  readonly id: string;
  readonly line: number;
  /** What is there: an alias if the path leads to one, or through it. */
  readonly node: unknown;
  readonly parent: unknown;
  readonly images: DocumentImages;
  /** A key of the path that a merge key brings too, and its line. */
  readonly mergedOver: { readonly key: string; readonly line: number } | undefined;
  /** The value is elsewhere, and a merge key brings it here. */
  readonly isMerged: boolean;
}

/**
 * The places at some paths, in which the key `any` stands for every key and item. A value that a merge key brings counts
 * only where it is written, if a path leads there too.
 */
export function findPlaces(
  { documents, lineOf }: PinFile,
  paths: readonly (readonly string[])[],
  any?: '*',
): readonly PinPlace[] {
  const places: PinPlace[] = [];
  for (const [index, yamlDocument] of documents.entries()) {
    const { document, mergedInto } = yamlDocument;
    const walk = (node: unknown, at: Omit<PinPlace, 'node' | 'line'>, trees: readonly PathTree[]): void => {
      const { path, id } = at;
      const addPlace = (whole: readonly string[]) =>
        places.push({ ...at, path: whole, line: lineOf(node), node });
      // The walk does not follow an alias: `releaseAt` refuses a pin that is one.
      if (isAlias(node)) for (const rest of trees.flatMap(pathsOf)) addPlace([...path, ...rest]);
      else if (trees.some(({ isEnd }) => isEnd)) addPlace(path);
      if (isAlias(node) || trees.every(({ below }) => below === none)) return;
      const step = (name: string, value: unknown, more: Partial<PinPlace> = {}, item?: string) => {
        const next = trees.flatMap((tree) => treesBelow(tree, name, any));
        if (next.length === 0) return;
        const shown = item ?? (id === '' ? name : `.${name}`);
        walk(value, { ...at, parent: node, ...more, path: [...path, name], id: `${id}${shown}` }, next);
      };
      if (isMap(node)) {
        const merged = new Map(mergedInto(node));
        for (const pair of node.items) {
          const name = keyText(pair.key);
          const isOver = merged.delete(name) && at.mergedOver === undefined;
          if (!isScalar(pair.key) || name === '<<' || pair.value === null || pair.value === undefined)
            continue;
          step(name, pair.value, isOver ? { mergedOver: { key: name, line: lineOf(pair.key) } } : {});
        }
        for (const [name, { value }] of merged) step(name, value, { isMerged: true });
      } else if (isSeq(node)) {
        const isAnyItem = any !== undefined && trees.some(({ below }) => below.has(any));
        const names = isAnyItem ? namesOfItems(node) : undefined;
        for (const [i, item] of node.items.entries()) step(String(i), item, {}, names && `[${names[i]}]`);
      }
    };
    const nowhere = { path: [], id: '', isMerged: false, mergedOver: undefined, parent: undefined };
    walk(document.contents, { ...nowhere, document: index, images: imagesOf(yamlDocument) }, [
      pathTreeOf(paths),
    ]);
  }
  const named = new Set(places.filter(({ isMerged }) => !isMerged).map(({ node }) => node));
  return places.filter(({ isMerged, node }) => !isMerged || !named.has(node));
}

/** Paths as a tree of their keys: `isEnd` where a path ends, `below` the next keys. */
interface PathTree {
  readonly isEnd: boolean;
  readonly below: ReadonlyMap<string, PathTree>;
}

const none: ReadonlyMap<string, PathTree> = new Map();

function pathTreeOf(paths: readonly (readonly string[])[], depth = 0): PathTree {
  const longer = paths.filter((path) => path.length > depth);
  const groups = [...groupBy(longer, (path) => path[depth] ?? '')];
  const below = groups.map(([key, group]) => [key, pathTreeOf(group, depth + 1)] as const);
  return { isEnd: longer.length < paths.length, below: below.length === 0 ? none : new Map(below) };
}

/** The subtrees that a key leads to: by its name, by the parts of a dotted name (`image.tag`), and by `any`. */
function treesBelow(tree: PathTree, name: string, any: '*' | undefined): readonly PathTree[] {
  const parts = name.includes('.') ? name.split('.') : [];
  const dotted = parts.reduce((at: PathTree | undefined, part) => at?.below.get(part), tree);
  const trees = [
    tree.below.get(name),
    parts.length === 0 ? undefined : dotted,
    any === undefined || name === any ? undefined : tree.below.get(any),
  ];
  return trees.filter((below) => below !== undefined);
}

function pathsOf({ isEnd, below }: PathTree): readonly (readonly string[])[] {
  const rests = [...below].flatMap(([key, tree]) => pathsOf(tree).map((path) => [key, ...path]));
  return isEnd ? [[], ...rests] : rests;
}

/** What identifies the items of a list in any order, such as names of images; undefined if nothing does. */
function namesOfItems({ items }: YAMLSeq): readonly string[] | undefined {
  const names = items.map((item) => (isMap(item) ? item.get('name') : undefined));
  const texts = names.filter((name) => typeof name === 'string');
  return texts.length === items.length && new Set(texts).size === texts.length ? texts : undefined;
}
