import { type Document, isAlias, isScalar, Lexer, type Node, Parser, visit } from 'yaml';

/** How much of a text is read. */
export interface YamlLimits {
  readonly maxNesting: number;
  /** Characters. */
  readonly maxLength?: number;
  /** Keys, values, signs and line ends: the parser needs a second and 100 MiB for 100,000 of them. */
  readonly maxParts?: number;
}

/** A file of 10,000 lines has fewer parts. */
const usualLimits = { maxLength: 1024 * 1024, maxParts: 100_000 };

/**
 * Why a YAML or JSON text is larger than anyone writes, found before nodes are made of it. Making nodes takes seconds
 * for a text that was made to take long, overflows the stack on deep nesting, and cannot be interrupted. The parser's
 * own first steps are used for this, because they know a bracket in a text from one that opens a list.
 *
 * @returns undefined if it can be read
 */
export function yamlExcess(
  text: string,
  { maxNesting, maxLength = usualLimits.maxLength, maxParts = usualLimits.maxParts }: YamlLimits,
): string | undefined {
  if (text.length > maxLength) return `it is longer than ${maxLength} characters`;
  const parser = new Parser();
  let parts = 0;
  for (const part of new Lexer().lex(text)) {
    parts += 1;
    if (parts > maxParts) return `it has more than ${maxParts} parts (keys, values, signs and line ends)`;
    // Its tokens do not matter here, only the state of the parser between them.
    for (const _ of parser.next(part));
    if (parser.stack.length > maxNesting && levelsOf(parser) > maxNesting) {
      return `it nests deeper than ${maxNesting} levels`;
    }
  }
  return undefined;
}

const collections: ReadonlySet<string> = new Set(['block-map', 'block-seq', 'flow-collection']);

function levelsOf({ stack }: Parser): number {
  return stack.filter(({ type }) => collections.has(type)).length;
}

/**
 * The first key of a document that occurs twice in its map, or that programs read differently. The parser's own check
 * for the former compares each key with all before it, which takes 10 s for 20,000 keys.
 */
export function findDoubtfulKey(
  document: Document.Parsed,
): { readonly message: string; readonly pos: readonly [start: number, end: number] } | undefined {
  let found: { readonly message: string; readonly start: number } | undefined;
  const stop = (message: string, { range }: Node) => {
    found = { message, start: range?.[0] ?? 0 };
    return visit.BREAK;
  };
  visit(document, {
    Map: (_, map) => {
      const seen = new Set<unknown>();
      for (const { key } of map.items) {
        if (isAlias(key)) return stop('An alias is used as a key', key);
        if (!isScalar(key)) continue;
        if (key.tag !== undefined) return stop('A key has a tag', key);
        if (seen.has(key.value)) return stop('Map keys must be unique', key);
        seen.add(key.value);
      }
      return undefined;
    },
  });
  return found === undefined ? undefined : { message: found.message, pos: [found.start, found.start] };
}
