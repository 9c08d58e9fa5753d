import {
  type Alias,
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  type Pair,
  Parser,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { exactNumber } from '../../core/json/exact-json.js';
import { isRecord } from '../../core/json/is-record.js';
import type { SchemaProblem, TextPart } from '../../core/json/schema-problem.js';
import type { Fault, Position, PositionOf } from '../../merge/merge-check.js';

/** The JSON value that a YAML text stands for, or every reason why it stands for none. */
export type YamlReading =
  | {
      readonly ok: true;
      readonly value: unknown;
      /** The position of the value at a path, or of its key; if there is none, of the innermost value around it. */
      readonly positionOf: PositionOf;
    }
  | Refused;

type Refused = { readonly ok: false; readonly faults: readonly Fault[] };

/**
 * The maximum number of values that aliases may stand for in all: far more than people write, far fewer than in a bomb.
 */
const maxAliasedValues = 10_000;
const maxFaults = 20;
const maxNesting = 100;
const usualLength = 1024 * 1024;

export interface YamlOptions {
  /** Characters; a MiB by default. */
  readonly maxLength?: number | undefined;
  /**
   * Whether other programs deploy what it says: then what they read differently is refused, and a text without content
   * is null, as for them.
   */
  readonly isDeployed?: boolean;
  /** Why a second document is refused, if there is more to say than that only one is read. */
  readonly whyOneDocument?: string | undefined;
}

/** Why values in several documents are not read: `findings/helm-values-with-two-documents.sh` */
export const documentsOfValues = 'Helm 4 merges all documents of a values file, Helm 3 takes the first';

/** Reads one document of YAML 1.2, and so also JSON, into a JSON value, with positions. */
export function readYaml(text: string, options: YamlOptions = {}): YamlReading {
  const parsed = parse(text, options);
  if (!parsed.ok) return parsed;
  const { positionAt } = parsed;
  const reader = parsed.parts[0]?.reader;
  if (reader === undefined) {
    if (options.isDeployed !== true) return refuse('it is empty');
    return { ok: true, value: null, positionOf: () => start };
  }
  return {
    ok: true,
    value: reader.value,
    positionOf: (path, about, part) => {
      const node = reader.nodeAt(path, about);
      return positionAt(part === undefined ? startOf(node) : startOfPart(reader.resolve(node), part, text));
    },
  };
}

/** A document as it is written. */
export interface YamlDocument {
  readonly document: Document.Parsed;
  /** Everything that is written in it, found once, see {@link nodesIn}. */
  readonly nodes: () => readonly PlacedNode[];
  /** The node that an alias refers to; any other node itself. */
  readonly resolve: (node: unknown) => unknown;
  /** What merge keys (`<<`) bring into a map, also for keys that it has itself. Of several maps, the first counts. */
  readonly mergedInto: (map: unknown) => ReadonlyMap<string, Pair>;
}

/**
 * Reads the documents of a file of another program, to find places in it: its tags mean nothing here, and a template may
 * be a key.
 */
export function readYamlDocuments(
  text: string,
):
  | { readonly ok: true; readonly documents: readonly YamlDocument[]; readonly positionAt: PositionAt }
  | Refused {
  const parsed = parse(text, { isDeployed: true, isOfTool: true });
  if (!parsed.ok) return parsed;
  const { parts, positionAt } = parsed;
  const merges = text.includes('<<');
  const documents = parts.map(({ document, reader }) => {
    let nodes: readonly PlacedNode[] | undefined;
    return {
      document,
      nodes: () => {
        nodes ??= nodesIn(document.contents);
        return nodes;
      },
      resolve: (node: unknown) => (isAlias(node) ? (reader?.resolve(node) ?? node) : node),
      mergedInto: (map: unknown) =>
        (merges && isMap<Node, Node | null>(map) && reader?.mergedInto(map)) || nothingMerged,
    };
  });
  return { ok: true, documents, positionAt };
}

const nothingMerged: ReadonlyMap<string, Pair> = new Map();

/** A map, a list or a scalar, with the keys and positions that lead to it. */
export interface PlacedNode {
  readonly path: readonly string[];
  readonly node: YAMLMap | YAMLSeq | Scalar;
}

/** Everything in a document that is written there, in its order: maps, lists and scalars, not what aliases refer to. */
export function nodesIn(root: unknown): readonly PlacedNode[] {
  const nodes: PlacedNode[] = [];
  const add = (node: unknown, path: readonly string[]): void => {
    if (isScalar(node)) nodes.push({ path, node });
    else if (isMap(node)) {
      nodes.push({ path, node });
      for (const { key, value } of node.items) add(value, [...path, keyText(key)]);
    } else if (isSeq(node)) {
      nodes.push({ path, node });
      for (const [i, item] of node.items.entries()) add(item, [...path, String(i)]);
    }
  };
  add(root, []);
  return nodes;
}

/** The scalars among them. */
export function scalarsIn({ nodes }: YamlDocument) {
  return nodes().flatMap(({ path, node }) => (isScalar(node) ? [{ path, scalar: node }] : []));
}

const start: Position = { line: 1, column: 1 };
type PositionAt = (offset: number) => Position;

function refuse(message: string, at = start): Refused {
  return { ok: false, faults: [{ path: '', ...at, message }] };
}

/** Where YAML 1.1, and so what is written in Go, begins a new line, and YAML 1.2 does not: it hides what follows. */
const breaks = /[\u0085\u2028\u2029]|\r(?!\n)/;

function parse(
  text: string,
  {
    maxLength = usualLength,
    isDeployed = false,
    isOfTool = false,
    whyOneDocument = 'but only one is read',
  }: YamlOptions & { readonly isOfTool?: boolean },
) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  if (/[\0-\x08\x0e-\x1f]/.test(text)) return refuse('it is not text: it contains control characters');
  if (text.length > maxLength) return refuse(`it is longer than ${maxLength} characters`);
  const lineCounter = new LineCounter();
  const positionAt: PositionAt = (offset) => {
    const { line, col } = lineCounter.linePos(offset);
    return { line, column: col };
  };
  const tokens = readTokens(text, lineCounter);
  if (tokens === undefined) return refuse(`it nests deeper than ${maxNesting} levels`);
  const broken = isDeployed ? text.search(breaks) : -1;
  if (broken >= 0) {
    const code = text.charCodeAt(broken).toString(16).toUpperCase().padStart(4, '0');
    return refuse(`the character U+${code} begins a new line for some programs only`, positionAt(broken));
  }
  const composer = new Composer({
    version: '1.2',
    stringKeys: !isOfTool,
    // The parser's own check compares each key with all before it, which takes 10 s for 20,000; `readMap` looks once.
    uniqueKeys: false,
    resolveKnownTags: false,
    prettyErrors: false,
    logLevel: 'error',
  });
  const documents = [...composer.compose(tokens, !isOfTool, text.length)];
  if (documents.some(({ directives }) => directives.yaml.version !== '1.2')) {
    return refuse('it says that it is YAML 1.1; this reads YAML 1.2');
  }
  // An empty one behind the first is none to any program.
  const isEmpty = ({ contents }: Document.Parsed) =>
    isScalar(contents) ? contents.source === '' : contents === null;
  const second = isOfTool ? undefined : documents.slice(1).find((one) => !isEmpty(one))?.range[0];
  if (second !== undefined) {
    return refuse(`a second document begins here, ${whyOneDocument}`, positionAt(second));
  }
  const refuseAll = (faults: readonly FaultAt[]): Refused => ({
    ok: false,
    faults: faults
      .slice(0, maxFaults)
      .map(({ offset, message }) => ({ path: '', ...positionAt(offset), message })),
  });
  const faults = documents
    .flatMap(({ errors, warnings }) => (isOfTool ? errors : [...errors, ...warnings]))
    .map(({ message, pos: [offset] }) => ({ offset, message }));
  if (faults.length > 0) return refuseAll(faults);
  const parts = documents.map((document) => ({
    document,
    reader: document.contents === null ? undefined : readNodes(document.contents, isDeployed && !isOfTool),
  }));
  const found = parts.flatMap(({ reader }) => reader?.faults ?? []);
  return found.length > 0 ? refuseAll(found) : { ok: true as const, parts, positionAt };
}

/** The tokens of a text; undefined if it nests so deep that to make nodes of them would take all memory. */
function readTokens(text: string, lineCounter: LineCounter): CST.Token[] | undefined {
  lineCounter.addNewLine(0);
  const parser = new Parser(lineCounter.addNewLine);
  const tokens: CST.Token[] = [];
  for (const part of new Lexer().lex(text)) {
    tokens.push(...parser.next(part));
    // With the document around them, and a scalar in them.
    if (parser.stack.length > maxNesting + 2) return undefined;
  }
  return [...tokens, ...parser.end()];
}

/** What is wrong at an offset of a text. */
interface FaultAt {
  readonly offset: number;
  readonly message: string;
}

/**
 * Turns nodes into JSON, and remembers what aliases stand for. The library is not used for this: it keeps the last of
 * two equal keys, allows an alias within its own anchor, and reports a bomb without its place.
 */
function readNodes(root: Node, isDeployed: boolean) {
  const faults: FaultAt[] = [];
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  const openTargets = new Set<Node>();
  let aliasedValues = 0;

  const refuseAt = (node: Node, message: string): undefined => {
    faults.push({ offset: startOf(node), message });
  };

  const read = (node: Node | null): unknown => {
    if (node === null) return null;
    if (openTargets.size > 0) aliasedValues += 1;
    if (isAlias(node)) return readAlias(node);
    if (node.anchor !== undefined) anchors.set(node.anchor, node);
    if (isMap<Node, Node | null>(node)) return readMap(node);
    if (isSeq<Node | null>(node)) return node.items.map(read);
    return isScalar(node) ? scalarValue(node) : undefined;
  };

  const readMap = (map: YamlMap): Record<string, unknown> => {
    const own: Record<string, unknown> = {};
    let merged: Record<string, unknown> | undefined;
    for (const pair of map.items) {
      const { key, value } = pair;
      const name = keyText(key);
      if (isAlias(key)) refuseAt(key, 'an alias is used as a key');
      else if (isScalar(key) && key.tag !== undefined) refuseAt(key, 'a key has a tag');
      else if (!isScalar(key)) read(value);
      else if (name === '__proto__') refuseAt(key, 'a key may not be named __proto__');
      else if (Object.hasOwn(own, name) || (isMerge(pair) && merged !== undefined)) {
        const why = isDeployed ? ': some programs take the last, others refuse it' : '';
        refuseAt(key, `the key ${JSON.stringify(name)} ${standsTwice}${why}`);
      } else if (isMerge(pair)) merged = readMerged(pair);
      else own[name] = read(value);
    }
    if (merged === undefined) return own;
    for (const { key } of isDeployed ? map.items : []) {
      if (Object.hasOwn(merged, keyText(key))) refuseAt(key, broughtTwice);
    }
    return { ...merged, ...own };
  };

  /** The keys that a merge key adds: if several maps have a key, the first one gives its value. */
  const readMerged = ({ key, value }: YamlPair): Record<string, unknown> => {
    const content = read(value);
    const maps = Array.isArray(content) ? content : [content];
    if (maps.every(isRecord)) return Object.assign({}, ...maps.toReversed());
    // A value that cannot be read at all has been refused before.
    if (!maps.includes(undefined)) refuseAt(value ?? key, '<< takes a map, or a list of maps');
    return {};
  };

  const readAlias = (alias: Alias): unknown => {
    const target = anchors.get(alias.source);
    if (target === undefined) return refuseAt(alias, `nothing before it is named &${alias.source}`);
    targets.set(alias, target);
    if (openTargets.has(target)) return refuseAt(alias, 'it is inside the value that it refers to');
    if (aliasedValues > maxAliasedValues) {
      return refuseAt(alias, `aliases stand for more than ${maxAliasedValues} values`);
    }
    openTargets.add(target);
    const value = read(target);
    openTargets.delete(target);
    return value;
  };

  /** The node that an alias stands for. */
  const resolve = (node: Node): Node => (isAlias(node) ? (targets.get(node) ?? node) : node);

  const pairsOf = (map: YamlMap): ReadonlyMap<string, YamlPair> =>
    new Map([...mergedInto(map), ...map.items.map((pair) => [keyText(pair.key), pair] as const)]);

  const mergedInto = (map: YamlMap): ReadonlyMap<string, YamlPair> => {
    const named = map.items.filter(isMerge).map(({ value }) => value && resolve(value));
    const maps = named.flatMap((value) => (isSeq<Node>(value) ? value.items.map(resolve) : value));
    const merged = maps.filter((one) => isMap<Node, Node | null>(one)).toReversed();
    return new Map(merged.flatMap((one) => [...pairsOf(one)]).filter(([key]) => key !== '<<'));
  };

  const pairAt = (map: YamlMap, key: string) =>
    map.items.find((pair) => keyText(pair.key) === key) ?? mergedInto(map).get(key);

  const nodeAt = (path: SchemaProblem['path'], about: SchemaProblem['about']): Node => {
    let at = root;
    for (const [i, part] of path.entries()) {
      const within = resolve(at);
      const pair = isMap<Node, Node | null>(within) ? pairAt(within, String(part)) : undefined;
      const value = isSeq<Node>(within) && typeof part === 'number' ? within.items[part] : pair?.value;
      const next = (i === path.length - 1 && about === 'key' ? undefined : value) ?? pair?.key ?? value;
      if (next == null) break;
      at = next;
    }
    return at;
  };

  return { value: read(root), faults, resolve, mergedInto, nodeAt };
}

type YamlMap = YAMLMap<Node, Node | null>;
type YamlPair = Pair<Node, Node | null>;

/** What is wrong with a text that Helm reads, with the last of its equal keys, and others refuse. */
export const standsTwice = 'stands twice';

/** YAML takes the map's own value, Helm and kubectl take the later of the two. */
const broughtTwice =
  'a merge key (<<) brings this key too, and programs differ in which of the two they take: write it once';

/** A number as it is written, in its JSON form. */
function scalarValue({ value, source = '' }: Scalar): unknown {
  // Not .inf and .nan, which JSON cannot express.
  if (typeof value !== 'number' || !/\d/.test(source)) return value;
  if (/^0[ox]/.test(source)) return exactNumber(String(BigInt(source)));
  const [, sign = '', whole = '', fraction = '', exponent = ''] =
    /^([-+]?)0*(\d*?)(?:\.(\d*))?([eE].*)?$/.exec(source) ?? [];
  const point = fraction === '' ? '' : `.${fraction}`;
  return exactNumber(`${sign === '-' ? sign : ''}${whole || '0'}${point}${exponent}`);
}

/** A `<<` that the library also recognises: without quotes, so that in JSON it is a key like any other. */
function isMerge({ key }: Pair<Node, Node | null>): boolean {
  return isScalar(key) && key.type === 'PLAIN' && key.value === '<<';
}

function startOf(node: Node): number {
  return node.range?.[0] ?? 0;
}

/**
 * The position of a part of a text in the file; in a block text, at its own line. If the file writes the part
 * differently, by escapes or over lines, it is the position of the text around it.
 */
function startOfPart(node: Node, { text, offset }: TextPart, file: string): number {
  const [start, end] = node.range ?? [0, 0];
  const before = isScalar(node) ? String(node.value).slice(0, offset).split(text).length - 1 : 0;
  let at = file.indexOf(text, start);
  for (let i = 0; i < before && at !== -1; i += 1) at = file.indexOf(text, at + text.length);
  return at === -1 || at >= end ? start : at;
}

/** The text of a key; empty if it is a collection. */
export function keyText(key: unknown): string {
  return isScalar(key) ? String(key.value) : '';
}
