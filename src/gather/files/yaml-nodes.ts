import {
  type Alias,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type Scalar,
  type YAMLMap,
} from 'yaml';
import { exactNumber } from '../../core/json/exact-json.js';
import { isRecord } from '../../core/json/is-record.js';
import type { SchemaProblem } from '../../core/json/schema-problem.js';

/** What is wrong at an offset of a text. */
export interface FaultAt {
  readonly offset: number;
  readonly message: string;
  /** That a key stands twice: Helm reads such a text, with the last of its equal keys, and others refuse it. */
  readonly kind?: 'repeated-key';
  /** The key that stands twice. */
  readonly key?: string;
}

type YamlMap = YAMLMap<Node, Node | null>;
type YamlPair = Pair<Node, Node | null>;

/**
 * The maximum number of values that aliases may stand for in all: far more than people write, far fewer than in a bomb.
 */
const maxAliasedValues = 10_000;

/** YAML takes the map's own value, Helm and kubectl the later of the two: `findings/merge-key-by-who-reads.sh` */
const keyOfMergeAndMap =
  'a merge key (<<) brings this key too, and programs differ in which of the two they take: write it once';

/**
 * Turns nodes into JSON, and remembers what aliases stand for. The library is not used for this: it keeps the last of
 * two equal keys, allows an alias within its own anchor, and reports a bomb without its place.
 */
export class ValueReader {
  readonly faults: FaultAt[] = [];
  /** The node of each alias that was read. */
  readonly targets = new Map<Alias, Node>();
  readonly #anchors = new Map<string, Node>();
  readonly #openTargets = new Set<Node>();
  readonly #isDeployed: boolean;
  /** Maps in which a key may stand several times, and the last counts. */
  readonly #lastCounts: ReadonlySet<unknown>;
  #aliasedValues = 0;

  /** @param isDeployed whether other programs read it: then what they read differently is refused */
  constructor(isDeployed: boolean, lastCounts: ReadonlySet<unknown> = new Set()) {
    this.#isDeployed = isDeployed;
    this.#lastCounts = lastCounts;
  }

  read(node: Node | null): unknown {
    if (node === null) return null;
    if (this.#openTargets.size > 0) this.#aliasedValues += 1;
    if (isAlias(node)) return this.#readAlias(node);
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, node);
    if (isMap<Node, Node | null>(node)) return this.#readMap(node);
    if (isSeq<Node | null>(node)) return node.items.map((item) => this.read(item));
    return isScalar(node) ? scalarValue(node) : undefined;
  }

  #refuse(node: Node, message: string, more?: Pick<FaultAt, 'kind' | 'key'>): undefined {
    this.faults.push({ offset: startOf(node), message, ...more });
  }

  #readMap(map: YamlMap): Record<string, unknown> {
    const entries: Record<string, unknown> = {};
    let merged: Record<string, unknown> | undefined;
    for (const pair of map.items) {
      const { key, value } = pair;
      const name = keyText(key);
      if (isAlias(key)) this.#refuse(key, 'an alias is used as a key');
      else if (isScalar(key) && key.tag !== undefined) this.#refuse(key, 'a key has a tag');
      else if (!isScalar(key)) this.read(value);
      else if (name === '__proto__') this.#refuse(key, 'a key must not be named __proto__');
      else if (Object.hasOwn(entries, name) && this.#lastCounts.has(map)) entries[name] = this.read(value);
      else if (Object.hasOwn(entries, name) || (isMerge(pair) && merged !== undefined)) {
        const why = this.#isDeployed ? ': some programs take the last, others refuse it' : '';
        this.#refuse(key, `the key ${JSON.stringify(name)} appears twice${why}`, {
          kind: 'repeated-key',
          key: name,
        });
      } else if (isMerge(pair)) merged = this.#readMerged(pair);
      else entries[name] = this.read(value);
    }
    if (merged === undefined) return entries;
    for (const { key } of this.#isDeployed ? map.items : []) {
      if (Object.hasOwn(merged, keyText(key))) this.#refuse(key, keyOfMergeAndMap);
    }
    return { ...merged, ...entries };
  }

  /** The keys that a merge key adds: if several maps have a key, the first one gives its value. */
  #readMerged({ key, value }: YamlPair): Record<string, unknown> {
    const content = this.read(value);
    const maps = Array.isArray(content) ? content : [content];
    if (maps.every(isRecord)) return Object.assign({}, ...maps.toReversed());
    // A value that cannot be read at all has been refused before.
    if (!maps.includes(undefined)) this.#refuse(value ?? key, '<< takes a map, or a list of maps');
    return {};
  }

  #readAlias(alias: Alias): unknown {
    const target = this.#anchors.get(alias.source);
    if (target === undefined) return this.#refuse(alias, `no anchor &${alias.source} comes before it`);
    this.targets.set(alias, target);
    if (this.#openTargets.has(target)) return this.#refuse(alias, 'it is inside the value it refers to');
    if (this.#aliasedValues > maxAliasedValues) {
      return this.#refuse(alias, `aliases expand to more than ${maxAliasedValues} values`);
    }
    this.#openTargets.add(target);
    const value = this.read(target);
    this.#openTargets.delete(target);
    return value;
  }
}

/** Finds the node of a value by its path, through aliases and merge keys. */
export function createNodeFinder(root: Node, targets: ReadonlyMap<Alias, Node>) {
  /** The node that an alias stands for. */
  const resolve = (node: Node): Node => (isAlias(node) ? (targets.get(node) ?? node) : node);

  const pairsOf = (map: YamlMap): ReadonlyMap<string, YamlPair> =>
    new Map([...mergedInto(map), ...map.items.map((pair) => [keyText(pair.key), pair] as const)]);

  const mergedInto = (map: YamlMap): ReadonlyMap<string, YamlPair> => {
    const named = map.items.filter(isMerge).map(({ value }) => value && resolve(value));
    const values = named.flatMap((value) => (isSeq<Node>(value) ? value.items.map(resolve) : value));
    const maps = values.filter((value) => isMap<Node, Node | null>(value)).toReversed();
    return new Map(maps.flatMap((map) => [...pairsOf(map)]).filter(([key]) => key !== '<<'));
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

  return { resolve, mergedInto, nodeAt };
}

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

export function startOf(node: Node): number {
  return node.range?.[0] ?? 0;
}

/** The text of a key; empty if it is a collection. */
export function keyText(key: unknown): string {
  return isScalar(key) ? String(key.value) : '';
}
