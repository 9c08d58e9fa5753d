import {
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
import { lazy } from '../../core/common/memoize.js';
import type { TextPart } from '../../core/json/schema-problem.js';
import type { Fault, Position, PositionOf } from '../../merge/merge-check.js';
import { createNodeFinder, type FaultAt, keyText, startOf, ValueReader } from './yaml-nodes.js';

export { keyText } from './yaml-nodes.js';

/** The JSON value that a YAML text stands for, or every reason why it stands for none. */
type YamlReading =
  | {
      readonly ok: true;
      readonly value: unknown;
      /** The position of the value at a path, or of its key; if there is none, of the innermost value around it. */
      readonly positionOf: PositionOf;
    }
  | Refused;

type Refused = { readonly ok: false; readonly faults: readonly (Fault & Pick<FaultAt, 'kind' | 'key'>)[] };

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
  /** The maps of a document in which a key may stand several times, and the last counts; none by default. */
  readonly lastCounts?: ((root: Node) => ReadonlySet<unknown>) | undefined;
  /** Why a second document is refused, where the caller has a better reason than that only one is read. */
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
 * Reads the documents of a file of another program, to find places in it: its tags mean nothing here, and a template
 * may be a key.
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
  const documents = parts.map(({ document, reader }) => ({
    document,
    nodes: lazy(() => nodesIn(document.contents)),
    resolve: (node: unknown) => (isAlias(node) ? (reader?.resolve(node) ?? node) : node),
    mergedInto: (map: unknown) =>
      (merges && isMap<Node, Node | null>(map) && reader?.mergedInto(map)) || nothingMerged,
  }));
  return { ok: true, documents, positionAt };
}

const nothingMerged: ReadonlyMap<string, Pair> = new Map();

/** A map, a list or a scalar, with the keys and positions that lead to it. */
interface PlacedNode {
  readonly path: readonly string[];
  readonly node: YAMLMap | YAMLSeq | Scalar;
}

/** Everything in a document that is written there, in its order: maps, lists and scalars, not what aliases refer to. */
function nodesIn(root: unknown): readonly PlacedNode[] {
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

interface ParseOptions extends YamlOptions {
  /** Whether it is a file of another program, whose tags mean nothing here. */
  readonly isOfTool?: boolean;
}

function parse(text: string, options: ParseOptions) {
  const { isDeployed = false, isOfTool = false } = options;
  const lineCounter = new LineCounter();
  const positionAt: PositionAt = (offset) => {
    const { line, col } = lineCounter.linePos(offset);
    return { line, column: col };
  };
  const composed = composeDocuments(text, options, { lineCounter, positionAt });
  if (!Array.isArray(composed)) return composed;
  const refuseAll = (faults: readonly FaultAt[]): Refused => ({
    ok: false,
    faults: faults
      .slice(0, maxFaults)
      .map(({ offset, ...fault }) => ({ path: '', ...positionAt(offset), ...fault })),
  });
  const faults = composed
    .flatMap(({ errors, warnings }) => (isOfTool ? errors : [...errors, ...warnings]))
    .map(({ message, pos: [offset] }) => ({ offset, message }));
  if (faults.length > 0) return refuseAll(faults);
  const parts = composed.map((document) => {
    if (document.contents === null) return { document, reader: undefined };
    const values = new ValueReader(isDeployed && !isOfTool, options.lastCounts?.(document.contents));
    const value = values.read(document.contents);
    const finder = createNodeFinder(document.contents, values.targets);
    return { document, reader: { value, faults: values.faults, ...finder } };
  });
  const faultsOfParts = parts.flatMap(({ reader }) => reader?.faults ?? []);
  return faultsOfParts.length > 0 ? refuseAll(faultsOfParts) : { ok: true as const, parts, positionAt };
}

/** The documents of a text, with their faults; or why it is not read at all. */
function composeDocuments(
  text: string,
  options: ParseOptions,
  { lineCounter, positionAt }: { readonly lineCounter: LineCounter; readonly positionAt: PositionAt },
): Document.Parsed[] | Refused {
  const { maxLength = usualLength, isOfTool = false, whyOneDocument = 'but only one is read' } = options;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  if (/[\0-\x08\x0e-\x1f]/.test(text)) return refuse('it is not text: it contains control characters');
  if (text.length > maxLength) return refuse(`it is longer than ${maxLength} characters`);
  const composer = new Composer({
    version: '1.2',
    stringKeys: !isOfTool,
    // The parser's own check compares each key with all before it, which takes 10 s for 20,000; `ValueReader` looks
    // once.
    uniqueKeys: false,
    resolveKnownTags: false,
    prettyErrors: false,
    logLevel: 'error',
  });
  const parser = new Parser(lineCounter.addNewLine);
  lineCounter.addNewLine(0);
  const documents = [...composer.compose(tokensIn(text, parser), !isOfTool, text.length)];
  if (isTooDeep(parser)) return refuse(`it nests deeper than ${maxNesting} levels`);
  const broken = options.isDeployed === true ? text.search(breaks) : -1;
  if (broken >= 0) {
    const code = text.charCodeAt(broken).toString(16).toUpperCase().padStart(4, '0');
    return refuse(`the character U+${code} starts a new line for some programs only`, positionAt(broken));
  }
  if (documents.some(({ directives }) => directives.yaml.version !== '1.2')) {
    return refuse('it says that it is YAML 1.1; this reads YAML 1.2');
  }
  // No program counts an empty document behind the first.
  const isEmpty = ({ contents }: Document.Parsed) =>
    isScalar(contents) ? contents.source === '' : contents === null;
  const second = isOfTool ? undefined : documents.slice(1).find((document) => !isEmpty(document))?.range[0];
  if (second === undefined) return documents;
  return refuse(`a second document begins here, ${whyOneDocument}`, positionAt(second));
}

/**
 * The tokens of a text, one document after the other, so that no two are kept; up to where it nests so deep that building
 * its nodes would exhaust the memory.
 */
function* tokensIn(text: string, parser: Parser): Generator<CST.Token> {
  for (const part of new Lexer().lex(text)) {
    yield* parser.next(part);
    if (isTooDeep(parser)) return;
  }
  yield* parser.end();
}

/** With the document around what it nests, and a scalar in it. */
function isTooDeep({ stack }: Parser): boolean {
  return stack.length > maxNesting + 2;
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
